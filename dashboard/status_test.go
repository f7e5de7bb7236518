package dashboard

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/schedule"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/seeded"
	"github.com/claudeops/claudeops/tiers"
)

func (h *house) status() *Status {
	h.t.Helper()
	return got(h.Status(h.t.Context()))(h.t)
}

func (h *house) silence(service string, since, until time.Time) {
	h.t.Helper()
	_, _, err := h.store.AddSilence(h.t.Context(), store.Silence{Service: service, CreatedAt: since, Until: until})
	fine(h.t, err)
}

// doings are what is done about each service that is unwell.
func doings(s *Status) map[string]string {
	found := map[string]string{}
	for _, u := range s.Unwell {
		found[u.Service] = u.Doing
	}
	return found
}

// Whatever the first page says, the status says in the same words.
func TestStatusAgreesWithTheOverview(t *testing.T) {
	lab := got(seeded.Homelab(t.Context(), t.TempDir(), morning))(t)
	h := seededAt(t, lab)
	o, s := got(h.Overview(t.Context()))(t), h.status()
	if s.Verdict != o.Verdict || s.Headline != o.Headline() || !s.NeedsHuman() {
		t.Errorf("the status is %s, %q; the overview %s, %q", s.Verdict, s.Headline, o.Verdict, o.Headline())
	}
	for n, incident := range o.Incidents {
		want := Unwell{
			incident.Service, incident.Status, incident.State, &incident.ID, &incident.OpenedAt, incident.Fault, incident.Doing,
			incident.AcknowledgedAt, incident.AcknowledgedBy,
		}
		if diff := cmp.Diff(want, s.Unwell[n]); diff != "" || incident.Doing == "" {
			t.Errorf("incident %d: %s", incident.ID, diff)
		}
	}
}

func TestStatusSaysWhatIsDoneAboutEachService(t *testing.T) {
	h := newHouse(t)
	h.inv = got(inventory.Parse([]byte("services:\n  - {name: db}\n  - {name: blip, fail_after: 2}\n  - {name: shop, depends_on: [db]}\n")))(t)
	s := h.store
	opened := morning.Add(-time.Hour)
	retry, healthy := morning.Add(2*time.Hour), morning.Add(-time.Minute)
	for _, i := range []store.Incident{
		{Service: "asked", RetryAt: &retry, DeadEnds: 1}, {Service: "again", Returns: 3}, {Service: "better", HealthySince: &healthy, HealthyCycles: 1, Fingerprint: "x"},
		{Service: "blip", UnwellCycles: 1}, {Service: "db"}, {Service: "new"}, {Service: "quiet"},
	} {
		i.Status, i.OpenedAt = check.Down, opened
		got(s.OpenIncident(t.Context(), i))(t)
		h.found(opened, i.Service, check.Down)
	}
	h.found(opened, "shop", check.Down) // no incident: db explains it
	h.silence("quiet", opened, morning.Add(time.Hour))
	is := got(tiers.Identify(os.Getpid()))(t)
	first := got(s.AddSession(t.Context(), store.Session{Tier: 1, Trigger: "cron", Status: store.Escalated, StartedAt: opened}))(t)
	second := got(s.AddSession(t.Context(), store.Session{Tier: 2, ParentID: &first, Trigger: "escalation", Status: store.Running, StartedAt: morning.Add(-3 * time.Minute)}))(t)
	fine(t, s.SetSessionProcess(t.Context(), second, is.PID, is.Start, is.BootID))
	fine(t, s.LinkSession(t.Context(), got(s.OpenIncidents(t.Context()))(t)["db"].ID, second, "", "")) // as it is from the session's start

	want := map[string]string{
		"asked": "left to people until 11:00, unless it changes", "again": "left to people: it recovered and failed again 3 times",
		"blip":   "found so in 1 of the 2 cycles that its fail_after asks for",
		"better": "healthy since 08:59, closes after the next healthy cycle", "db": "Tier 2 is at it since 08:57 (session 2)", "new": "the next cycle decides",
		"quiet": "left alone: silenced until 2026-03-10 10:00 UTC", "shop": "left alone: db, on which it depends, is down",
	}
	if diff := cmp.Diff(want, doings(h.status())); diff != "" {
		t.Error(diff)
	}
	if of := got(h.Session(t.Context(), second))(t).Incidents; len(of) != 1 || of[0].Doing != want["db"] {
		t.Errorf("the session itself says %+v", of)
	}
	for setting, c := range map[string]config.Config{"CLAUDEOPS_DRY_RUN is set": {DryRun: true, MaxTier: 3}, "CLAUDEOPS_MAX_TIER is 1": {MaxTier: 1}} {
		c.StateDir = h.dir
		h.serve(Options{Config: c, Inventory: func() *inventory.Inventory { return h.inv }})
		if got := doings(h.status())["new"]; got != "only watched: "+setting {
			t.Errorf("of a new incident it is said: %s", got)
		}
	}
}

func TestStatusSaysWhatIsNext(t *testing.T) {
	h := newHouse(t)
	hourly := got(schedule.Parse("0 * * * *"))(t)
	until := morning.Add(90 * time.Minute)
	h.inv = &inventory.Inventory{Services: []inventory.Service{{Name: "disk", Maintenance: []inventory.Window{{From: morning.Add(-time.Hour), To: until}}}}}
	h.serve(Options{Config: config.Config{StateDir: h.dir, Schedule: []schedule.Expression{hourly}, MaxTier: 3}, Inventory: func() *inventory.Inventory { return h.inv }})
	h.cycle(morning.Add(-30*time.Minute), store.CycleCompleted)
	for service, lasts := range map[string]time.Duration{"shop": 2 * time.Hour, "": 3 * time.Hour} {
		h.silence(service, morning, morning.Add(lasts))
	}
	var next []string
	for _, n := range h.status().Next {
		next = append(next, n.At.Format("15:04 ")+n.Kind+" "+n.Service)
	}
	if want := []string{"10:00 cycle ", "10:30 maintenance_ends disk", "11:00 silence_ends shop", "12:00 pause_ends "}; !slices.Equal(next, want) {
		t.Errorf("next is %q, want %q", next, want)
	}
}

func TestStatusBeforeTheFirstCycle(t *testing.T) {
	s := NoStatus(morning)
	if s.Verdict != Unwatched || s.Headline != "No cycle has run yet" || s.NeedsHuman() {
		t.Errorf("%+v", s)
	}
	stopped := newHouse(t)
	stopped.cycle(morning.Add(-100*time.Hour), store.CycleCompleted)
	if s := stopped.status(); s.StaleSince == nil || !s.NeedsHuman() {
		t.Errorf("where nobody watches any more: %+v", s)
	}
}

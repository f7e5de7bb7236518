package dashboard

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

func TestVerdicts(t *testing.T) {
	hour := func(n int) time.Time { return morning.Add(-time.Duration(n) * time.Hour) }
	for _, c := range []struct {
		name string
		set  func(h *house)
		want Verdict
	}{
		{"no cycle ever", func(*house) {}, Unwatched},
		{"a cycle, all healthy", func(h *house) { h.cycle(hour(1), "completed"); h.found(hour(1), "shop", check.Healthy) }, AllWell},
		{"a failed cycle watches too", func(h *house) { h.cycle(hour(1), "failed"); h.found(hour(1), "shop", check.Healthy) }, AllWell},
		{"the last cycle ended a day and two hours ago", func(h *house) {
			h.cycle(hour(26).Add(-time.Minute), "completed")
			h.found(hour(1), "shop", check.Healthy)
		}, Unwatched},
		{"the first one runs, and nothing was found yet", func(h *house) { h.runs() }, Unwatched},
		{"a cycle, and nobody looked at anything", func(h *house) { h.cycle(hour(1), "completed"); h.found(hour(50), "shop", check.Healthy) }, Unwatched},
		{"a cycle, and there is nothing to look at", func(h *house) { h.cycle(hour(1), "completed") }, Unwatched},
		{"a service was found down, and nobody has looked since", func(h *house) {
			fine(h.t, h.options.Config.Schedule.Decode("0 * * * *"))
			h.cycle(hour(20), "completed")
			h.found(hour(20), "shop", check.Down)
		}, Trouble},
		{"people were asked of what is silenced since", func(h *house) {
			h.cycle(hour(1), "completed")
			id := h.incident("shop", check.Down, hour(30))
			h.notify(store.Notification{Kind: store.HumanAttention, IncidentID: &id, Service: "shop", CreatedAt: hour(29)})
			_, err := h.store.AddProposal(h.t.Context(), store.Proposal{Service: "shop", Tier: 2, Status: store.ProposalWaiting, ExpiresAt: morning.Add(time.Hour)})
			fine(h.t, err)
			_, _, err = h.store.AddSilence(h.t.Context(), store.Silence{Service: "shop", Until: morning.Add(time.Hour)})
			fine(h.t, err)
			h.found(hour(1), "shop", check.Healthy)
		}, Trouble},
		{"a service is down", func(h *house) { h.cycle(hour(1), "completed"); h.found(hour(1), "shop", check.Healthy, check.Down) }, Trouble},
		{"a service is slow", func(h *house) { h.cycle(hour(1), "completed"); h.found(hour(1), "shop", check.Degraded) }, Trouble},
		{"it is well now, its incident open", func(h *house) {
			h.cycle(hour(1), "completed")
			h.found(hour(1), "shop", check.Healthy)
			h.incident("shop", check.Down, hour(2))
		}, Trouble},
		{"people were asked", func(h *house) {
			h.cycle(hour(1), "completed")
			id := h.incident("shop", check.Down, hour(30))
			h.notify(store.Notification{Kind: store.HumanAttention, IncidentID: &id, Service: "shop", CreatedAt: hour(29)})
		}, NeedsHuman},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t)
			c.set(h)
			if o := h.overview(); o.Verdict != c.want {
				t.Errorf("%q, want %q: %+v", o.Verdict, c.want, o)
			}
		})
	}
}

// runs adds a running session with a live process.
func (h *house) runs() {
	h.t.Helper()
	got(h.store.AddSession(h.t.Context(), store.Session{Tier: 1, Trigger: "cron", Status: store.Running, StartedAt: h.time()}))(h.t)
}

// Whatever else the page shows, it says that nothing has been monitored for days.
func TestAStaleWatchIsSaidBesideWhatNeedsAHuman(t *testing.T) {
	h := newHouse(t)
	fine(t, h.options.Config.Schedule.Decode("55 * * * *"))
	began := morning.Add(-72 * time.Hour)
	id := h.incident("shop", check.Down, began)
	h.notify(store.Notification{Kind: store.HumanAttention, IncidentID: &id, Service: "shop", CreatedAt: began})
	h.cycle(began, "completed")
	o := h.overview()
	due := morning.Add(-72*time.Hour + 55*time.Minute)
	if o.Verdict != NeedsHuman || o.StaleSince == nil || !o.StaleSince.Equal(began.Add(time.Minute)) || o.NextRun != nil || o.DueSince == nil || !o.DueSince.Equal(due) {
		t.Errorf("%s, stale since %v, next %v, due since %v", o.Verdict, o.StaleSince, o.NextRun, o.DueSince)
	}
	h.cycle(morning.Add(-time.Hour), "completed")
	if o := h.overview(); o.StaleSince != nil || o.DueSince != nil || o.NextRun == nil {
		t.Errorf("stale since %v, next %v, due since %v", o.StaleSince, o.NextRun, o.DueSince)
	}
}

// Whether most services were checked is judged by the services that are in the inventory now, except those that are left out on purpose or
// have no checks.
func TestWhereMostWasNotLookedAtNothingIsWell(t *testing.T) {
	const checked = ", checks: [{type: http, url: \"http://127.0.0.1/\"}]}\n"
	const window = ", maintenance: [{from: 2026-03-10T08:00:00Z, to: 2026-03-10T10:00:00Z}]"
	for _, c := range []struct {
		name, inventory string
		set             func(h *house)
		want            Verdict
	}{
		{"more than half was not", "- {name: a" + checked + "- {name: b" + checked + "- {name: c" + checked, nil, Unwatched},
		{"half was not", "- {name: a" + checked + "- {name: b" + checked, nil, AllWell},
		{"one of the others is unwell", "- {name: a" + checked + "- {name: b" + checked + "- {name: c" + checked, func(h *house) { h.found(morning, "b", check.Degraded) }, Trouble},
		{"the others are in maintenance", "- {name: a" + checked + "- {name: b" + window + checked + "- {name: c" + window + checked, nil, AllWell},
		{"the others are silenced", "- {name: a" + checked + "- {name: b" + checked + "- {name: c" + checked, func(h *house) {
			for _, name := range []string{"b", "c"} {
				_, _, err := h.store.AddSilence(h.t.Context(), store.Silence{Service: name, Until: morning.Add(time.Hour)})
				fine(h.t, err)
			}
		}, AllWell},
		{"a silence is over", "- {name: a" + checked + "- {name: b" + checked + "- {name: c" + checked, func(h *house) {
			_, _, err := h.store.AddSilence(h.t.Context(), store.Silence{Service: "b", Until: morning.Add(-time.Minute)})
			fine(h.t, err)
		}, Unwatched},
		{"the others have no checks", "- {name: a" + checked + "- {name: b}\n- {name: c}\n", nil, AllWell},
		{"the others are not there any more", "- {name: a" + checked, func(h *house) {
			h.found(morning.Add(-50*time.Hour), "b", check.Healthy)
			h.found(morning.Add(-50*time.Hour), "c", check.Healthy)
		}, AllWell},
		{"what was looked at is not of the inventory", "- {name: b" + checked, func(h *house) { h.found(morning, "d", check.Healthy) }, Unwatched},
		{"there is no inventory", "", func(h *house) {
			h.found(morning.Add(-50*time.Hour), "b", check.Healthy)
			h.found(morning.Add(-50*time.Hour), "c", check.Healthy)
		}, AllWell},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t)
			if c.inventory != "" {
				h.inv = got(inventory.Parse([]byte("services:\n" + c.inventory)))(t)
			}
			h.cycle(morning.Add(-time.Hour), "completed")
			h.found(morning.Add(-time.Hour), "a", check.Healthy)
			if c.set != nil {
				c.set(h)
			}
			if o := h.overview(); o.Verdict != c.want {
				t.Errorf("%q, want %q, of %v", o.Verdict, c.want, o.Counts)
			}
		})
	}
}

// An incident whose service is healthy again is recovering on every page.
func TestAnIncidentThatIsHealthyAgainIsRecoveringOnEachPage(t *testing.T) {
	h := newHouse(t)
	shop := got(h.store.Incident(t.Context(), h.incident("shop", check.Down, morning.Add(-time.Hour))))(t)
	h.incident("mail", check.Down, morning.Add(-time.Hour))
	shop.HealthySince = &morning
	fine(t, h.store.SaveIncident(t.Context(), shop))
	h.found(morning, "shop", check.Healthy)
	lines := slices.Concat(h.overview().Incidents, got(h.Incidents(t.Context(), store.IncidentFilter{}))(t).Incidents,
		got(h.Service(t.Context(), "shop", Day1))(t).Incidents, []IncidentLine{got(h.Incident(t.Context(), shop.ID))(t).IncidentLine})
	if len(lines) != 6 {
		t.Errorf("%d lines, want 6", len(lines))
	}
	for _, line := range lines {
		want := map[string]store.IncidentState{"shop": store.IncidentRecovering, "mail": store.IncidentOpen}[line.Service]
		if line.State != want || line.Status != check.Down {
			t.Errorf("%s is %s and was %s, want %s", line.Service, line.State, line.Status, want)
		}
	}
}

// An open incident whose checks cannot be made now is unknown on every page, as its service is.
func TestAnIncidentThatCannotBeCheckedIsUnknownOnEachPage(t *testing.T) {
	h := newHouse(t)
	id := h.incident("shop", check.Down, morning.Add(-time.Hour))
	h.found(morning, "shop", check.Unknown)
	lines := slices.Concat(h.overview().Incidents, got(h.Incidents(t.Context(), store.IncidentFilter{}))(t).Incidents,
		got(h.Service(t.Context(), "shop", Day1))(t).Incidents, []IncidentLine{got(h.Incident(t.Context(), id))(t).IncidentLine})
	for _, line := range lines {
		if line.State != store.IncidentOpen || line.Status != check.Unknown {
			t.Errorf("it is %s, %s", line.State, line.Status)
		}
	}
}

func TestAttentionIsWhatIsNotOver(t *testing.T) {
	h := newHouse(t)
	hour := func(n int) time.Time { return morning.Add(-time.Duration(n) * time.Hour) }
	open, slow, rehearsed, over := h.incident("shop", check.Down, hour(60)), h.incident("db", check.Degraded, hour(60)), h.incident("mail", check.Down, hour(60)), h.incident("dns", check.Down, hour(60))
	closed := got(h.store.Incident(t.Context(), over))(t)
	at := hour(5)
	closed.ClosedAt = &at
	fine(t, h.store.SaveIncident(t.Context(), closed))
	told := func(title string, kind store.Kind, incident int64, cause string, hours int) {
		n := store.Notification{Kind: kind, Cause: cause, Title: title, CreatedAt: hour(hours)}
		if incident != 0 {
			n.IncidentID = &incident
		}
		h.notify(n)
	}
	told("asked long ago", store.HumanAttention, open, "", 50)
	told("asked again", store.HumanAttention, open, "", 20)
	told("of an incident that is over", store.HumanAttention, over, "", 20)
	told("hiccup before a good cycle", store.AgentFailing, slow, "model_failed", 20)
	told("nothing is done about it", store.AgentFailing, rehearsed, "dry_run", 50)
	told("agents failed yesterday", store.AgentFailing, 0, "tier_failed", 30)
	told("before a good cycle", store.AgentFailing, 0, "nothing_watches", 12)
	told("after it", store.HumanAttention, 0, "budget", 9)
	told("recovered", store.Recovered, open, "", 1)
	h.cycle(hour(10), "completed")
	h.cycle(hour(8), "failed")

	titles := ""
	for _, a := range h.overview().Attention {
		titles += a.Title + "\n"
	}
	if diff := cmp.Diff("after it\nasked again\nnothing is done about it\n", titles); diff != "" {
		t.Error(diff)
	}
}

func TestOverviewSaysWhyChecksCannotBeMade(t *testing.T) {
	h := newHouse(t)
	h.cycle(morning.Add(-time.Hour), "completed")
	const denied = "no permission for the Docker engine"
	unknown := func(service string, of check.Type, why string) check.Result {
		return check.Result{Service: service, Type: of, Status: check.Unknown, Error: why}
	}
	fine(t, h.store.AddChecks(t.Context(), store.Reported, 0, morning.Add(-time.Minute), []check.Result{
		unknown("web", check.Container, denied), unknown("api", check.Container, denied), unknown("db", check.Database, ""),
		{Service: "shop", Type: check.HTTP, Status: check.Healthy}, unknown("shop", check.Container, denied),
	}))
	want := []Hole{{denied, []string{"api (container)", "shop (container)", "web (container)"}}, {"", []string{"db (database)"}}}
	if diff := cmp.Diff(want, h.overview().Holes); diff != "" {
		t.Error(diff)
	}
	h.found(morning.Add(-time.Second), "web", check.Healthy)
	h.found(morning.Add(-time.Second), "api", check.Down)
	h.found(morning.Add(-time.Second), "db", check.Healthy)
	h.found(morning.Add(-time.Second), "shop", check.Healthy)
	if holes := h.overview().Holes; len(holes) != 0 {
		t.Errorf("all were checked since: %+v", holes)
	}
}

func TestOverviewIsBoundedAndTheWorstComesFirst(t *testing.T) {
	h := newHouse(t)
	h.cycle(morning.Add(-time.Hour), "completed")
	for n := range 100 {
		service := fmt.Sprintf("service-%02d", n)
		status := check.Statuses()[n%3]
		h.found(morning.Add(-time.Minute), service, status)
		if n%2 == 0 {
			id := h.incident(service, check.Statuses()[1+n/2%2], morning.Add(-time.Duration(n)*time.Minute))
			h.notify(store.Notification{Kind: store.HumanAttention, IncidentID: &id, Service: service, CreatedAt: morning})
		}
	}
	h.found(morning.Add(-27*time.Hour), "forgotten", check.Down)
	o := h.overview()
	if len(o.Services) != 60 || len(o.Incidents) != 20 || len(o.Attention) != 20 || o.OpenIncidents != 50 {
		t.Errorf("%d services, %d of %d incidents, %d in attention", len(o.Services), len(o.Incidents), o.OpenIncidents, len(o.Attention))
	}
	if diff := cmp.Diff(map[string]int{"healthy": 34, "degraded": 33, "down": 33, "unknown": 1}, o.Counts); diff != "" {
		t.Error(diff)
	}
	for n, want := range map[int]check.Status{0: check.Down, 32: check.Down, 33: check.Degraded, 59: check.Degraded} {
		if o.Services[n].Status != want {
			t.Errorf("service %d is %s, want %s", n, o.Services[n].Status, want)
		}
	}
	if first := o.Incidents[0]; first.Status != check.Down || first.Service != "service-98" {
		t.Errorf("the first incident is %+v, want the oldest of those that are down", first)
	}
	if o.Services[0].Incident == nil && o.Services[1].Incident == nil {
		t.Error("no service has its incident")
	}
}

func TestProbesOverruleReports(t *testing.T) {
	h := newHouse(t)
	session := got(h.store.AddSession(t.Context(), store.Session{Tier: 1, Trigger: "cron", Status: store.Running}))(t)
	fine(t, h.store.AddChecks(t.Context(), store.Probed, session, morning.Add(-2*time.Minute), []check.Result{{Service: "shop", Type: check.HTTP, Status: check.Down}}))
	h.found(morning.Add(-time.Minute), "shop", check.Healthy)
	s := h.overview().Services[0]
	if s.Status != check.Down || !s.LastAt.Equal(morning.Add(-time.Minute)) {
		t.Errorf("%+v", s)
	}
}

func TestCosts(t *testing.T) {
	h := newHouse(t)
	h.at(morning.In(zone(t, "Europe/Berlin"))) // 10:00
	h.options.Config.DailyBudgetUSD, h.options.Config.Retention = 5, 14*24*time.Hour
	session := func(at time.Time, usd float64) {
		id := got(h.store.AddSession(t.Context(), store.Session{Tier: 1, Trigger: "cron", Status: store.Running, StartedAt: at}))(t)
		fine(t, h.store.EndSession(t.Context(), id, store.Session{Status: store.Completed, CostUSD: usd}))
	}
	session(time.Date(2026, 3, 9, 23, 0, 0, 0, time.UTC), 1)  // midnight in Berlin
	session(time.Date(2026, 3, 9, 22, 59, 0, 0, time.UTC), 2) // yesterday
	session(time.Date(2026, 3, 3, 23, 0, 0, 0, time.UTC), 4)  // the first of the week
	session(time.Date(2026, 3, 3, 22, 59, 0, 0, time.UTC), 8)
	session(time.Date(2026, 2, 8, 23, 0, 0, 0, time.UTC), 16) // the first of the month
	session(time.Date(2026, 2, 8, 22, 59, 0, 0, time.UTC), 32)
	c := h.overview().Cost
	if c.TodayUSD != 1 || c.WeekUSD != 7 || c.MonthUSD != 31 || c.KeptDays != 14 || c.BudgetUSD != 5 || *c.BudgetLeftUSD != 2 {
		t.Errorf("%+v", c)
	}
	want := map[int]DayCost{0: {"2026-02-09", 16}, 22: {"2026-03-03", 8}, 23: {"2026-03-04", 4}, 28: {"2026-03-09", 2}, 29: {"2026-03-10", 1}}
	for n, day := range want {
		if c.Days[n] != day {
			t.Errorf("day %d is %+v, want %+v", n, c.Days[n], day)
		}
	}
}

func TestNextRunIsTheEarliestOfTheSchedule(t *testing.T) {
	h := newHouse(t)
	fine(t, h.options.Config.Schedule.Decode("0 12 * * *; CRON_TZ=Asia/Tokyo 30 18 * * *"))
	if next := h.overview().NextRun; next == nil || !next.Equal(morning.Add(30*time.Minute)) {
		t.Errorf("%v, want half past nine", next)
	}
}

func TestSilencesAndWhatIsHeldBack(t *testing.T) {
	h := newHouse(t)
	inv, err := inventory.Parse([]byte(`services:
  - {name: db, checks: [{type: http, url: "http://db/"}]}
  - {name: shop, depends_on: [db], checks: [{type: http, url: "http://shop/"}]}
  - {name: blog, maintenance: [{from: 2026-03-10T08:00:00Z, to: 2026-03-10T10:00:00Z}], checks: [{type: http, url: "http://blog/"}]}
`))
	fine(t, err)
	h.inv = inv
	for service, status := range map[string]check.Status{"db": check.Down, "shop": check.Down, "mail": check.Healthy} {
		h.found(morning, service, status)
	}
	_, _, err = h.store.AddSilence(t.Context(), store.Silence{Service: "mail", Until: morning.Add(time.Hour)})
	fine(t, err)
	o := h.overview()
	held := map[string]string{}
	for _, s := range o.Services {
		held[s.Name] = s.Held
	}
	want := map[string]string{
		"db": "", "shop": "db, on which it depends, is down", "mail": "silenced until " + text.Moment(morning.Add(time.Hour)),
		"blog": "in maintenance until " + text.Moment(morning.Add(time.Hour)),
	}
	if diff := cmp.Diff(want, held); diff != "" {
		t.Error(diff)
	}
	if len(o.Silences) != 1 || o.Silences[0].Service != "mail" {
		t.Errorf("%+v", o.Silences)
	}
	for _, c := range got(h.Cooldowns(t.Context()))(t) {
		for _, l := range []state.Limit{c.Restart, c.Redeployment, got(h.Service(t.Context(), c.Service, Day1))(t).Cooldown.Restart} {
			if l.Held != want[c.Service] || l.Permitted != (l.Held == "") {
				t.Errorf("%s: %+v", c.Service, l)
			}
		}
	}
	if len(o.Cooldowns) != 0 {
		t.Errorf("what is held back uses no place: %+v", o.Cooldowns)
	}
}

func TestRunningSessionWhoseProcessIsThere(t *testing.T) {
	h := newHouse(t)
	root := got(h.store.AddSession(t.Context(), store.Session{Tier: 1, Trigger: "cron", Status: store.Escalated}))(t)
	fine(t, h.store.EndSession(t.Context(), got(h.store.AddSession(t.Context(), store.Session{Tier: 1, Trigger: "cron", Status: store.Running}))(t), store.Session{Status: store.Completed}))
	first := got(h.store.AddSession(t.Context(), store.Session{ParentID: &root, Tier: 2, Trigger: "escalation", Status: store.Running}))(t)
	second := got(h.store.AddSession(t.Context(), store.Session{ParentID: &first, Tier: 3, Trigger: "escalation", Status: store.Running}))(t)
	o := h.overview()
	if len(o.Running) != 2 || o.Running[0].Session.ID != first || o.Running[1].Session.ID != second {
		t.Errorf("%+v", o.Running)
	}
}

func TestOtherShardsServicesAreNotShown(t *testing.T) {
	h := newHouse(t)
	inv := got(inventory.Parse([]byte("services:\n  - {name: db, checks: [{type: http, url: \"http://db/\"}]}\n  - {name: shop, checks: [{type: http, url: \"http://shop/\"}]}\n")))(t)
	h.inv = inv.Part(func(service string) string {
		if service == "shop" {
			return "shard 2/2"
		}
		return ""
	})
	h.found(morning, "shop", check.Down)
	h.found(morning, "db", check.Healthy)
	id := h.incident("shop", check.Down, morning)
	h.notify(store.Notification{Kind: store.HumanAttention, IncidentID: &id, Service: "shop"})
	h.cycle(morning.Add(-time.Minute), "completed")
	o := h.overview()
	if len(o.Services) != 1 || o.Services[0].Name != "db" || o.OpenIncidents != 0 || len(o.Attention) != 0 || o.Verdict != AllWell {
		t.Errorf("%+v", o)
	}
}

func TestInventoryThatWasChangedIsReadAnew(t *testing.T) {
	h := houseIn(t, t.TempDir())
	path := filepath.Join(h.dir, "services.yaml")
	fine(t, os.WriteFile(path, []byte("services: []\n"), 0o600))
	h.options.Config.Inventory = path
	h.write()
	if names := h.services(); names != "" {
		t.Fatal(names)
	}
	text := "services:\n  - {name: db, checks: [{type: http, url: \"http://db/\"}]}\n"
	fine(t, os.WriteFile(path, []byte(text), 0o600))
	h.inv = got(inventory.Parse([]byte(text)))(t)
	if names := h.services(); names != "db" {
		t.Errorf("services %q, want the new one", names)
	}
}

func TestUndeliveredNotifications(t *testing.T) {
	h := newHouse(t)
	h.notify(store.Notification{Kind: store.AgentFailing, Cause: "x"})
	if o := h.overview(); o.PendingNotifications != 0 {
		t.Errorf("%d wait for nobody", o.PendingNotifications)
	} else if !o.NobodyTold {
		t.Error("it does not say that nobody is told")
	}
	h.options.Config.AppriseURLs = config.URLs{"json://localhost"}
	if o := h.overview(); o.PendingNotifications != 1 || o.NobodyTold {
		t.Errorf("%d wait, want 1", o.PendingNotifications)
	}
	if f := got(h.Figures(t.Context()))(t); f.PendingNotifications != 1 {
		t.Errorf("%d wait by the metrics, want 1", f.PendingNotifications)
	}
}

// While a cycle waits between its tiers, the first page says what for.
func TestWhatARunningCycleWaitsForIsOnTheFirstPage(t *testing.T) {
	h := newHouse(t)
	const waits = "waiting 20s for web to settle before checking it again"
	session := got(h.store.AddSession(t.Context(), store.Session{Tier: 2, Trigger: "cron", Status: store.Completed, StartedAt: morning.Add(-time.Minute)}))(t)
	fine(t, h.store.AddEvent(t.Context(), store.Event{SessionID: &session, Level: store.Info, Message: waits, CreatedAt: morning.Add(-time.Second)}))
	if o := h.overview(); o.LastEvent == nil || o.LastEvent.Message != waits {
		t.Errorf("the first page says %+v, want %q", o.LastEvent, waits)
	}
	h.cycle(morning, "completed")
	h.Changed()
	if o := h.overview(); o.LastEvent != nil {
		t.Errorf("the cycle is over, and the first page still says %q", o.LastEvent.Message)
	}
}

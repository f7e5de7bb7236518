package cycle

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// aided records first aid for a service, as a session of that time which works on an incident.
func (r *room) aided(i store.Incident, at time.Time) {
	r.t.Helper()
	session := store.Session{Tier: 2, Agent: store.FirstAid, Trigger: "cron", Status: store.Running, StartedAt: at}
	id, err := r.Store.AddSession(r.t.Context(), session)
	must(r.t, err)
	act := store.Act{
		ID: at.String(), SessionID: &id, Service: i.Service, Action: statefile.Restart, Error: store.InProgress,
		Tier: 2, CreatedAt: at,
	}
	must(r.t, r.Store.PutAct(r.t.Context(), act))
	must(r.t, r.Store.LinkSession(r.t.Context(), i.ID, id, "before", ""))
}

// What was done within the hour, with or without an outcome, and has not helped, counts as an attempt in the same
// incident.
func TestFirstAidThatWasGivenBefore(t *testing.T) {
	for name, tt := range map[string]struct {
		attempts    int
		at          []time.Duration // ago
		healthy     time.Duration   // ago; 0 for never
		given, next string          // as it is told; empty if there is an attempt left
	}{
		"never":                     {1, nil, 0, "", ""},
		"just now":                  {1, []time.Duration{time.Minute}, 0, "02:59", "03:59"},
		"just now, of two":          {2, []time.Duration{time.Minute}, 0, "", ""},
		"twice":                     {2, []time.Duration{30 * time.Minute, time.Minute}, 0, "02:59", "03:30"},
		"long ago":                  {1, []time.Duration{2 * time.Hour}, 0, "", ""},
		"healthy since":             {1, []time.Duration{30 * time.Minute}, 10 * time.Minute, "", ""},
		"healthy before":            {1, []time.Duration{10 * time.Minute}, 30 * time.Minute, "02:50", "03:50"},
		"by a clock that was ahead": {1, []time.Duration{-time.Minute}, 0, "03:01", "04:01"},
		"by a clock a year ahead":   {1, []time.Duration{-365 * 24 * time.Hour}, 0, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			i := r.opens("shop", earlier(3*time.Hour))
			for _, ago := range tt.at {
				r.aided(i, earlier(ago))
			}
			if tt.healthy != 0 {
				found := []check.Result{result("shop", check.Healthy)}
				must(t, r.Store.AddChecks(t.Context(), store.Probed, 0, earlier(tt.healthy), found))
			}
			now, err := r.picture(t.Context())
			must(t, err)
			aid := inventory.FirstAid{Attempts: tt.attempts}
			p := planner{Round: Round{Now: now}}
			why := p.aidedBefore(&inventory.Service{Name: "shop", FirstAid: aid})
			want := ""
			if tt.given != "" {
				want = fmt.Sprintf("it was given at 2026-11-21 %s UTC, and no check has found it healthy since; "+
					"next try after 2026-11-21 %s UTC", tt.given, tt.next)
			}
			wantSame(t, why, want)
		})
	}
}

// Used-up restarts hold back first aid that restarts, and not an action.
func TestTheLimitOfFirstAid(t *testing.T) {
	r := newRoom(t)
	inv, err := inventory.Parse([]byte(`services:
  - {name: shop, checks: [{type: service, disk: /}], restart: {run: [/bin/true]}, actions: {again: {run: [/bin/true]}}, first_aid: {}}
`))
	must(t, err)
	r.Inventory = inv
	r.opens("shop", earlier(time.Minute))
	r.Config.Agent.SessionID, r.Config.Agent.Tier = r.ran(2, earlier(time.Hour), store.Completed, 0, "").ID, 2
	for _, id := range []string{"one", "two"} {
		must(t, r.reserve(id, statefile.Restart))
		must(t, r.Complete(t.Context(), id, "", time.Second))
	}
	now, err := r.picture(t.Context())
	must(t, err)
	now.Service("shop").Checks = found("shop", check.Down).Checks
	p := planner{Round: Round{Now: now, Run: &tierRun{}}}
	s := inv.Services[0]
	wantSame(t, strings.HasPrefix(p.noFirstAid(&s), "its limit is reached: "), true)
	s.FirstAid.Do = "again"
	wantSame(t, p.noFirstAid(&s), "")
}

// RULE "First aid": what follows is told what was done and what the checks after it say, or why nothing was done.
func TestPlanAidGiven(t *testing.T) {
	const did = "linked: first aid: `docker restart web` succeeded"
	restarts := func(p *planner) { p.Acts = []store.Act{{Service: "web", Detail: "docker restart web", Success: true}} }
	for want, is := range map[string]func(p *planner){
		"no first aid for web: it is silenced": func(p *planner) { p.Run.outcome.Response = "claudeops: not run: it is silenced" },
		"no first aid for web: proposal 3 waits for a person until 2026-11-21 04:00 UTC": func(p *planner) {
			p.Now.Service("web").Proposal = &store.Proposal{ID: 3, ExpiresAt: night.Add(time.Hour)}
		},
		"no first aid for web: terminated": func(p *planner) {
			p.Run.outcome = tiers.Outcome{Ending: tiers.Interrupted, Reason: "terminated"}
		},
		did + "; the checks after it find it healthy": func(p *planner) { restarts(p); p.is("web", check.Healthy) },
		did + "; the checks after it do not find it healthy; warning": func(p *planner) {
			restarts(p)
			p.is("web", check.Down)
		},
		did + "; it is not known whether it helped": func(p *planner) { restarts(p); p.Run.unproven = true },
	} {
		t.Run(want, func(t *testing.T) {
			p := desktop(t)
			p.Run.services, p.Run.outcome.Ending = []string{"web"}, tiers.Completed
			is(p)
			p.Kind = AidGiven
			steps := Plan(p.Round).steps
			got := strings.Join(words(steps), "; ")
			if _, warned := steps[0].(note); warned {
				got += "; warning"
			}
			wantSame(t, got, want)
		})
	}
}

package cycle

import (
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// observes is a cycle whose Tier 1 has completed and reported these results.
func (r *room) observes(at time.Time, results ...check.Result) *tierRun {
	r.t.Helper()
	r.again(at)
	r.begin()
	run := r.begins(1)
	run.outcome.Ending = tiers.Completed
	must(r.t, r.Store.AddChecks(r.t.Context(), store.Reported, run.session.ID, r.now, results))
	must(r.t, r.takeChecks(r.t.Context(), run))
	must(r.t, r.completeHandoff(r.t.Context(), run))
	must(r.t, r.Store.EndSession(r.t.Context(), run.session.ID, store.Session{Status: store.Completed, EndedAt: new(r.now)}))
	return run
}

// An incident whose service is no longer reported is closed once what was found of it counts no longer, and people are told, once.
func TestAnIncidentThatIsNoLongerReportedIsClosed(t *testing.T) {
	mail := result("mail", check.Healthy)
	shopChecked := "services: [{name: mail}, {name: shop, checks: [{type: service, address: '127.0.0.1:1'}]}]"
	for name, tt := range map[string]struct {
		closed bool
		before func(*room)
		says   []check.Result // reported in each cycle
	}{
		"another service is reported": {true, nil, []check.Result{mail}},
		"it cannot be checked":        {false, nil, []check.Result{mail, result("shop", check.Unknown)}},
		"nothing is reported":         {false, nil, nil},
		"alerts start the cycles":     {false, func(r *room) { r.Trigger = store.ByAlert }, []check.Result{mail}},
		"a person asks of others":     {false, func(r *room) { r.Config.Services = []string{"mail"} }, []check.Result{mail}},
		"it is silenced": {false, func(r *room) {
			_, _, err := r.Silence(r.t.Context(), "shop", 30*24*time.Hour, "", "")
			must(r.t, err)
		}, []check.Result{mail}},
		"another shard has it": {true, func(r *room) {
			inv, err := inventory.Parse([]byte(shopChecked))
			must(r.t, err)
			r.Inventory = inv.Part(func(name string) string { return map[string]string{"shop": "shard 2/2"}[name] })
		}, []check.Result{mail}},
		"the program checks it": {false, func(r *room) {
			var err error
			r.Inventory, err = inventory.Parse([]byte(shopChecked))
			must(r.t, err)
		}, []check.Result{mail}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			i := r.opens("shop", night)
			r.finds(map[string]string{"shop": "HTTP 502"})
			if tt.before != nil {
				tt.before(r)
			}
			var closed []int
			for hours := 20; hours <= 30; hours += 2 {
				must(t, r.recordEvaluations(t.Context(), r.observes(night.Add(time.Duration(hours)*time.Hour), tt.says...)))
				now, err := r.Store.Incident(t.Context(), i.ID)
				must(t, err)
				if now.ClosedAt != nil {
					closed = append(closed, hours)
				}
			}
			var told []string
			for _, n := range r.told(store.AgentFailing) {
				if n.Service == "shop" && strings.HasPrefix(n.Cause, "not_reported: ") {
					told = append(told, n.Title)
				}
			}
			if !tt.closed {
				wantSame(t, len(closed)+len(told), 0)
				return
			}
			wantSame(t, closed, []int{28, 30}) // state.DayLasts is 26 h
			wantSame(t, told, []string{"shop is no longer reported"})
			last, err := r.Store.Incident(t.Context(), i.ID)
			must(t, err)
			wantSame(t, last.ComesBack(r.now), false)
		})
	}
}

// A cycle in which Tier 1 fails does not count, whatever stands in for it.
func TestACycleThatFailsReportsNothing(t *testing.T) {
	r := newRoom(t)
	r.opens("shop", night)
	failed := r.observes(night.Add(48*time.Hour), result("mail", check.Healthy))
	failed.outcome.Ending, failed.checks = tiers.Failed, nil
	must(t, r.recordEvaluations(t.Context(), failed))
	if open, err := r.Store.OpenIncidents(t.Context()); err != nil || open["shop"].ID == 0 {
		t.Errorf("open are %v, %v", open, err)
	}
}

// Where only a model watches, a Tier 1 that reports nothing is a fault of the watch, told once a day.
func TestATier1ThatReportsNothingIsTold(t *testing.T) {
	const checked, unchecked = "{name: shop, checks: [{type: service, address: '127.0.0.1:1'}]}", "{name: mail}"
	shop := result("shop", check.Healthy)
	for name, tt := range map[string]struct {
		services string // of the services file; empty: there is none
		change   func(*tierRun)
		told     bool
	}{
		"without a services file":       {"", func(*tierRun) {}, true},
		"with a service without checks": {checked + ", " + unchecked, func(*tierRun) {}, true},
		"everything has checks":         {checked, func(*tierRun) {}, false},
		"a shard without services":      {" ", func(*tierRun) {}, false},
		"it has reported":               {"", func(run *tierRun) { run.checks = []store.Check{{Result: shop, Source: store.Reported}} }, false},
		"only the program has looked":   {"", func(run *tierRun) { run.checks = []store.Check{{Result: shop, Source: store.Probed}} }, true},
		"it failed":                     {"", func(run *tierRun) { run.outcome.Ending = tiers.Failed }, false},
		"the checks are Tier 1":         {"", func(run *tierRun) { run.session.Agent = agentProbe }, false},
		"its handoff could not be read": {"", func(run *tierRun) { run.invalid = true }, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			if tt.services != "" {
				inv, err := inventory.Parse([]byte("services: [" + tt.services + "]"))
				must(t, err)
				r.Inventory = inv
			}
			for range 2 {
				run := newRun(1, agentClaude, nil)
				run.session = r.ran(1, r.now, store.Completed, 0, "")
				run.session.Agent = agentClaude
				run.outcome = tiers.Outcome{Ending: tiers.Completed, Response: "I looked.\nnginx is DOWN, see http://evil.example/x"}
				tt.change(run)
				_, err := r.plan(t.Context(), Observed, run, func(round *Round) { round.SaidNothing = r.saidNothing(run) })
				must(t, err)
			}
			if !tt.told {
				wantSame(t, len(r.told(store.AgentFailing)), 0)
				return
			}
			r.wantTold(store.AgentFailing, "Tier 1 reported nothing", `Tier 1 ended without a valid report, so nothing is known of services without checks in the services file.

- its words, which start nothing: I looked. nginx is DOWN, see http[:]//evil[.]example/x

Everything: `+"`claudeops sessions show 1`")
		})
	}
}

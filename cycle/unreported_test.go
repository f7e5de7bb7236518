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
	must(r.t, r.Store.AddChecks(r.t.Context(), &run.session.ID, r.now, results))
	must(r.t, r.completeHandoff(r.t.Context(), run))
	must(r.t, r.Store.EndSession(r.t.Context(), run.session.ID, store.SessionEnd{Status: store.Completed, EndedAt: r.now}))
	return run
}

// An incident whose service is no longer reported is closed after 6 cycles and 6 h, whichever is later, and people are told, once.
func TestAnIncidentThatIsNoLongerReportedIsClosed(t *testing.T) {
	mail := result("mail", check.Healthy)
	for name, tt := range map[string]struct {
		apart  time.Duration
		cycles int // which it takes; 0: it is not closed in 12
		before func(*room)
		says   []check.Result // reported in each cycle
	}{
		"a cycle an hour":         {time.Hour, 6, nil, []check.Result{mail}},
		"two cycles an hour":      {30 * time.Minute, 12, nil, []check.Result{mail}},
		"a cycle a day":           {24 * time.Hour, 6, nil, []check.Result{mail}},
		"it cannot be checked":    {time.Hour, 0, nil, []check.Result{mail, result("shop", check.Unknown)}},
		"nothing is reported":     {time.Hour, 0, nil, nil},
		"alerts start the cycles": {time.Hour, 0, func(r *room) { r.Trigger = store.ByAlert }, []check.Result{mail}},
		"a person asks of others": {time.Hour, 0, func(r *room) { r.Asked.Services = []string{"mail"} }, []check.Result{mail}},
		"it is silenced": {time.Hour, 0, func(r *room) {
			_, _, err := r.Silence(r.t.Context(), "shop", 30*24*time.Hour, "", "")
			must(r.t, err)
		}, []check.Result{mail}},
		"another shard has it": {time.Hour, 6, func(r *room) {
			inv, err := inventory.Parse([]byte("services: [{name: mail}, {name: shop, checks: [{type: service, address: '127.0.0.1:1'}]}]"))
			must(r.t, err)
			r.Inventory = inv.Part(func(name string) string { return map[string]string{"shop": "shard 2/2"}[name] })
		}, []check.Result{mail}},
		"the program checks it": {time.Hour, 0, func(r *room) {
			var err error
			r.Inventory, err = inventory.Parse([]byte("services: [{name: mail}, {name: shop, checks: [{type: service, address: '127.0.0.1:1'}]}]"))
			must(r.t, err)
		}, []check.Result{mail}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			i := r.opens("shop", night)
			if tt.before != nil {
				tt.before(r)
			}
			closed := 0
			for n := 1; n <= 12; n++ {
				must(t, r.recordEvaluations(t.Context(), r.observes(night.Add(time.Duration(n)*tt.apart), tt.says...)))
				now, err := r.Store.Incident(t.Context(), i.ID)
				must(t, err)
				if now.ClosedAt != nil && closed == 0 {
					closed = n
				}
			}
			wantSame(t, closed, tt.cycles)
			var told []string
			for _, n := range r.told(store.AgentFailing) {
				if n.Service == "shop" && strings.HasPrefix(n.Cause, "not_reported: ") {
					told = append(told, n.Title)
				}
			}
			if tt.cycles == 0 {
				wantSame(t, told, []string(nil))
				return
			}
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
	for n := 1; n <= 5; n++ {
		must(t, r.recordEvaluations(t.Context(), r.observes(night.Add(time.Duration(n)*time.Hour), result("mail", check.Healthy))))
	}
	failed := r.observes(night.Add(6 * time.Hour))
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
				_, err := r.plan(t.Context(), Observed, run, func(round *Round) { round.SaidNothing = r.silence(run) })
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

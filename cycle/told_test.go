package cycle

import (
	"cmp"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// chainOf returns a tier that has ended, in a cycle that found shop and db down, each with an incident.
func chainOf(t *testing.T, tier int, o tiers.Outcome) (*room, *tierRun) {
	t.Helper()
	r := newRoom(t)
	r.finds(map[string]string{"shop": "HTTP 502", "db": "refused"})
	r.opens("shop", earlier(2*time.Hour))
	r.opens("db", earlier(time.Hour))
	done := newRun(tier, agentClaude, nil)
	done.session = r.ran(tier, earlier(4*time.Minute), store.Completed, 0.32, "")
	done.services, done.outcome = []string{"shop", "db"}, o
	return r, done
}

// For each cause of a request for a human: what the owner of one of two services reads first.
func TestEachServiceIsToldItsOwnReason(t *testing.T) {
	both := []string{"shop", "db"}
	decided := func(is ...func(p *planner)) func(*room, *tierRun) error {
		return func(r *room, done *tierRun) error {
			return r.plans(done, func(p *planner) {
				for _, set := range is {
					set(p)
				}
				p.askChain(both, p.decide(done.session.Tier, both))
			})
		}
	}
	ended := func(r *room, done *tierRun) error { return r.ends(done) }
	configured := func(change func(r *room), do func(*room, *tierRun) error) func(*room, *tierRun) error {
		return func(r *room, done *tierRun) error {
			change(r)
			return do(r, done)
		}
	}
	const waits = ". claudeops tries again after 2026-11-21 04:00 UTC, or as soon as it changes."
	const agentWaits = ". claudeops goes on watching, and tries again when an agent can be started."
	for name, tt := range map[string]struct {
		tier     int
		outcome  tiers.Outcome
		do       func(*room, *tierRun) error
		shop, db string // reasons; an empty db means the same as shop
	}{
		"maximum tier": {2, tiers.Outcome{}, configured(func(r *room) { r.Config.MaxTier = 2 }, decided()),
			"An agent of Tier 3 would look into it, but CLAUDEOPS_MAX_TIER is 2" + waits, ""},
		"only Tier 1": {1, tiers.Outcome{}, configured(func(r *room) { r.Config.MaxTier = 1 }, decided()),
			"An agent would look into it, but CLAUDEOPS_MAX_TIER is 1. claudeops goes on watching, and does nothing else.", ""},
		"dry run": {1, tiers.Outcome{}, configured(func(r *room) { r.Config.DryRun = true }, decided()),
			"Dry run: nothing is done about it.", ""},
		"Tier 3 handed off": {3, tiers.Outcome{}, decided(), "Tier 3, the last, could not resolve it either" + waits, ""},
		"no model": {1, tiers.Outcome{}, configured(func(r *room) { r.NoModel = "exec: not found" }, decided()),
			"No agent can be started: `claudeops doctor` says why" + agentWaits, ""},
		"no credential": {1, tiers.Outcome{}, configured(func(r *room) {
			r.NoModel, r.Config.ClaudeBin = "no credential for the agent program", "/bin/sh"
		}, decided()),
			"No agent can be started: `claudeops doctor` says why" + agentWaits, ""},
		"budget": {1, tiers.Outcome{}, configured(func(r *room) { r.Config.DailyBudgetUSD = 0.3 }, decided()),
			"An agent would look into it, but CLAUDEOPS_DAILY_BUDGET_USD is spent. claudeops tries again after 2026-11-22 02:56 UTC, or with a larger budget.", ""},
		"limits used up": {1, tiers.Outcome{}, decided(func(p *planner) { p.usesUp(both...) }), limitsUsedUp + waits, ""},
		"limits used up, and waiting": {1, tiers.Outcome{},
			decided(func(p *planner) {
				p.usesUp("shop")
				p.Now.Service("db").Incident.RetryAt = new(night.Add(time.Hour))
			}),
			limitsUsedUp + waits, "It is as it was when people were asked" + waits},
		"a tier failed": {2, tiers.Outcome{Ending: tiers.TimedOut, Reason: "no end after 20m0s"}, ended,
			"Tier 2 looked at it and timed out: no end after 20m0s" + waits, ""},
		"an invalid handoff of Tier 2": {2, tiers.Outcome{Ending: tiers.Completed},
			func(r *room, done *tierRun) error {
				done.invalid = true
				return ended(r, done)
			}, "Tier 2 looked at it and asked for help in a form that could not be read" + waits, ""},
		"not healthy after it": {3, tiers.Outcome{Ending: tiers.Completed},
			func(r *room, done *tierRun) error {
				r.now = r.now.Add(time.Millisecond)
				must(r.t, r.Store.AddChecks(r.t.Context(), store.Reported, done.session.ID, r.now, []check.Result{
					{Service: "shop", Type: check.HTTP, Status: check.Down, Error: "HTTP 503"}, {Service: "db", Type: check.Database, Status: check.Degraded}}))
				return ended(r, done)
			},
			"Tier 3 ended, and the checks after it find it still down" + waits,
			"Tier 3 ended, and the checks after it find it still degraded" + waits},
	} {
		t.Run(name, func(t *testing.T) {
			r, done := chainOf(t, tt.tier, tt.outcome)
			must(t, tt.do(r, done))
			got := map[string]string{}
			for _, n := range append(r.told(store.HumanAttention), r.told(store.AgentFailing)...) {
				if n.Service == "" {
					continue // the budget itself
				}
				lines := strings.SplitN(n.Body, "\n", 3)
				got[n.Service] = lines[1]
				if want := n.Service + " is down and needs human attention"; !strings.HasPrefix(n.Title, want) || !strings.HasPrefix(lines[0], n.Service+" is down since 2026-11-21 0") {
					t.Errorf("it begins %q, %q", n.Title, lines[0])
				}
			}
			wantSame(t, got, map[string]string{"shop": tt.shop, "db": cmp.Or(tt.db, tt.shop)})
		})
	}
}

// What the message about each event is called, and what it says of it.
func TestWhatPeopleRead(t *testing.T) {
	inRoom := func(do func(*room, *tierRun) error) func(t *testing.T) (*room, error) {
		return func(t *testing.T) (*room, error) {
			t.Helper()
			r := newRoom(t)
			r.finds(map[string]string{"shop": "HTTP 502"})
			done := newRun(1, agentProbe, nil)
			done.session = r.ran(1, r.now, store.Completed, 0, "")
			return r, do(r, done)
		}
	}
	for name, tt := range map[string]struct {
		do          func(*testing.T) (*room, error)
		kind        store.Kind
		title, says string
	}{
		"TwoHollowFixesAreTold": {inRoom(func(r *room, done *tierRun) error {
			i := r.opens("shop", earlier(2*time.Hour))
			i.Fingerprint, i.HollowFixes, i.LastChain = r.service("shop").Fingerprint(), 1, store.ChainSolved
			must(r.t, r.Store.SaveIncident(r.t.Context(), i))
			return r.plansFound(done)
		}), store.HumanAttention, "shop is down and needs human attention: HTTP 502",
			"Agents called it solved 2 times in a row, and it is as before. claudeops tries again after 2026-11-21 04:00 UTC"},
		// If Tier 1 fails, no agent examines what is down: people are notified of each service, as a fault of the monitoring.
		"WhatNobodyLooksAtIsTold": {inRoom(func(r *room, done *tierRun) error {
			r.opens("shop", earlier(2*time.Hour))
			return r.plans(done, func(p *planner) { p.askUnwell(p.unwell(), notify.ModelFailed, "Tier 1 failed: out of credit") })
		}), store.AgentFailing, "shop is down and needs human attention: HTTP 502",
			"No agent looks at it: Tier 1 failed: out of credit. The next cycle tries again."},
		"AnInvalidHandoffIsTold": {inRoom(func(r *room, done *tierRun) error {
			return r.badHandoff(r.t.Context(), done, &strict.InvalidError{Faults: []string{"recommended_tier: missing", "services_affected: empty, with hunter22"}})
		}), store.HumanAttention, "Tier 1 left an invalid handoff",
			"- recommended_tier: missing\n- services_affected: empty, with [redacted]\n"},
		"EachFailureIsALine": {func(t *testing.T) (*room, error) {
			t.Helper()
			r, done := newRoom(t), newRun(1, "", nil)
			for i := range 3 {
				done.session = r.ran(1, earlier(time.Duration(3-i)*time.Hour), store.Failed, 0, "the agent exited with 1 and no result event")
			}
			return r, r.plans(done, (*planner).planFailures)
		}, store.AgentFailing, "claudeops cannot watch", `
- session 3 at 2026-11-21 02:00 UTC: failed: the agent exited with 1 and no result event
- session 2 at 2026-11-21 01:00 UTC: failed: the agent exited with 1 and no result event
- session 1 at `},
		"ASpentBudgetIsTold": {func(t *testing.T) (*room, error) {
			t.Helper()
			r := newRoom(t)
			r.Config.DailyBudgetUSD = 2
			r.ran(2, earlier(20*time.Hour), store.Completed, 1.5, "")
			r.ran(1, earlier(10*time.Hour), store.Completed, 0.1, "")
			r.ran(2, earlier(5*time.Hour), store.Completed, 0.5, "")
			return r, r.plans(&tierRun{}, func(p *planner) { p.add(overBudget(p.Now, 3)...) })
		}, store.HumanAttention, "The day's budget is spent", `The last 24 h have cost CLAUDEOPS_DAILY_BUDGET_USD ($2.00): Tier 3 was not started.

- models start again after 2026-11-21 07:00 UTC, or with a larger budget
`},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := tt.do(t)
			must(t, err)
			if told := r.told(tt.kind); len(told) != 1 || told[0].Title != tt.title || !strings.Contains(told[0].Body, tt.says) {
				t.Errorf("told %+v, want %q and %q", told, tt.title, tt.says)
			}
		})
	}
}

func TestThreeFailuresInARowAreTold(t *testing.T) {
	for name, tt := range map[string]struct {
		stoodIn         bool
		kind            store.MessageType
		title, watching string
	}{
		"nobody watches": {false, store.FailureMessage, "claudeops cannot watch", "nothing is being watched"},
		"the probes watch": {true, store.WarningMessage, "The agent of claudeops failed in 3 cycles in a row",
			"the program's own checks watch in its place, and nothing is investigated"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			done := newRun(1, "", nil)
			done.stoodIn = tt.stoodIn
			r.ran(1, earlier(4*time.Hour), store.Completed, 0, "")
			for i, s := range []store.Status{store.Failed, store.Failed, store.TimedOut} {
				must(t, r.plans(done, (*planner).planFailures))
				wantSame(t, len(r.told(store.AgentFailing)), 0)
				fault := "out of credit"
				if s == store.TimedOut {
					fault = "no end after 10m0s"
				}
				done.session = r.ran(1, earlier(time.Duration(3-i)*time.Hour), s, 0, fault)
			}
			must(t, r.plans(done, (*planner).planFailures))
			told := r.told(store.AgentFailing)[0]
			wantSame(t, []any{told.Title, told.Type}, []any{tt.title, tt.kind})
			for _, says := range []string{
				"Tier 1 failed in the last 3 cycles: " + tt.watching + ".",
				"- session 4 at 2026-11-21 02:00 UTC: timed out: no end after 10m0s\n- session 3 at ",
			} {
				if !strings.Contains(told.Body, says) {
					t.Errorf("nothing says %q:\n%s", says, told.Body)
				}
			}
		})
	}
}

// That nothing watches any more is news, although people know that the agent fails.
func TestThatItGetsWorseIsTold(t *testing.T) {
	r := newRoom(t)
	done := newRun(1, "", nil)
	for range 3 {
		done.session = r.ran(1, r.now, store.Failed, 0, "x")
	}
	done.stoodIn = true
	must(t, r.plans(done, (*planner).planFailures))
	done.stoodIn = false
	must(t, r.plans(done, (*planner).planFailures))
	must(t, r.plans(done, (*planner).planFailures))
	var titles []string
	for _, n := range r.told(store.AgentFailing) {
		titles = append(titles, string(n.Type)+" "+n.Title)
	}
	wantSame(t, titles, []string{"warning The agent of claudeops failed in 3 cycles in a row", "failure claudeops cannot watch"})
}

// A dry run is told of once a day, by every cycle's summary, and makes no dead end.
func TestTroubleInADryRunIsTold(t *testing.T) {
	r, done := chainOf(t, 1, tiers.Outcome{Ending: tiers.Completed})
	r.Config.DryRun = true
	for hour := range 25 {
		r.again(night.Add(time.Duration(hour+1) * time.Hour))
		r.finds(map[string]string{"shop": "HTTP 502"})
		done.services, done.handoff = []string{"shop"}, &handoff.Handoff{ServicesAffected: []string{"shop"}}
		r.summary = Summary{StartedAt: r.now}
		next, err := r.follow(t.Context(), done)
		must(t, err)
		must(t, r.conclude(t.Context()))
		wantSame(t, next, 0)
		wantSame(t, r.summary.Attention, []Attention{{Service: "shop", Reason: "escalation to Tier 2 suppressed: dry run"}})
		wantSame(t, len(r.told(store.AgentFailing)), 1+hour/24)
	}
	open, err := r.Store.OpenIncidents(t.Context())
	must(t, err)
	if i := open["shop"]; i.DeadEnds != 0 || i.RetryAt != nil {
		t.Errorf("the incident waits: %+v", i)
	}
	n := r.told(store.AgentFailing)[0]
	wantSame(t, n.Cause, "dry_run")
}

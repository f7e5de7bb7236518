package cycle

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

func TestDecide(t *testing.T) {
	later := night.Add(2 * time.Hour)
	waits := func(p *planner, service string, until time.Time) {
		p.incidentOf(service, func(i *store.Incident) { i.RetryAt, i.DeadEnds, i.LastChain = &until, 1, store.ChainAttention })
	}
	maxTier := func(tier int) func(*planner) { return func(p *planner) { p.Now.Config.MaxTier = tier } }
	both := []string{"shop", "db"}
	for name, test := range map[string]struct {
		tier   int
		is     func(p *planner)
		next   int
		cause  notify.Cause
		waits  bool
		reason string
	}{
		"SPEC0016 supervisor spawns Tier 2 from handoff":   {1, nil, 2, "", false, "Tier 2 started for shop and db"},
		"SPEC0016 supervisor spawns Tier 3 from handoff":   {2, nil, 3, "", false, "Tier 3 started for shop and db"},
		"SPEC0016 dry run prevents escalation":             {1, func(p *planner) { p.Now.Config.DryRun = true }, 0, notify.DryRun, false, "suppressed: dry run"},
		"SPEC0016 maximum tier limit enforced":             {2, maxTier(2), 0, notify.TierLimit, false, "blocked: CLAUDEOPS_MAX_TIER is 2"},
		"SPEC0016 maximum tier 1":                          {1, maxTier(1), 0, notify.TierLimit, false, "blocked: CLAUDEOPS_MAX_TIER is 1"},
		"SPEC0016 chain terminates at Tier 3":              {3, nil, 0, notify.Unresolved, false, "no further tier"},
		"a Tier 3 handoff needs a human even in a dry run": {3, func(p *planner) { p.Now.Config.DryRun = true }, 0, notify.Unresolved, false, "no further tier"},
		"no money left": {1, func(p *planner) {
			p.Now.Config.DailyBudgetUSD, p.Now.CostUSD = 1, 1
		}, 0, notify.NoBudget, false, "CLAUDEOPS_DAILY_BUDGET_USD"},
		"money left":            {1, func(p *planner) { p.Now.Config.DailyBudgetUSD, p.Now.CostUSD = 1, 0.5 }, 2, "", false, "Tier 2 started"},
		"no model can be asked": {1, func(p *planner) { p.NoModel = "no credential" }, 0, notify.NoAgent, false, "no credential"},
		"it is not known what was done today": {1, func(p *planner) {
			p.Now.CountLost = earlier(time.Hour)
			waits(p, "shop", later)
			waits(p, "db", later)
		}, 0, notify.CountLost, false, "not known what was done in the last 24 h"},
		"every affected service used up": {1, func(p *planner) { p.usesUp(both...) }, 0, notify.LimitsUsedUp, false, "no restart and no redeployment"},
		"one of two used up":             {1, func(p *planner) { p.usesUp("shop") }, 2, "", false, "Tier 2 started"},
		"every incident waits": {1, func(p *planner) {
			waits(p, "shop", later.Add(-time.Hour))
			waits(p, "db", later)
		}, 0, "", true, "2026-11-21 05:00 UTC"},
		"one new incident beside one that waits": {1, func(p *planner) { waits(p, "shop", later) }, 2, "", false, "Tier 2 started"},
		"one waits, the other is used up": {1, func(p *planner) {
			p.usesUp("db")
			waits(p, "shop", later)
		}, 0, notify.LimitsUsedUp, false, "used up or waits"},
		"one waits that is used up too": {1, func(p *planner) {
			p.usesUp(both...)
			waits(p, "shop", later)
			waits(p, "db", later)
		}, 0, "", true, "next try after"},
	} {
		t.Run(name, func(t *testing.T) {
			p := desktop(t)
			if test.is != nil {
				test.is(p)
			}
			v := p.decide(test.tier, both)
			if v.next != test.next || v.Cause != test.cause || v.waits != test.waits {
				t.Errorf("next %d cause %q waits %t, want %d %q %t", v.next, v.Cause, v.waits, test.next, test.cause, test.waits)
			}
			if !strings.Contains(v.reason, test.reason) {
				t.Errorf("reason %q does not say %q", v.reason, test.reason)
			}
		})
	}
}

// usesUp uses up both limits of services.
func (p *planner) usesUp(services ...string) {
	for _, name := range services {
		for n, action := range []statefile.Action{statefile.Restart, statefile.Restart, statefile.Redeployment} {
			p.Now.File.Add(name, action, statefile.Record{ID: fmt.Sprint(name, n), Timestamp: statefile.At(night), Success: true})
		}
	}
}

// A service whose max_tier is below the next tier is taken off the handoff, and people are told; the others go on.
func TestMaxTierOfAService(t *testing.T) {
	r := newRoom(t)
	var err error
	r.Inventory, err = inventory.Parse([]byte("services: [{name: shop, max_tier: 1}, {name: db, max_tier: 2}]"))
	must(t, err)
	r.finds(map[string]string{"shop": "HTTP 502", "db": "HTTP 503"})
	done := r.begins(1)
	done.handoff = &handoff.Handoff{ServicesAffected: []string{"shop", "db"}}
	done.services = []string{"shop", "db"}
	must(t, r.plans(done, func(p *planner) {
		p.handoff, p.services = done.handoff, done.services
		p.leaveLimited()
		wantSame(t, p.handoff.ServicesAffected, []string{"db"})
		wantSame(t, p.services, []string{"db"})
	}))
	told := r.told(store.HumanAttention)
	if len(told) != 1 || told[0].Service != "shop" || !strings.Contains(told[0].Body, "An agent would look into it, but its max_tier is 1") {
		t.Errorf("%+v", told)
	}
}

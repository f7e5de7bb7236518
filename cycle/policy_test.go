package cycle

import (
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

func TestDecide(t *testing.T) {
	later := time.Date(2026, 2, 16, 12, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		s         situation
		next      int
		attention notify.Cause
		waits     bool
		reason    string
	}{
		"SPEC0016 supervisor spawns Tier 2 from handoff": {
			situation{tier: 1, maxTier: 3}, 2, "", false, "Tier 2 started for shop and db"},
		"SPEC0016 supervisor spawns Tier 3 from handoff": {
			situation{tier: 2, maxTier: 3}, 3, "", false, "Tier 3 started for shop and db"},
		"SPEC0016 dry run prevents escalation": {
			situation{tier: 1, maxTier: 3, dryRun: true}, 0, notify.DryRun, false, "suppressed: dry run"},
		"SPEC0016 maximum tier limit enforced": {
			situation{tier: 2, maxTier: 2}, 0, notify.TierLimit, false, "blocked: CLAUDEOPS_MAX_TIER is 2"},
		"SPEC0016 maximum tier 1": {
			situation{tier: 1, maxTier: 1}, 0, notify.TierLimit, false, "blocked: CLAUDEOPS_MAX_TIER is 1"},
		"SPEC0016 chain terminates at Tier 3": {
			situation{tier: 3, maxTier: 3}, 0, notify.Unresolved, false, "no further tier"},
		"a Tier 3 handoff needs a human even in a dry run": {
			situation{tier: 3, maxTier: 3, dryRun: true}, 0, notify.Unresolved, false, "no further tier"},
		"no money left": {
			situation{tier: 1, maxTier: 3, overSpent: true}, 0, notify.NoBudget, false, "CLAUDEOPS_DAILY_BUDGET_USD"},
		"it is not known what was done today": {
			situation{tier: 1, maxTier: 3, countLost: true, waiting: map[string]time.Time{"shop": later, "db": later}}, 0, notify.CountLost, false, "not known what was done in the last 24 h"},
		"every affected service used up": {
			situation{tier: 1, maxTier: 3, usedUp: map[string]bool{"shop": true, "db": true}}, 0, notify.LimitsUsedUp, false, "no restart and no redeployment"},
		"one of two used up": {
			situation{tier: 1, maxTier: 3, usedUp: map[string]bool{"shop": true, "db": false}}, 2, "", false, "Tier 2 started"},
		"every incident waits": {
			situation{tier: 1, maxTier: 3, waiting: map[string]time.Time{"shop": later.Add(-time.Hour), "db": later}}, 0, "", true, "2026-02-16 12:00 UTC"},
		"one new incident beside one that waits": {
			situation{tier: 1, maxTier: 3, waiting: map[string]time.Time{"shop": later}}, 2, "", false, "Tier 2 started"},
		"one waits, the other is used up": {
			situation{tier: 1, maxTier: 3, usedUp: map[string]bool{"db": true}, waiting: map[string]time.Time{"shop": later}}, 0, notify.LimitsUsedUp, false, "used up or waits"},
		"one waits that is used up too": {
			situation{tier: 1, maxTier: 3, usedUp: map[string]bool{"shop": true, "db": true},
				waiting: map[string]time.Time{"shop": later, "db": later}}, 0, "", true, "next try after"},
	} {
		t.Run(name, func(t *testing.T) {
			test.s.services = []string{"shop", "db"}
			v := decide(test.s)
			if v.next != test.next || v.Cause != test.attention || v.waits != test.waits {
				t.Errorf("next %d attention %q waits %t, want %d %q %t", v.next, v.Cause, v.waits, test.next, test.attention, test.waits)
			}
			if !strings.Contains(v.reason, test.reason) {
				t.Errorf("reason %q does not say %q", v.reason, test.reason)
			}
		})
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

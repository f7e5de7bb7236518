package cycle

import (
	"testing"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
)

func TestWhetherAnApprovedProposalMayRun(t *testing.T) {
	id := int64(7)
	p := store.Proposal{Service: "shop", Tier: 3, IncidentID: &id}
	for want, c := range map[string]Cycle{
		"":                      {findings: findings{found: []evaluation{{service: "shop", status: check.Down}, {service: "db", status: check.Healthy}}}},
		"shop is healthy again": {findings: findings{found: []evaluation{{service: "shop", status: check.Healthy}}}},
	} {
		c.Config.MaxTier = 3
		if got := c.mayRun(p, false); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got := c.mayRun(p, true); got != "shop is healthy again" {
			t.Errorf("after another proposal has helped: %q", got)
		}
		c.Config.MaxTier = 2
		if c.mayRun(p, false) == "" {
			t.Error("it may run above CLAUDEOPS_MAX_TIER")
		}
		c.Config.MaxTier, c.Config.DryRun = 3, true
		if c.mayRun(p, false) == "" {
			t.Error("it may run in a dry run")
		}
	}
}

func TestWhatIsApprovedWaitsForItsChecks(t *testing.T) {
	const checks = ", checks: [{type: http, url: 'http://localhost/'}]}\n"
	inv, err := inventory.Parse([]byte("services:\n  - {name: db" + checks + "  - {name: shop" + checks + "  - {name: mail}\n"))
	must(t, err)
	c := Cycle{findings: findings{found: []evaluation{{service: "db", status: check.Down}}}}
	c.Inventory = inv
	for service, want := range map[string]bool{"shop": true, "db": false, "mail": false, "": false} {
		if got := c.unseen(service); got != want {
			t.Errorf("%q: %t, want %t", service, got, want)
		}
	}
}

package cycle

import (
	"slices"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// silence returns what people are told if Tier 1's model completed without a result of its own, although something is watched by it alone;
// nil if that is not so.
func (c *Cycle) silence(done *tierRun) *notify.News {
	if done.session.Agent != agentClaude || done.outcome.Ending != tiers.Completed || done.invalid || c.asked() {
		return nil
	}
	alone := c.Inventory == nil || slices.ContainsFunc(c.Inventory.Services, func(s inventory.Service) bool { return len(s.Checks) == 0 })
	if !alone || slices.ContainsFunc(done.checks, func(k store.Check) bool { return k.Source == store.Reported }) {
		return nil
	}
	said := text.Unlinked(notify.Masked(done.outcome.Response, c.Redactor.String, ledger.MaxFound))
	n := notify.NothingSaid(done.session.ID, said)
	return &n
}

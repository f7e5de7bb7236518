package ledger

import (
	"context"
	"maps"
	"slices"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/store"
)

// Report stores check results, under the services' names. Tier 1's are its handoff: the cycle makes it when the tier
// has ended, and updates counters then.
func (b *Records) Report(ctx context.Context, results []check.Result) error {
	b.redact(results)
	b.Named(results)
	services := slices.Sorted(maps.Keys(check.Worst(results)))
	if err := b.Inventory.Foreign(services, "leave it out and report the others again"); err != nil {
		return err
	}
	return b.Store.AddChecks(ctx, store.Reported, b.Config.Agent.SessionID, b.Now(), results)
}

// Probed redacts and stores the results of the program's own checks in a session, 0 for none.
func (b *Records) Probed(ctx context.Context, session int64, results []check.Result) error {
	b.redact(results)
	return b.Store.AddChecks(ctx, store.Probed, session, b.Now(), results)
}

// Named replaces the services' names in results with those of the inventory.
func (b *Records) Named(results []check.Result) {
	for i := range results {
		results[i].Service = b.Inventory.NameOf(results[i].Service)
	}
}

func (b *Records) redact(results []check.Result) {
	for i := range results {
		results[i].Error = b.Redactor.String(results[i].Error)
	}
}

package cycle

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

// readAlerts ends the alerts that were not repeated, and reads those that fire about this cycle's services.
func (c *Cycle) readAlerts(ctx context.Context) error {
	expired, err := c.Store.ExpireAlerts(ctx, c.Now().Add(-ledger.AlertLasts), c.Now())
	if err != nil {
		return err
	}
	if len(expired) > 0 {
		var names []string
		for _, a := range expired {
			names = append(names, a.Service+": "+a.Title)
		}
		if err := c.event(ctx, store.Info, 0, "", fmt.Sprintf("not repeated for %s, so taken for ended: %s", text.Duration(ledger.AlertLasts), some(names))); err != nil {
			return err
		}
	}
	firing, err := c.Store.FiringAlerts(ctx)
	if err != nil {
		return err
	}
	c.alerts = map[string][]store.AlertRow{}
	for _, a := range firing {
		if c.Inventory.Elsewhere(a.Service) != "" || c.asked() && !slices.Contains(c.Config.Services, a.Service) {
			continue
		}
		c.alerts[a.Service] = append(c.alerts[a.Service], a)
	}
	return nil
}

// alertResults returns what the alerts say, as one result for each service.
func (c *Cycle) alertResults() []store.Check {
	found := make([]store.Check, 0, len(c.alerts))
	for service, alerts := range c.alerts {
		found = append(found, store.Check{Result: state.AlertResult(service, alerts), CheckedAt: c.Now()})
	}
	slices.SortFunc(found, func(x, y store.Check) int { return cmp.Compare(x.Service, y.Service) })
	return found
}

// handedAlerts returns the alerts for a handoff.
func (c *Cycle) handedAlerts() (all []handoff.Alert) {
	for _, service := range slices.Sorted(maps.Keys(c.alerts)) {
		for _, a := range c.alerts[service] {
			all = append(all, handoff.Alert{Service: a.Service, Source: a.Source, Means: a.Means, Title: a.Title, Body: a.Body, Since: a.StartsAt})
		}
	}
	return all
}

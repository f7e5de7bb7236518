package cycle

import (
	"context"
	"fmt"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/store"
)

// expireAlerts ends the alerts that were not repeated.
func (c *Cycle) expireAlerts(ctx context.Context) error {
	expired, err := c.Store.ExpireAlerts(ctx, c.Now().Add(-ledger.AlertLasts), c.Now())
	if err != nil || len(expired) == 0 {
		return err
	}
	var names []string
	for _, a := range expired {
		names = append(names, a.Service+": "+a.Title)
	}
	said := fmt.Sprintf("not repeated for %s, so taken for ended: %s", text.Duration(ledger.AlertLasts), some(names))
	return c.event(ctx, store.Info, 0, "", said)
}

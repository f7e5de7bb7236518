package cycle

import (
	"context"
	"errors"

	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/store"
)

// open opens the records. An unusable database is set aside first.
func (c *Cycle) open(ctx context.Context) error {
	if err := c.openRecords(ctx, store.Migrate); err != nil {
		return err
	}
	if c.Aside != "" {
		c.saySetAside(ctx, c.Aside)
	}
	return nil
}

func (c *Cycle) openRecords(ctx context.Context, mode store.Mode) error {
	opened, err := ledger.Open(ctx, c.Config, c.Redactor, c.Now, mode)
	if err != nil {
		return err
	}
	opened.Inventory = c.Inventory
	c.Records = *opened
	return nil
}

// setAside sets aside a database that became unusable in the middle of this cycle, tells people, and ends the cycle as a failed one.
func (c *Cycle) setAside(ctx context.Context, unusable *store.UnusableError) error {
	said, err := ledger.SetAside(ctx, c.Config, c.Redactor, c.Now, unusable)
	if err != nil {
		return err
	}
	c.saySetAside(ctx, said)
	if err := c.open(ctx); err != nil {
		return err
	}
	return errors.Join(c.deliver(ctx, c.Config.NotifyTimeout, false), c.finish(ctx, store.CycleFailed), c.export(ctx), c.Close())
}

func (c *Cycle) saySetAside(ctx context.Context, said string) {
	c.loud = true
	c.Log.ErrorContext(ctx, said)
	c.summary.addAttention("", said)
}

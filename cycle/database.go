package cycle

import (
	"context"
	"errors"

	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/store"
)

// open opens the records. An unusable database is set aside first.
func (c *Cycle) open(ctx context.Context) error {
	err := c.openRecords(ctx, store.Migrate)
	if unusable := (*store.UnusableError)(nil); errors.As(err, &unusable) {
		return c.openNew(ctx, unusable)
	}
	return err
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

// openNew puts a new database in the place of an unusable one, opens it, and tells people.
func (c *Cycle) openNew(ctx context.Context, unusable *store.UnusableError) error {
	said, err := ledger.SetAside(ctx, c.Config, c.Redactor, c.Now, unusable)
	if err != nil {
		return err
	}
	c.loud = true
	c.Log.ErrorContext(ctx, said)
	c.summary.addAttention("", said)
	return c.openRecords(ctx, store.Migrate)
}

// setAside sets aside a database that became unusable in the middle of this cycle, and ends the cycle as a failed one.
func (c *Cycle) setAside(ctx context.Context, unusable *store.UnusableError) error {
	if err := c.openNew(ctx, unusable); err != nil {
		return err
	}
	undelivered := c.deliver(ctx, c.Config.NotifyTimeout, false)
	return errors.Join(undelivered, c.finish(ctx, store.CycleFailed), c.export(ctx), c.Close())
}

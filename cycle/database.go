package cycle

import (
	"context"
	"errors"

	"github.com/claudeops/claudeops/books"
	"github.com/claudeops/claudeops/store"
)

// open opens the records. A damaged database is made anew first.
func (c *Cycle) open(keep context.Context) error {
	opened, err := books.Open(keep, c.Config, c.Redactor, c.Now, store.Migrate)
	if err != nil {
		return err
	}
	opened.Inventory = c.Inventory
	c.Books = *opened
	c.Ledger.Seize()
	if c.Healed != "" {
		c.Log.ErrorContext(keep, c.Healed)
		c.summary.needHuman("", c.Healed)
	}
	return nil
}

// putBack puts the database back where its file was removed or replaced in this cycle: what is written into it nobody would find.
func (c *Cycle) putBack(keep context.Context) error {
	if !c.Store.Moved() {
		return nil
	}
	told, err := c.PutBack(keep)
	if err != nil {
		return err
	}
	c.Log.ErrorContext(keep, told)
	c.summary.needHuman("", told)
	return errors.Join(c.Close(), c.open(keep))
}

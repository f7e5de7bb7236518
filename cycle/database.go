package cycle

import (
	"context"
	"errors"

	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// open opens the records. A damaged database is rebuilt first.
func (c *Cycle) open(keep context.Context) error {
	opened, err := records.Open(keep, c.Config, c.Redactor, c.Now, store.Migrate)
	if err != nil {
		return err
	}
	opened.Inventory = c.Inventory
	c.Records = *opened
	c.Seize = true
	if c.Healed != "" {
		c.Log.ErrorContext(keep, c.Healed)
		c.summary.addAttention("", c.Healed)
	}
	return nil
}

// putBack restores the database if its file was removed or replaced during this cycle, since further writes would be lost.
func (c *Cycle) putBack(keep context.Context) error {
	if !c.Store.Moved() {
		return nil
	}
	why, err := c.PutBack(keep)
	if err != nil {
		return err
	}
	c.Log.ErrorContext(keep, why)
	c.summary.addAttention("", why)
	return errors.Join(c.Close(), c.open(keep))
}

// reportForeign notifies people of objects that were added to the database from outside, each once in 24 h. Triggers and the like are
// removed: a trigger could even delete the message about itself.
func (c *Cycle) reportForeign(keep context.Context) error {
	return c.Together(keep, func() error {
		foreign, err := c.Store.RemoveForeign(keep)
		if err != nil {
			return err
		}
		for _, f := range foreign {
			found, done := store.FileName+" contains something that claudeops did not create: "+f.String(), "It stays, and watching goes on"
			if f.Removed {
				done = "It was removed, because it could swallow or refuse what is written. Messages may have been lost since it was made"
			}
			news := notify.ForeignSchema(f, found, done)
			queued, err := c.Store.QueueNotification(keep, news.Notification(string(records.ForeignSchema)+f.String(), c.Redactor.String, c.Now()))
			if err != nil {
				return err
			}
			if queued || f.Removed {
				c.summary.addAttention("", found)
				if err := c.event(keep, store.Critical, 0, "", found+": "+done); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

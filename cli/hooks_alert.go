package cli

import (
	"context"
	"errors"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// hookAlert has people told that circuits opened, through the records of claudeops: by an event, and a notification in the outbox, which the
// next cycle delivers.
func (a *app) hookAlert(ctx context.Context, changes []hooks.Change) error {
	l, err := a.load()
	if err != nil {
		return err
	}
	if err := stateDirectory(l.config.StateDir); err != nil {
		return err
	}
	if l.config.Agent.SessionID != 0 {
		l.config.StateDir = tiers.StateDirOf(l.config.StateDir)
	}
	b, err := records.Open(ctx, l.config, l.redactor, a.Now, store.ReadWrite)
	if err != nil {
		return err
	}
	return errors.Join(b.CircuitsChanged(ctx, changes), b.Close())
}

package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/books"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/cycle"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// belowAgent reports whether an agent of this state directory started this process, whatever its environment says: an agent may empty
// that, and speak as an operator.
func belowAgent(ctx context.Context, s *store.Store) (bool, error) {
	running, err := s.Sessions(ctx, store.SessionFilter{Status: store.Running})
	if err != nil {
		return false, err
	}
	for _, session := range running {
		if session.PID == 0 {
			continue
		}
		if tiers.BelowCycleOf(session.PID, session.PIDStart) {
			return true, nil
		}
	}
	return false, nil
}

// betweenCycles runs f on the records for an operator. It holds the cycle lock meanwhile: an agent, who can take the variables that
// mark it out of its environment, can call it during a cycle only. refusal is what an agent is told, done what was not done then.
func (a *app) betweenCycles(c *cobra.Command, refusal, done string, f func(*books.Books) error) (err error) {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	if cfg.Agent != (config.Agent{}) {
		return errors.New(refusal)
	}
	if err := stateDirectory(cfg.StateDir); err != nil {
		return err
	}
	release, err := cycle.Lock(cfg.StateDir)
	if errors.Is(err, cycle.ErrRunning) {
		return &exitError{exitLocked, fmt.Errorf("a cycle is running on %s; nothing was %s: try again when it has ended", cfg.StateDir, done)}
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	return a.withBooks(c, store.ReadWrite, f)
}

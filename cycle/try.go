package cycle

import (
	"context"
	"errors"
	"io"

	"github.com/claudeops/claudeops/broker"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// Try runs shell text for a person exactly as a tier's agent would, and returns its exit status. With act, remediations are reserved, run
// and counted in a session of their own; without it, they are refused and nothing is recorded. While a cycle runs, Try with act returns
// ErrRunning.
func (c *Cycle) Try(ctx context.Context, tier int, act bool, command string, stdout, stderr io.Writer) (exit int, err error) {
	if !act {
		if err := c.openRecords(ctx, store.ReadOnly); err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, c.Close()) }()
		return c.tryOut(ctx, newRun(tier, "", nil), command, stdout, stderr)
	}
	release, err := Lock(c.Config.StateDir)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, release()) }()
	c.begin()
	if err := c.open(ctx); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if err := c.recover(ctx); err != nil {
		return 0, err
	}
	run := newRun(tier, store.Operator, nil)
	if run.session, err = c.addSession(ctx, run); err != nil {
		return 0, err
	}
	exit, err = c.tryOut(ctx, run, command, stdout, stderr)
	run.outcome = tiers.Outcome{Ending: tiers.Completed, ExitCode: exit}
	if err != nil {
		run.outcome = tiers.Outcome{Ending: tiers.Failed, ExitCode: exit, Reason: err.Error()}
	}
	return exit, errors.Join(err, c.concludeTier(ctx, run))
}

// tryOut runs shell text in a temporary workplace.
func (c *Cycle) tryOut(ctx context.Context, run *tierRun, command string, stdout, stderr io.Writer) (exit int, err error) {
	w, err := c.openWorkplace(ctx, run)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, c.closeWorkplace(ctx, w)) }()
	return w.Cell.Run(broker.Living(ctx), "", command, stdout, stderr)
}

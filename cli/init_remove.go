package cli

import (
	"context"
	"os"

	"github.com/claudeops/claudeops/setup"
)

// unmake runs init --remove: it removes the schedule and the files that init made.
func (a *app) unmake(ctx context.Context, f initFlags) error {
	m, err := setup.Look(ctx, f.where, os.Environ())
	if err != nil {
		return &exitError{exitUsage, err}
	}
	r, err := m.Removal(ctx)
	if err != nil {
		return err
	}
	if !r.Any() {
		return a.answer([]setup.Step{}, "nothing to remove: nothing of init's is there\n")
	}
	steps := m.RemovalSteps(r)
	if err := a.answer(steps, a.stepLines(steps)); err != nil {
		return err
	}
	if err := a.agreed(ctx, f.yes); err != nil {
		return err
	}
	said, err := m.Remove(ctx, r, a.Now())
	if err != nil || a.json {
		return err
	}
	return a.print(said + "done\n")
}

package cycle

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/claudeops/claudeops/tiers"
)

// act is what a session without a model does.
type act func(ctx context.Context, w *workplace, out *bytes.Buffer) (exit int, err error)

// actAlone makes an act in a session of its own without a model: first aid, or the proposal of the run. It ends as
// completed, whatever the exit status, unless the act returns an error; what ran is proved.
func (c *Cycle) actAlone(ctx context.Context, run *tierRun, do act) error {
	kind := AidGiven
	err := c.Together(ctx, func() (err error) {
		if run.session, err = c.addSession(ctx, run); err != nil || run.approved == nil {
			return err
		}
		kind = Ran
		return c.Store.ClaimProposal(ctx, run.approved.ID, run.session.ID)
	})
	if err != nil {
		return err
	}
	if err := c.link(ctx, run, ""); err != nil {
		return err
	}
	if err := c.callAlone(ctx, run, do); err != nil {
		run.fails(err.Error())
	}
	if err := c.concludeTier(ctx, run); err != nil {
		return err
	}
	if err := c.prove(ctx, run); err != nil {
		return err
	}
	_, err = c.plan(ctx, kind, run, nil)
	return err
}

// callAlone makes the act through the broker of its own workplace, and sets the outcome: completed, or interrupted.
func (c *Cycle) callAlone(ctx context.Context, run *tierRun, do act) (err error) {
	w, err := c.openWorkplace(ctx, run)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.closeWorkplace(ctx, w)) }()
	began := c.Now()
	var out bytes.Buffer
	exit := 0
	c.watchWhile(ctx, run, c.after(toldAfter), func() { exit, err = do(ctx, w, &out) })
	run.outcome = tiers.Outcome{
		Ending: tiers.Completed, ExitCode: exit, DurationMS: c.Now().Sub(began).Milliseconds(), Response: strings.TrimSpace(out.String()),
	}
	if ctx.Err() != nil {
		run.outcome.Ending, run.outcome.Reason = tiers.Interrupted, context.Cause(ctx).Error()
	}
	return err
}

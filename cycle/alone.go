package cycle

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/claudeops/claudeops/tiers"
)

// alone is one act in a session of its own without a model: first aid, or what a person has approved. begin and round
// may be nil.
type alone struct {
	begin func(session int64) error // is called in the transaction that adds the session
	act   func(ctx context.Context, w *workplace, out *bytes.Buffer) (exit int, err error)
	kind  Kind // of the round that follows, once the checks were made again, which round completes
	round func(*Round)
}

// actAlone makes an act in a session of its own, after the session done, which it tells what came of it. It ends as
// completed, whatever the exit status, unless the act returns an error; what ran is proved.
func (c *Cycle) actAlone(ctx context.Context, done, run *tierRun, a alone) error {
	err := c.Together(ctx, func() (err error) {
		if run.session, err = c.addSession(ctx, run); err != nil || a.begin == nil {
			return err
		}
		return a.begin(run.session.ID)
	})
	if err != nil {
		return err
	}
	if err := c.link(ctx, run, "", ""); err != nil {
		return err
	}
	if err := c.callAlone(ctx, run, a); err != nil {
		run.fails(err.Error())
	}
	acts, err := c.Store.SessionActs(ctx, run.session.ID)
	if err != nil {
		return err
	}
	if err := c.concludeTier(ctx, run); err != nil {
		return err
	}
	if len(acts) > 0 {
		if err := c.prove(ctx, run); err != nil {
			return err
		}
	}
	_, err = c.plan(ctx, a.kind, run, a.round)
	return err
}

// callAlone makes the act through the broker of its own workplace, and sets the outcome: completed, or interrupted.
func (c *Cycle) callAlone(ctx context.Context, run *tierRun, a alone) (err error) {
	w, err := c.openWorkplace(ctx, run)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close(ctx)) }()
	began := c.Now()
	var out bytes.Buffer
	exit := 0
	c.watchWhile(ctx, run, c.after(toldAfter), func() { exit, err = a.act(ctx, w, &out) })
	run.outcome = tiers.Outcome{
		Ending: tiers.Completed, ExitCode: exit, DurationMS: c.Now().Sub(began).Milliseconds(), Response: strings.TrimSpace(out.String()),
	}
	if ctx.Err() != nil {
		run.outcome.Ending, run.outcome.Reason = tiers.Interrupted, context.Cause(ctx).Error()
	}
	return err
}

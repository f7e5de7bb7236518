package cycle

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
)

// examine looks at a service right before first aid, for what speaks against that: this machine, what was tried before,
// or its checks, which are made again, because others may have worked on it meanwhile.
func (c *Cycle) examine(ctx context.Context, done *tierRun, service string) (exam Exam, err error) {
	s, _ := c.Inventory.Get(service)
	exam = Exam{Service: s.Name, Why: machineShort(c.Config.StateDir, s.Checks)}
	if exam.Why != "" {
		return exam, nil
	}
	look := store.Session{Tier: 2, RunToken: done.session.RunToken} // a tier's has only results of the tier's own work
	report, err := c.probe(ctx, look, []inventory.Service{*s}, c.Config.Tier(done.session.Tier).Timeout/4)
	if err != nil {
		return exam, err
	}
	if found := check.Worst(report.Results)[s.Name]; found != check.Down {
		exam.Why = fmt.Sprintf("the checks right before it find it %s", found)
		return exam, nil
	}
	exam.Why, err = c.aidBefore(ctx, s)
	return exam, err
}

// retryAid is how long first aid that did not help counts against another attempt.
const retryAid = time.Hour

// aidBefore returns, as a clause, that a service was given first aid as often as it may be within
// retryAid, and that its checks have not found it healthy since; empty if it may be given once more. An attempt that
// a kill cut off counts: it was recorded before it ran.
func (c *Cycle) aidBefore(ctx context.Context, s *inventory.Service) (string, error) {
	now := c.Now()
	given, err := c.Store.ActsBetween(ctx, s.Name, now.Add(-retryAid), now.Add(retryAid))
	if err != nil {
		return "", err
	}
	given = slices.DeleteFunc(given, func(a store.Act) bool { return !a.FirstAid })
	over := len(given) - s.FirstAid.Attempts
	if over < 0 {
		return "", nil
	}
	last := given[len(given)-1].CreatedAt
	if healthy, err := c.Store.HealthySince(ctx, s.Name, last); err != nil || healthy {
		return "", err
	}
	return fmt.Sprintf("it was given at %s, and no check has found it healthy since; next try after %s",
		text.Moment(last), text.Moment(given[over].CreatedAt.Add(retryAid))), nil
}

// giveFirstAid does the first aid of a service once, as a session of Tier 2.
func (c *Cycle) giveFirstAid(ctx context.Context, done *tierRun, service string) error {
	s, _ := c.Inventory.Get(service)
	verb := guard.Verb{Action: guard.Restart, Name: s.Name, Why: "First aid: the services file names it"}
	if s.FirstAid.Do != "" {
		verb.Action, verb.Do = guard.Named, s.FirstAid.Do
	}
	run := newRun(2, store.FirstAid, done)
	run.services = []string{s.Name}
	return c.actAlone(ctx, done, run, alone{
		act: func(ctx context.Context, w *workplace, out *bytes.Buffer) (int, error) {
			found, err := w.evidence(ctx, s)
			if err == nil {
				err = w.link(ctx, run, found, "") // the cycle is the watch's meanwhile
			}
			if err != nil {
				return 0, err
			}
			return w.do(ctx, "first-aid", verb, c.workDir(), out, out)
		},
		kind: AidGiven,
	})
}

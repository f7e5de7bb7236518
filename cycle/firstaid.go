package cycle

import (
	"bytes"
	"context"
	"fmt"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// againstAid returns what speaks against first aid for a service right before it, as a clause; empty if nothing does. Its checks are made
// again, because others may have worked on it meanwhile.
func (c *Cycle) againstAid(ctx context.Context, done *tierRun, s *inventory.Service) (why string, err error) {
	if why = machineShort(c.Config.StateDir, s.Checks); why != "" {
		return why, nil
	}
	look := store.Session{Tier: 2, RunToken: done.session.RunToken} // a tier's has only results of the tier's own work
	results, err := c.probe(ctx, look, []inventory.Service{*s}, c.Config.Tier(done.session.Tier).Timeout/4)
	if err != nil {
		return "", err
	}
	if found := check.Worst(results)[s.Name]; found != check.Down {
		why = fmt.Sprintf("the checks right before it find it %s", found)
	}
	return why, nil
}

// giveFirstAid does the first aid of a service once, as a session of Tier 2.
func (c *Cycle) giveFirstAid(ctx context.Context, done *tierRun, service string) error {
	s, _ := c.Inventory.Get(service)
	why, err := c.againstAid(ctx, done, s)
	if err != nil {
		return err
	}
	if why != "" {
		return c.apply(ctx, done.session.ID, noAid{done, service, why})
	}
	if done.outcome.Ending == tiers.Completed {
		if err := c.apply(ctx, done.session.ID, escalated{done.session.ID}); err != nil {
			return err
		}
	}
	verb := guard.Verb{Action: guard.Restart, Name: s.Name, Why: "First aid: the services file names it"}
	if s.FirstAid.Do != "" {
		verb.Action, verb.Do = guard.Named, s.FirstAid.Do
	}
	run := newRun(2, store.FirstAid, done)
	run.services, run.aided = []string{s.Name}, done.aided
	own := *c // the watch has the cycle meanwhile
	return c.actAlone(ctx, run, func(ctx context.Context, w *workplace, out *bytes.Buffer) (int, error) {
		found, err := w.Evidence(ctx, s)
		if err == nil {
			err = own.link(ctx, run, found)
		}
		if err != nil {
			return 0, err
		}
		return w.Do(ctx, "first-aid", verb, w.Dir, out, out)
	})
}

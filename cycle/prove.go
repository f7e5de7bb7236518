package cycle

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// prove repeats the checks of a chain's services after a tier that could have changed them. Only a check decides whether something is
// fixed (RULE "Fixed is what a check says").
func (c *Cycle) prove(ctx context.Context, done *tierRun) error {
	done.unproven = ctx.Err() != nil
	if done.session.Tier == 1 || done.outcome.Ending == tiers.Interrupted || done.unproven || !c.Inventory.HasChecks() {
		return nil
	}
	acts, err := c.Store.SessionActs(ctx, done.session.ID)
	if err != nil || len(acts) == 0 && done.session.Agent != agentClaude {
		return err
	}
	now, err := c.picture(ctx)
	if err != nil {
		return err
	}
	// Including services that the tier was not started for.
	done.services = union(done.services, now.UnwellBy(done.session.ID))
	for _, a := range acts {
		if len(c.withChecks([]string{a.Service})) > 0 {
			done.services = union(done.services, []string{a.Service})
		}
	}
	services := c.withChecks(done.services)
	if len(services) == 0 {
		return nil
	}
	for n, s := range services {
		if done.session.Agent == store.FirstAid && s.FirstAid.Given() {
			services[n].Settle = s.FirstAid.Settle
		}
	}
	if err := c.settleDown(ctx, done, services, acts); err != nil {
		return err
	}
	if ctx.Err() != nil {
		done.unproven = true
		return c.event(ctx, store.Warning, done.session.ID, "", "not checked whether it helped: "+context.Cause(ctx).Error())
	}
	c.shows(done.session, tiers.Progress{Waiting: "making the checks again", CostUSD: done.outcome.CostUSD})
	if _, err := c.probe(ctx, done.session, services, c.Config.Tier(done.session.Tier).Timeout/4); err != nil {
		return err
	}
	done.unproven = ctx.Err() != nil
	_, err = c.plan(ctx, Proven, done, nil)
	return err
}

// settleDown waits for remediated services to settle, and shows the wait as progress.
func (c *Cycle) settleDown(ctx context.Context, done *tierRun, services []inventory.Service, acts []store.Act) error {
	longest, text := settling(services, acts)
	if longest <= 0 {
		return nil
	}
	if err := c.event(ctx, store.Info, done.session.ID, "", text); err != nil {
		return err
	}
	c.shows(done.session, tiers.Progress{Waiting: text, Until: c.Now().Add(longest), CostUSD: done.outcome.CostUSD})
	c.watchWhile(ctx, done, nil, func() {
		select {
		case <-ctx.Done():
		case <-c.after(longest):
		}
	})
	return nil
}

// settling returns the longest settling time of the services that were remediated, even in vain, and its description: "waiting 20s for
// web to settle before checking it again".
func settling(services []inventory.Service, acts []store.Act) (longest time.Duration, text string) {
	var names []string
	for _, s := range services {
		if slices.ContainsFunc(acts, func(a store.Act) bool { return a.Service == s.Name }) {
			longest, names = max(longest, s.Settle), append(names, s.Name)
		}
	}
	them := "it"
	if len(names) > 1 {
		them = "them"
	}
	return longest, fmt.Sprintf("waiting %s for %s to settle before checking %s again", longest, some(names), them)
}

// withChecks returns the named services that have checks.
func (c *Cycle) withChecks(names []string) (services []inventory.Service) {
	for _, name := range names {
		if s, known := c.Inventory.Get(name); known && len(s.Checks) > 0 {
			services = append(services, *s)
		}
	}
	return services
}

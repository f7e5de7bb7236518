package cycle

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// next decides what follows a tier, carries it out and returns the tier to start, or 0.
func (c *Cycle) next(ctx, keep context.Context, done *tierRun) (int, error) {
	c.ForgetSilences() // a tier may have run for an hour
	if err := c.readProposalsAgain(keep); err != nil {
		return 0, err
	}
	if done.handoff != nil {
		done.services = union(done.services, done.handoff.ServicesAffected)
	}
	if err := c.takeFindings(keep, done); err != nil {
		return 0, err
	}
	if err := c.prove(ctx, keep, done); err != nil {
		return 0, err
	}
	if err := c.awaitAlerts(keep, done); err != nil {
		return 0, err
	}
	if done.handoff == nil {
		return 0, errors.Join(c.aidWithoutHandoff(ctx, keep, done), c.ended(keep, done))
	}
	if err := c.continueHandoff(keep, done); err != nil {
		return 0, err
	}
	findings := done.handoff.InvestigationFindings
	if done.session.Agent == agentClaude {
		findings = handoff.Mark(findings, done.handoff.Evidence)
	}
	if err := c.linkAll(keep, done, findings, done.handoff.RemediationAttempted); err != nil {
		return 0, err
	}
	if ctx.Err() != nil {
		return 0, c.event(keep, store.Warning, done.session.ID, "", "no further tier: "+context.Cause(ctx).Error())
	}
	if err := c.narrow(keep, done); err != nil {
		return 0, err
	}
	if err := c.firstAid(ctx, keep, done); err != nil {
		return 0, err
	}
	if err := c.leaveLimited(keep, done); err != nil {
		return 0, err
	}
	if len(done.handoff.ServicesAffected) == 0 {
		return 0, c.concluded(keep, done)
	}
	if ctx.Err() != nil {
		return 0, c.event(keep, store.Warning, done.session.ID, "", "no further tier: "+context.Cause(ctx).Error())
	}
	s, err := c.situation(keep, done)
	if err != nil {
		return 0, err
	}
	return c.carryOut(keep, done, decide(s))
}

// takeFindings adds the last tier's unwell services to those of the chain. After Tier 1, these are services that did not fit into its
// handoff; after a later tier, any service, whatever it was started for.
func (c *Cycle) takeFindings(keep context.Context, done *tierRun) error {
	var found []string
	switch {
	case done.session.Tier > 1:
		if done.handoff != nil {
			c.view = overruled(c.view, handoff.NewResults(done.parent.handoff.CheckResults, done.handoff.CheckResults))
		}
		results, err := c.takeView(keep, done)
		if err != nil {
			return err
		}
		found = records.Unhealthy(results)
	case done.handoff != nil:
		for _, e := range c.unwell() {
			if !e.earlier {
				found = append(found, e.service)
			}
		}
	}
	done.services = union(done.services, found)
	return nil
}

// continueHandoff completes Tier 2's handoff with Tier 1's results, the unresolved services and the services that Tier 2 itself found
// unwell.
func (c *Cycle) continueHandoff(keep context.Context, done *tierRun) error {
	if done.session.Tier != 2 { // no tier above Tier 3
		return nil
	}
	results, err := c.takeView(keep, done)
	if err != nil {
		return err
	}
	h, before := *done.handoff, *done.parent.handoff
	unresolved := c.unresolved(done, before.ServicesAffected)
	found := c.unresolved(done, records.Unhealthy(results))
	missing := handoff.Without(union(unresolved, found), h.ServicesAffected)
	h.ServicesAffected = union(h.ServicesAffected, found)
	h = h.Merge(before, unresolved)
	done.handoff = &h
	if err := c.trackAdded(keep, done, handoff.Without(c.unresolved(done, h.ServicesAffected), before.ServicesAffected)); err != nil {
		return err
	}
	if err := c.keepHandoff(keep, done); err != nil || len(missing) == 0 {
		return err
	}
	return c.event(keep, store.Warning, done.session.ID, "", "Tier 2 did not hand off all that is not resolved: "+some(missing)+" added")
}

// unresolved returns the services that neither the program's own checks nor the last report find healthy.
func (c *Cycle) unresolved(done *tierRun, services []string) []string {
	found := check.Worst(c.view)
	return slices.DeleteFunc(slices.Clone(services), func(name string) bool { return done.proven[name] || found[name] == check.Healthy })
}

// unwell returns the unhealthy services of this cycle that are not held back.
func (c *Cycle) unwell() (found []evaluation) {
	for _, e := range c.found {
		if _, held := c.held[e.service]; !held && e.status.Unwell() {
			found = append(found, e)
		}
	}
	return found
}

// carryOut carries out the decision on the next tier and returns that tier.
func (c *Cycle) carryOut(keep context.Context, done *tierRun, v verdict) (int, error) {
	level := store.Info
	if v.attention != "" && v.attention != records.DryRun { // a configured dry run is not a fault
		level = store.Critical
	}
	if err := c.event(keep, level, done.session.ID, "", v.reason); err != nil {
		return 0, err
	}
	if v.attention == "" && !v.waits { // otherwise the request for a human says it
		c.summary.Decisions = append(c.summary.Decisions, v.reason)
	}
	switch {
	case v.next != 0:
		return v.next, errors.Join(c.renew(keep, done), c.escalated(keep, done))
	case v.attention != "":
		return 0, c.askAboutChain(keep, done, c.unresolved(done, done.services), v)
	case v.waits:
		for _, name := range done.handoff.ServicesAffected {
			c.summary.addAttention(name, v.reason) // a human was asked earlier
		}
	}
	return 0, nil
}

// renew brings a handoff up to date, right before the next tier is told of it: first aid, or what a person has approved, may have run
// since it was made, and its services may have been checked again.
func (c *Cycle) renew(keep context.Context, done *tierRun) (err error) {
	h := done.handoff
	if done.session.Tier == 1 {
		var since handoff.Handoff
		since.Take(handoff.NewResults(store.Results(done.checks), handoff.Of(h.ServicesAffected, c.view)))
		h.CheckResults = overruled(h.CheckResults, since.CheckResults)
	}
	if h.CooldownState, err = c.Snapshot(keep, h.ServicesAffected); err != nil {
		return err
	}
	return c.keepHandoff(keep, done)
}

// narrow removes services that need no further tier from a handoff: those found healthy, those held back, and flapping ones, about which
// a human was asked.
func (c *Cycle) narrow(keep context.Context, done *tierRun) error {
	found := check.Worst(c.view)
	return c.withIncidents(keep, func(open map[string]store.Incident, _ records.Limits) error {
		var left []string
		for _, name := range done.handoff.ServicesAffected {
			hold, err := c.heldBack(keep, name)
			if err != nil {
				return err
			}
			if alone, held := c.held[name]; held && hold == (records.Hold{}) && done.session.Tier == 1 {
				hold = alone
			}
			why, listed := hold.Reason, true
			switch {
			case done.proven[name]:
				why = "the checks find it healthy"
			case found[name] == check.Healthy:
				why = "it was found healthy"
			case why != "":
				listed = false // the summary lists held services itself
			case open[name].Flapping():
				why = "it is flapping"
				c.summary.addAttention(name, flapping(open[name]))
			default:
				left = append(left, name)
				continue
			}
			text := fmt.Sprintf("Tier %d not started for %s: %s", done.session.Tier+1, name, why)
			if done.session.Tier == handoff.LastTier {
				text = fmt.Sprintf("nothing further for %s: %s", name, why)
			}
			if err := c.event(keep, store.Info, done.session.ID, name, text); err != nil {
				return err
			}
			if listed {
				c.summary.Decisions = append(c.summary.Decisions, text)
			}
		}
		done.handoff.ServicesAffected = left
		return nil
	})
}

// leaveLimited takes the services off a handoff that the next tier may not work on by their max_tier, and tells people.
func (c *Cycle) leaveLimited(keep context.Context, done *tierRun) error {
	next := done.session.Tier + 1
	for _, name := range slices.Clone(done.handoff.ServicesAffected) {
		s, known := c.Inventory.Get(name)
		if !known || s.MaxTier == 0 || next <= s.MaxTier || next > handoff.LastTier {
			continue
		}
		alone := []string{name}
		done.handoff.ServicesAffected = handoff.Without(done.handoff.ServicesAffected, alone)
		done.services = handoff.Without(done.services, alone)
		v := verdict{attention: records.TierLimit, reason: fmt.Sprintf("Tier %d not started for %s: its max_tier is %d", next, name, s.MaxTier),
			why: fmt.Sprintf("%s would look into it, but its max_tier is %d", agentOf(next), s.MaxTier)}
		if err := c.event(keep, store.Critical, done.session.ID, name, v.reason); err != nil {
			return err
		}
		if err := c.askAboutChain(keep, done, alone, v); err != nil {
			return err
		}
	}
	return nil
}

// situation gathers the input of the decision.
func (c *Cycle) situation(keep context.Context, done *tierRun) (situation, error) {
	s := situation{
		tier: done.session.Tier, handoff: *done.handoff, dryRun: c.Config.DryRun, maxTier: c.Config.MaxTier,
		usedUp: map[string]bool{}, waiting: map[string]time.Time{},
	}
	if s.noModel = c.NoModel; s.noModel != "" {
		s.noAgent = c.noAgent()
	}
	left, limited, err := c.budgetLeft(keep)
	if err != nil {
		return s, err
	}
	s.overSpent = limited && left <= 0
	open, err := c.Store.OpenIncidents(keep)
	if err != nil {
		return s, err
	}
	limits, err := c.Limits(keep)
	if err != nil {
		return s, err
	}
	s.countLost = limits.CountLost()
	for _, name := range s.handoff.ServicesAffected {
		restart, redeployment, err := limits.Both(keep, name)
		if err != nil {
			return s, err
		}
		s.usedUp[name] = !restart.Permitted() && !redeployment.Permitted()
		if at, waits := waitsUntil(open[name], c.Now()); waits {
			s.waiting[name] = at
		}
	}
	return s, nil
}

// noAgent returns NoModel as worded in a request for a human.
func (c *Cycle) noAgent() string {
	if _, err := exec.LookPath(c.Config.ClaudeBin); err != nil {
		return "No agent is installed (`claudeops doctor`)"
	}
	return "No agent can be started (`claudeops doctor`): " + c.NoModel
}

// budgetLeft returns what is left of the day's budget; limited is false if there is no budget.
func (c *Cycle) budgetLeft(keep context.Context) (left float64, limited bool, err error) {
	if c.Config.DailyBudgetUSD == 0 {
		return 0, false, nil
	}
	spent, err := c.Store.CostSince(keep, c.Now().Add(-24*time.Hour))
	return c.Config.DailyBudgetUSD - spent, true, err
}

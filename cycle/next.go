package cycle

import (
	"context"
	"os/exec"
	"time"
)

// follow carries out what follows a tier but for the next tier, and returns that; 0 if none is started.
func (c *Cycle) follow(ctx context.Context, done *tierRun) (tier int, err error) {
	if done.handoff != nil {
		done.services = union(done.services, done.handoff.ServicesAffected)
	}
	if err := c.prove(ctx, done); err != nil {
		return 0, err
	}
	for {
		d, err := c.plan(ctx, Ended, done, nil)
		if err != nil {
			return 0, err
		}
		switch d.next.Do {
		case Again:
		case Run:
			err = c.runProposal(ctx, d.next.Proposal)
		case Start:
			done.services, done.handoff = d.services, d.handoff
			return d.next.Tier, nil
		case Aid:
			err = c.giveFirstAid(ctx, done, d.next.Service)
		default:
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
	}
}

// noAgent returns NoModel as worded in a request for a human.
func (c *Cycle) noAgent() string {
	if _, err := exec.LookPath(c.Config.ClaudeBin); err != nil {
		return "No agent is installed (`claudeops doctor`)"
	}
	return "No agent can be started (`claudeops doctor`): " + c.NoModel
}

// budgetLeft returns what is left of the day's budget; limited is false if there is no budget.
func (c *Cycle) budgetLeft(ctx context.Context) (left float64, limited bool, err error) {
	if c.Config.DailyBudgetUSD == 0 {
		return 0, false, nil
	}
	spent, err := c.Store.CostSince(ctx, c.Now().Add(-24*time.Hour))
	return c.Config.DailyBudgetUSD - spent, true, err
}

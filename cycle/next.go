package cycle

import (
	"context"
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

package cycle

import (
	"context"

	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/store"
)

// link links a session to each incident of its services, with what it found and tried so far.
func (c *Cycle) link(ctx context.Context, run *tierRun, findings, attempted string) error {
	if len(run.services) == 0 {
		return nil
	}
	return c.apply(ctx, run.session.ID, link{run.services, findings, attempted})
}

// eachIncident calls f for the open incident of each service that has one.
func (c *Cycle) eachIncident(ctx context.Context, services []string, f func(store.Incident) error) error {
	open, err := c.Store.OpenIncidents(ctx)
	if err != nil {
		return err
	}
	for _, name := range services {
		if i, known := open[name]; known {
			if err := f(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// history returns what earlier sessions of the services' open incidents found and tried, oldest first, so that nothing is tried twice.
func (c *Cycle) history(ctx context.Context, services []string) (past []handoff.Attempt, err error) {
	err = c.eachIncident(ctx, services, func(i store.Incident) error {
		sessions, err := c.Store.IncidentAttempts(ctx, i.ID)
		if err != nil {
			return err
		}
		for _, s := range sessions {
			past = append(past, handoff.Attempt{
				Service: i.Service, Session: s.Session.ID, Tier: s.Session.Tier, At: s.Session.StartedAt,
				Findings: s.Findings, Attempted: s.Attempted,
			})
		}
		return nil
	})
	return past, err
}

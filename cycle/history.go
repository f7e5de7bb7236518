package cycle

import (
	"context"

	"github.com/claudeops/claudeops/handoff"
)

// link links a session to each incident of its services, with what it found so far.
func (c *Cycle) link(ctx context.Context, run *tierRun, findings string) error {
	if len(run.services) == 0 {
		return nil
	}
	return c.apply(ctx, run.session.ID, link{run.services, findings, ""})
}

// history returns what earlier sessions of the services' open incidents found and tried, oldest first, so that
// nothing is tried twice.
func (c *Cycle) history(ctx context.Context, services []string) (past []handoff.Attempt, err error) {
	open, err := c.Store.OpenIncidents(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range services {
		i, known := open[name]
		if !known {
			continue
		}
		sessions, err := c.Store.IncidentAttempts(ctx, i.ID)
		if err != nil {
			return nil, err
		}
		for _, s := range sessions {
			past = append(past, handoff.Attempt{
				Service: name, Session: s.Session.ID, Tier: s.Session.Tier, At: s.Session.StartedAt,
				Findings: s.Findings, Attempted: s.Attempted,
			})
		}
	}
	return past, nil
}

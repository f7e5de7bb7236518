package cycle

import (
	"context"

	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/store"
)

// link links a session to each incident of its services, with what it found and tried so far.
func (c *Cycle) link(keep context.Context, run *tierRun, findings, attempted string) error {
	if len(run.services) == 0 {
		return nil
	}
	_, err := c.round(keep, run.session.ID, nil, func(p *planner) { p.add(link{run.services, findings, attempted}) })
	return err
}

// eachIncident calls f for the open incident of each service that has one.
func (c *Cycle) eachIncident(keep context.Context, services []string, f func(store.Incident) error) error {
	open, err := c.Store.OpenIncidents(keep)
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
func (c *Cycle) history(keep context.Context, services []string) (past []handoff.Attempt, err error) {
	err = c.eachIncident(keep, services, func(i store.Incident) error {
		sessions, err := c.Store.IncidentAttempts(keep, i.ID)
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

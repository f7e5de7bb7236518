package cycle

import (
	"context"
	"fmt"

	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// holdBack finds which of the services found unwell are held back.
func (c *Cycle) holdBack(keep context.Context) error {
	c.held = map[string]records.Hold{}
	unwell := c.unwell()
	if len(unwell) == 0 {
		c.Forget()
		return nil
	}
	if err := c.Look(keep); err != nil {
		return err
	}
	for _, e := range unwell {
		hold, err := c.Hold(keep, e.service)
		if err != nil {
			return err
		}
		if hold != (records.Hold{}) {
			c.held[e.service] = hold
		}
	}
	return nil
}

// quiet reports whether people work on a service itself: a maintenance window, a silence or a pause is open.
func (c *Cycle) quiet(keep context.Context, service string) (bool, error) {
	hold, err := c.Quiet(keep, service)
	return hold.Quiet, err
}

// recordHeld records the trouble of services that are held back: as an event, and under the incident of the service that they depend
// on. Nobody is told of it.
func (c *Cycle) recordHeld(keep context.Context, done *link) error {
	if len(c.held) == 0 {
		return nil
	}
	open, err := c.Store.OpenIncidents(keep)
	if err != nil {
		return err
	}
	for _, e := range c.found {
		hold, held := c.held[e.service]
		if !held {
			continue
		}
		text := fmt.Sprintf("%s is %s: %s, so nothing is done about it and nobody is told", e.service, e.status, hold.Reason)
		if cause, known := open[hold.Under]; known {
			text += fmt.Sprintf(" (recorded under incident %d)", cause.ID)
			if err := c.Store.AddDependent(keep, cause.ID, e.service, e.status, c.Now()); err != nil {
				return err
			}
		}
		if own, known := open[e.service]; known {
			own.LastSeenAt, own.Status, own.HealthySince, own.HealthyCycles = c.Now(), e.status, nil, 0
			if hold.Quiet {
				own = worked(own)
			}
			if err := c.Store.SaveIncident(keep, own); err != nil {
				return err
			}
		}
		if err := c.say(keep, store.Info, done.session.ID, e.service, text); err != nil {
			return err
		}
	}
	return nil
}

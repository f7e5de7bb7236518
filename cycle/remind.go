package cycle

import (
	"context"
	"fmt"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// remind asks again about services that are still unwell a day or longer after people were last asked about them: one message must not
// be all that an incident of a week is worth. So it does about those that are unwell again, and that people were last told are well: with
// that they must not be left where nobody works on it. Who was asked in this cycle is not asked twice; what a chain of this cycle claims to
// have solved, what is held back and what is silenced waits. Faults of the watch itself are asked about anew whenever they happen.
func (c *Cycle) remind(keep context.Context) error {
	unwell := map[string]bool{}
	for _, e := range c.unwell() {
		unwell[e.service] = true
	}
	if len(unwell) == 0 {
		return nil
	}
	asked, err := c.Store.AskedBefore(keep, c.Now())
	if err != nil {
		return err
	}
	var limits records.Limits
	for _, a := range asked {
		name := a.Incident.Service
		if !unwell[name] || a.Incident.LastChain == chainSolved {
			continue
		}
		hold, err := c.Hold(keep, name)
		if err != nil {
			return err
		}
		if hold != (records.Hold{}) {
			continue
		}
		if limits.State == nil { // read once, and only where somebody is reminded
			if limits, err = c.Limits(keep); err != nil {
				return err
			}
		}
		ask := c.reminder(a)
		if ask.Next, err = c.nextStep(keep, a.Incident, ask.Cause); err != nil {
			return err
		}
		if err := c.RequestAttention(keep, limits, a.Incident, ask); err != nil {
			return err
		}
	}
	return nil
}

// reminder is why people are asked again. Each has its own: they were told at different times.
func (c *Cycle) reminder(a store.Asked) records.Ask {
	if a.Well {
		return records.Ask{Cause: records.UnwellAgain, Why: "People were last told that it is well, and it is no more"}
	}
	return records.Ask{Cause: records.Reminder, Why: fmt.Sprintf("People were first told %s ago, and it is as it was", text.Duration(c.Now().Sub(*a.First)))}
}

// tellLasted tells people of recoveries that were no news before they had lasted.
func (c *Cycle) tellLasted(keep context.Context) error {
	lasted, err := c.Store.RecoveriesToTell(keep, c.Trusted())
	for _, i := range lasted {
		if err := c.TellRecovered(keep, i); err != nil {
			return err
		}
	}
	return err
}

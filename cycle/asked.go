package cycle

import (
	"context"
	"fmt"

	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/inventory"
)

// Asked is what a person asks of a cycle about some services: Config.Services, which are all that the cycle's Inventory has. The zero value
// is a cycle as it is scheduled.
type Asked struct {
	Whole    *inventory.Inventory // with all other services: watching them goes on while a tier runs
	Services []string             // those named; Config.Services has what they depend on, too
	Question string               // for the agents of all tiers from Tier on; empty for none
	Tier     int                  // the tier to start after Tier 1's checks, whatever they find; 0 or 1 to leave that to what is found
}

// asked reports whether a person asked for this cycle.
func (c *Cycle) asked() bool { return c.Asked.Services != nil }

// observer is the agent of Tier 1. A question is for a model; before a tier that a person chose, the checks alone are enough.
func (c *Cycle) observer() string {
	hasChecks := inventory.CountChecks(c.services()) > 0
	switch {
	case c.Asked.Tier > 1 && hasChecks:
		return agentProbe
	case c.Asked.Question != "" && c.Asked.Tier <= 1:
		return agentClaude
	}
	return string(c.Observer)
}

// services are those that the cycle looks at.
func (c *Cycle) services() []inventory.Service {
	if c.Inventory == nil {
		return nil
	}
	return c.Inventory.Services
}

// startAsked hands the services that a person asked about to the tier of their choice, with what Tier 1 found of them.
func (c *Cycle) startAsked(_, keep context.Context, done *tierRun) (tier int, err error) {
	// Of Tier 1 there is no other form: it asks for Tier 2, and the person for another.
	h := handoff.Handoff{SchemaVersion: handoff.SchemaVersion, RecommendedTier: 2, ServicesAffected: c.Asked.Services}
	for _, e := range c.unwell() {
		h.ServicesAffected = union(h.ServicesAffected, []string{e.service})
	}
	h.Take(c.view)
	if h.CooldownState, err = c.Snapshot(keep, h.ServicesAffected); err != nil {
		return 0, err
	}
	done.handoff, done.services = &h, h.ServicesAffected
	done.proven = map[string]bool{} // what is healthy is looked at, too
	if err := c.keepHandoff(keep, done); err != nil {
		return 0, err
	}
	return c.carryOut(keep, done, verdict{next: c.Asked.Tier, reason: fmt.Sprintf("Tier %d started for %s: a person asked for it", c.Asked.Tier, some(h.ServicesAffected))})
}

// onlyAnswered reports whether a tier that was asked a question remediated nothing: then it is no attempt at the incidents of its services.
func (c *Cycle) onlyAnswered(keep context.Context, done *tierRun) (bool, error) {
	if done.session.Question == "" || done.session.Tier == 1 {
		return false, nil
	}
	acts, err := c.Store.SessionActs(keep, done.session.ID)
	return len(acts) == 0, err
}

// questionForm is the operator's question as an agent reads it, below its tier's prompt.
const questionForm = `
## The Operator's Question
The operator started this cycle about %s and asks:

%s

Find it out with what your tier may do, and answer it first in your last message: in a few plain sentences, with the evidence, or with what
could not be found out. All of the above holds as always.
`

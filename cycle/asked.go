package cycle

import (
	"context"

	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
)

// Asked is a person's request for a cycle on certain services. Config.Services names them, and the cycle's Inventory holds only them. The
// zero value is a scheduled cycle.
type Asked struct {
	Whole    *inventory.Inventory // the full inventory: the other services are still watched while a tier runs
	Services []string             // as named by the person; Config.Services also includes their dependencies
	Question string               // for the agents of all tiers from Tier on; empty for none
	Tier     int                  // the tier to start after Tier 1's checks, whatever they find; 0 or 1: the findings decide
}

// asked reports whether a person asked for this cycle.
func (c *Cycle) asked() bool { return c.Asked.Services != nil }

// observer returns the agent of Tier 1. An alert needs no model to be seen. A question needs a model; if a person chose a tier, the checks alone are enough before it.
func (c *Cycle) observer() string {
	switch {
	case c.Trigger == store.ByAlert && c.Inventory.HasChecks():
		return agentProbe // the sender has looked; what it found is Tier 2's to explain
	case c.Asked.Tier > 1 && inventory.CountChecks(c.Inventory.Services) > 0:
		return agentProbe
	case c.Asked.Question != "" && c.Asked.Tier <= 1:
		return agentClaude
	}
	return string(c.Observer)
}

// handOver hands the requested services, and Tier 1's findings about them, to the tier that the person chose.
func (c *Cycle) handOver(ctx context.Context, done *tierRun) error {
	now, err := c.picture(ctx)
	if err != nil {
		return err
	}
	p := c.closing(now)
	services := union(c.Asked.Services, p.unwell())
	results := store.Results(done.checks)
	for _, name := range services {
		results = append(results, now.Service(name).AlertResults()...)
	}
	h := handoff.Make(handoff.Handoff{ServicesAffected: services}, results, now.HandedAlerts())
	done.handoff, done.services, done.chosen = &h, h.ServicesAffected, c.Asked.Tier
	return nil
}

// questionForm presents the operator's question to an agent, below its tier's prompt.
const questionForm = `
## The Operator's Question
The operator started this cycle about %s and asks:

%s

Find it out with what your tier may do, and answer it first in your last message: in a few plain sentences, or with what could not be
found out. Then evidence, a line each: ` + "`[EVIDENCE] COMMAND => words of its output`" + `. All of the above holds as always.
`

package cycle

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// conclude plans what people are told at the end of the cycle.
func (c *Cycle) conclude(ctx context.Context) error {
	_, err := c.plan(ctx, Closing, &tierRun{}, nil)
	return err
}

// planClosing plans the reminders about services that are unwell still, or again, the messages about recoveries that had
// to prove stable first, and what the summary says that humans are needed for. It reminds of no service that a chain of
// this cycle claims to have solved. Faults of the monitoring itself are told whenever they occur.
func (p *planner) planClosing() {
	unwell := p.unwell()
	for _, id := range slices.Sorted(maps.Keys(p.Told)) {
		told := p.Told[id]
		switch i := told.Incident; {
		case i.ClosedAt != nil && notify.SaidUnwell(told):
			p.add(wellAgain{i})
		case i.ClosedAt != nil || i.LastChain == store.ChainSolved || !slices.Contains(unwell, i.Service):
		default:
			if why := notify.Remind(told, p.Now.Now); why.Cause != "" {
				p.ask(i.Service, why)
			}
		}
	}
	p.add(needed{p})
}

// needed adds the recorded requests for a human to the summary. Commands that a tier ran may have made some of them.
type needed struct{ *planner }

func (s needed) do(ctx context.Context, a *applying) error {
	since := a.summary.StartedAt.Truncate(time.Millisecond) // the store keeps times to the millisecond
	asked, err := a.Store.AskedOf(ctx, since, -1)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, n := range a.summary.Attention {
		known[n.Service] = true
	}
	for _, n := range s.needs(asked, since) {
		if n.Service == "" || !known[n.Service] {
			known[n.Service] = true
			a.summary.addAttention(n.Service, n.Reason)
		}
	}
	return nil
}

// needs returns what humans are needed for at the end of a cycle: answers to proposals, requests made since it began,
// services that are still unwell after an earlier request, and incidents without a request that no chain claims to have
// solved; none of a service that is quiet. asked holds the last request of each incident, newest first.
func (p *planner) needs(asked []store.Notification, since time.Time) (all []Attention) {
	for _, w := range p.Now.Waiting() {
		all = append(all, Attention{w.Service, fmt.Sprintf("%s: `claudeops proposals show %d`", notify.ProposalWaits(w), w.ID)})
	}
	before := map[string]string{} // earlier requests by service
	for _, n := range slices.Backward(asked) {
		switch {
		case n.Kind != store.HumanAttention, slices.Contains(inSummary, notify.Cause(n.Cause)):
			continue
		case n.Service != "":
			before[n.Service] = n.Title
		}
		if !n.CreatedAt.Before(since) {
			all = append(all, Attention{n.Service, n.Title})
		}
	}
	for _, name := range p.unwell() {
		if title, was := before[name]; was {
			all = append(all, Attention{name, title})
		} else if i := p.incident(name); i != nil && i.LastChain != store.ChainSolved {
			all = append(all, Attention{name, fmt.Sprintf("%s is %s, and nothing follows in this cycle", name, p.Now.Service(name).Status())})
		}
	}
	return slices.DeleteFunc(all, func(a Attention) bool {
		return a.Service != "" && p.Now.Service(a.Service).Quiet().Given()
	})
}

// inSummary are the causes of requests that reach the summary in another way, even if they are repeats.
var inSummary = []notify.Cause{notify.BadHandoff, notify.NoBudget, notify.UnusableDatabase}

package cycle

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// remind repeats the request for services that are still unwell a day after the last one, and for services that are unwell again although
// the last message said that they are well.
func (c *Cycle) remind(ctx context.Context) error {
	asked, err := c.Store.AskedBefore(ctx, c.Now())
	if err != nil || len(asked) == 0 {
		return err
	}
	_, err = c.plan(ctx, Closing, &tierRun{}, func(r *Round) { r.AskedBefore = asked })
	return err
}

// planReminders plans the reminders of incidents about which people were asked before. It omits services that a chain of this cycle claims
// to have solved, or that are held back. Faults of the monitoring itself are reported whenever they occur.
func (p *planner) planReminders() {
	unwell := p.unwell()
	for _, a := range p.AskedBefore {
		name := a.Incident.Service
		if !slices.Contains(unwell, name) || a.Incident.LastChain == store.ChainSolved || p.heldBack(name).Given() {
			continue
		}
		cause, why := ledger.UnwellAgain, "The last message said that it is well, and it no longer is"
		if !a.Well {
			cause, why = ledger.Reminder, fmt.Sprintf("The first message was %s ago, and nothing has changed since", text.Duration(p.Now.Now.Sub(*a.First)))
		}
		p.ask(a.Incident, cause, why)
	}
}

// notifyLasted sends the messages about recoveries that had to prove stable first.
func (c *Cycle) notifyLasted(ctx context.Context) error {
	lasted, err := c.Store.RecoveriesToTell(ctx, c.Now())
	for _, i := range lasted {
		if err := c.NotifyRecovered(ctx, i); err != nil {
			return err
		}
	}
	return err
}

// completeNeeds adds the recorded requests for a human to the summary. Commands that a tier ran may have made some of them.
func (c *Cycle) completeNeeds(ctx context.Context) error {
	now, err := c.picture(ctx)
	if err != nil {
		return err
	}
	since := c.summary.StartedAt.Truncate(time.Millisecond) // the store keeps times to the millisecond
	asked, err := c.Store.AskedOf(ctx, since, -1)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, a := range c.summary.Attention {
		known[a.Service] = true
	}
	for _, p := range now.Pending {
		if p.Status == store.ProposalWaiting && !known[p.Service] && !now.Service(p.Service).Quiet().Given() {
			known[p.Service] = true
			c.summary.addAttention(p.Service, fmt.Sprintf("%s: `claudeops proposals show %d`", notify.ProposalWaits(p), p.ID))
		}
	}
	for _, n := range c.closing(now).needs(asked, since) {
		if n.Service == "" || !known[n.Service] && !now.Service(n.Service).Quiet().Given() {
			known[n.Service] = true
			c.summary.addAttention(n.Service, n.Reason)
		}
	}
	return nil
}

// needs returns what humans are needed for at the end of a cycle: requests made since it began, services that are still unwell after an
// earlier request, and incidents without a request that no chain claims to have solved. asked holds the last request of each incident,
// newest first.
func (p *planner) needs(asked []store.Notification, since time.Time) (all []Attention) {
	before := map[string]string{} // earlier requests by service
	for _, n := range slices.Backward(asked) {
		switch {
		case n.Kind != store.HumanAttention, slices.Contains(inSummary, n.Cause):
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
	return all
}

// inSummary are the causes of requests that reach the summary in another way, even if they are repeats.
var inSummary = []string{notify.CauseInvalidHandoff, notify.CauseBudgetSpent, notify.CauseUnusableDatabase}

package cycle

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// allNeeds completes what the summary says of a human by what was recorded: requests may come from whatever a tier has called.
func (c *Cycle) allNeeds(keep context.Context) error {
	open, err := c.Store.OpenIncidents(keep)
	if err != nil {
		return err
	}
	since := c.summary.StartedAt.Truncate(time.Millisecond) // as the store keeps times
	asked, err := c.Store.AskedOf(keep, since, -1)
	if err != nil {
		return err
	}
	found := check.Worst(c.view)
	still := slices.DeleteFunc(c.unwell(), func(e evaluation) bool { return found[e.service] == check.Healthy })
	known := map[string]bool{}
	for _, a := range c.summary.Attention {
		known[a.Service] = true
	}
	c.ForgetSilences()
	for _, n := range needs(still, open, asked, since) {
		if n.Service != "" && known[n.Service] {
			continue
		}
		quiet, err := c.quiet(keep, n.Service)
		if err != nil {
			return err
		}
		if !quiet || n.Service == "" {
			known[n.Service] = true
			c.summary.needHuman(n.Service, n.Reason)
		}
	}
	return nil
}

// needs are what humans are needed for at the end of a cycle: what they were asked since it began; services that are still unwell and that
// they were asked about before; and those whose incident no chain claims to have solved, although nobody was asked. The last requests come
// newest first, one an incident.
func needs(still []evaluation, open map[string]store.Incident, asked []store.Notification, since time.Time) (all []Attention) {
	before := map[string]string{} // what was asked of each service
	for _, n := range slices.Backward(asked) {
		switch {
		case n.Kind != store.HumanAttention, saidByCycle(records.Cause(n.Cause)):
			continue
		case n.Service != "":
			before[n.Service] = n.Title
		}
		if !n.CreatedAt.Before(since) {
			all = append(all, Attention{n.Service, n.Title})
		}
	}
	for _, e := range still {
		if title, was := before[e.service]; was {
			all = append(all, Attention{e.service, title})
		} else if i, known := open[e.service]; known && i.LastChain != chainSolved {
			all = append(all, Attention{e.service, fmt.Sprintf("%s is %s, and nothing follows in this cycle", e.service, e.status)})
		}
	}
	return all
}

// saidByCycle reports whether the cycle itself says what a human was asked for by a cause, whether or not it is told again.
func saidByCycle(cause records.Cause) bool {
	switch cause {
	case records.InvalidHandoff, records.BudgetSpent, records.NoSandbox, records.DamagedDatabase, records.MovedDatabase:
		return true
	}
	return strings.HasPrefix(string(cause), string(records.ForeignSchema))
}

package cycle

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

const (
	// alertsApart is the least time between two chains that a service's alerts alone start, and between two that alerts about unknown
	// services start (RULE "Alerts").
	alertsApart = 10 * time.Minute
	// alertSettles is how long an alert may take to end after a remediation, before anything else follows (RULE "Alerts").
	alertSettles = 15 * time.Minute
)

// readAlerts ends the alerts that were not repeated, and reads those that fire about this cycle's services.
func (c *Cycle) readAlerts(keep context.Context) error {
	expired, err := c.Store.ExpireAlerts(keep, c.Now().Add(-records.AlertLasts), c.Now())
	if err != nil {
		return err
	}
	if len(expired) > 0 {
		var names []string
		for _, a := range expired {
			names = append(names, a.Service+": "+a.Title)
		}
		if err := c.event(keep, store.Info, 0, "", fmt.Sprintf("not repeated for %s, so taken for ended: %s", text.Duration(records.AlertLasts), some(names))); err != nil {
			return err
		}
	}
	firing, err := c.Store.FiringAlerts(keep, "", 0)
	if err != nil {
		return err
	}
	c.alerts = map[string][]store.AlertRow{}
	for _, a := range firing {
		if c.Inventory.Elsewhere(a.Service) != "" || c.asked() && !slices.Contains(c.Config.Services, a.Service) {
			continue
		}
		c.alerts[a.Service] = append(c.alerts[a.Service], a)
	}
	return nil
}

// alertResults returns what the alerts say, as one result for each service.
func (c *Cycle) alertResults() []store.Check {
	found := make([]store.Check, 0, len(c.alerts))
	for service, alerts := range c.alerts {
		found = append(found, store.Check{Result: records.AlertResult(service, alerts), CheckedAt: c.Now()})
	}
	slices.SortFunc(found, func(x, y store.Check) int { return cmp.Compare(x.Service, y.Service) })
	return found
}

// onlyByAlert returns the services that nothing but their alerts shows to be unwell.
func onlyByAlert(results []check.Result) map[string]bool {
	only := map[string]bool{}
	for _, r := range results {
		if r.Type == records.ByAlert {
			only[r.Service] = true
		}
	}
	for _, r := range results {
		if r.Type != records.ByAlert && r.Status.Unwell() {
			delete(only, r.Service)
		}
	}
	return only
}

// alertHold returns what holds back a service that only its alerts show to be unwell: after a remediation, the time that they may take to
// end. Where no chain has begun yet, also that the last one began a moment ago.
func (c *Cycle) alertHold(keep context.Context, service string, begun bool) (hold records.Hold, err error) {
	if !c.onlyAlerts[service] {
		return hold, nil
	}
	now := c.Now()
	acts, err := c.Store.ActsBetween(keep, service, now.Add(-alertSettles), now.Add(time.Second))
	if err != nil {
		return hold, err
	}
	acts = slices.DeleteFunc(acts, store.Act.OnlyClaimed)
	if len(acts) > 0 {
		hold.Reason = fmt.Sprintf("acted %s, waiting for the alert to end", text.Ago(now.Sub(acts[len(acts)-1].CreatedAt)))
		return hold, nil
	}
	if begun {
		return hold, nil
	}
	began, of, err := c.lastChain(keep, service)
	if err == nil && began != nil && now.Sub(*began) < alertsApart {
		hold.Reason = fmt.Sprintf("an agent was started for %s %s, and the next one is started %s later at the earliest",
			of, text.Ago(now.Sub(*began)), text.Duration(alertsApart))
	}
	return hold, err
}

// lastChain returns when a chain was last started for a service's alert, and of what alert to say so. The names that the inventory does
// not know are the sender's to choose, so they count as one service.
func (c *Cycle) lastChain(keep context.Context, service string) (began *time.Time, of string, err error) {
	if _, known := c.Inventory.Get(service); !known {
		chains, err := c.Store.AlertedChains(keep, c.Now().Add(-alertsApart))
		for _, chain := range chains {
			if _, known := c.Inventory.Get(chain.Service); !known && (began == nil || chain.StartedAt.After(*began)) {
				began = &chain.StartedAt
			}
		}
		return began, "an alert about a service that the inventory does not know", err
	}
	last, known, err := c.Store.LastIncident(keep, service)
	if err != nil || !known {
		return nil, "", err
	}
	began, err = c.Store.LastChain(keep, last.ID) // also of one that has ended: an alert may come and go
	return began, "its alert", err
}

// alerted returns an incident whose service has an alert as one that has lasted long enough: the sender has waited already, so fail_after
// does not delay it.
func (c *Cycle) alerted(i store.Incident) store.Incident {
	if len(c.alerts[i.Service]) > 0 {
		i.UnwellCycles = max(i.UnwellCycles, c.failAfter(i.Service))
	}
	return i
}

// handedAlerts returns the alerts for a handoff.
func (c *Cycle) handedAlerts() (all []handoff.Alert) {
	for _, service := range slices.Sorted(maps.Keys(c.alerts)) {
		for _, a := range c.alerts[service] {
			all = append(all, handoff.Alert{Service: a.Service, Source: a.Source, Means: a.Means, Title: a.Title, Body: a.Body, Since: a.StartsAt})
		}
	}
	return all
}

// awaitAlerts says of each service that a tier has remediated without a check that could prove it that its alert is waited for.
func (c *Cycle) awaitAlerts(keep context.Context, done *tierRun) error {
	if done.session.Tier == 1 || len(c.alerts) == 0 {
		return nil
	}
	acts, err := c.Store.SessionActs(keep, done.session.ID)
	if err != nil {
		return err
	}
	told := map[string]bool{}
	for _, a := range acts {
		if a.OnlyClaimed() || told[a.Service] || done.proven[a.Service] || !c.onlyAlerts[a.Service] {
			continue
		}
		told[a.Service] = true
		if err := c.event(keep, store.Info, done.session.ID, a.Service, fmt.Sprintf("Tier %d acted on %s: no check can prove that it helped, so its alert is waited for, %s at most",
			done.session.Tier, a.Service, text.Duration(alertSettles))); err != nil {
			return err
		}
	}
	return nil
}

package cycle

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// queueDigest puts the daily digest into the outbox when it is due (SPEC-0007 REQ-9), then writes last_daily_digest. If a cycle was
// killed between the two, the digest is in the outbox, and only the field is written. If no notification target is configured, or
// everything is paused, no digest is made and the field stays unchanged.
func (c *Cycle) queueDigest(ctx context.Context) error {
	now := c.Now()
	if !c.Config.Notifies() || !c.digestDue(c.before, now) {
		return nil
	}
	if paused, err := c.Store.Paused(ctx, now); err != nil || paused {
		return err
	}
	queued, err := c.Store.LastDigest(ctx, now)
	if err != nil {
		return err
	}
	sent := statefile.State{}
	if queued != nil {
		sent.LastDailyDigest = new(queued.Truncate(time.Second)) // cooldown.json has times to the second
	}
	if queued != nil && c.leftBehind(*queued) && !c.digestDue(&sent, now) {
		return c.keepDigestTime(ctx, *queued)
	}
	d, err := c.digest(ctx, now, queued)
	if err != nil {
		return err
	}
	if err := c.Notify(ctx, store.Notification{Kind: store.DailyDigest, Title: d.Title(), Body: d.Body(c.Redactor.String)}); err != nil {
		return err
	}
	return c.keepDigestTime(ctx, now)
}

// leftBehind reports whether a digest was queued by a cycle that failed before it wrote last_daily_digest, because it was killed or could
// not write the file. A later last_run shows that the file could be written: then an operator has reset the field and wants another
// digest.
func (c *Cycle) leftBehind(queued time.Time) bool {
	last := c.before.LastRun
	return last == nil || queued.Truncate(time.Second).After(*last)
}

// digestDue reports whether the next digest is due: 24 h after the last one or, if the inventory sets a time of day, when that time has
// come since the last one.
func (c *Cycle) digestDue(st *statefile.State, now time.Time) bool {
	last := st.LastDailyDigest
	if c.Inventory == nil || c.Inventory.Digest.String() == "" || last == nil {
		return st.DigestDue(now)
	}
	return !c.Inventory.Digest.Next(*last).After(now)
}

func (c *Cycle) keepDigestTime(ctx context.Context, at time.Time) error {
	return c.UpdateState(ctx, func(st *statefile.State) error {
		st.LastDailyDigest = new(at)
		return nil
	})
}

// digest summarizes the time before now: usually since the last digest, at least a day and at most a week.
func (c *Cycle) digest(ctx context.Context, now time.Time, last *time.Time) (d notify.Digest, err error) {
	d = notify.Digest{Now: now, Since: now.Add(-notify.DigestSpan), Unchecked: len(c.found) == 0, BudgetUSD: c.Config.DailyBudgetUSD}
	d.Known = func(service string) bool { _, known := c.Inventory.Get(service); return known }
	if last == nil && c.before.LastDailyDigest != nil {
		last = c.before.LastDailyDigest
	}
	if week := now.Add(-7 * notify.DigestSpan); last != nil && last.Before(d.Since) {
		d.Since = *last
		if last.Before(week) {
			d.Since = week
		}
	}
	picture, err := c.picture(ctx)
	if err != nil {
		return d, err
	}
	open := picture.Open()
	d.Open, d.Unwell = len(open), c.unwellServices(open)
	d.Gone = c.goneIncidents(open)
	for _, name := range slices.Sorted(maps.Keys(open)) {
		if open[name].State() == store.IncidentRecovering {
			d.Recovering = append(d.Recovering, open[name])
		}
	}
	uptimes, err := c.Store.Uptimes(ctx, now)
	if err != nil {
		return d, err
	}
	c.countServices(&d, uptimes, picture)
	if d.Day, err = c.Store.Day(ctx, d.Since); err != nil {
		return d, err
	}
	if d.Closed, err = c.Store.ClosedIncidents(ctx, d.Since, notify.MostListed); err != nil {
		return d, err
	}
	if d.Worked, err = c.Store.Worked(ctx, d.Since); err != nil {
		return d, err
	}
	d.Cooling = coolingServices(picture, d.Worked)
	if d.WeekUSD, err = c.Store.CostSince(ctx, now.Add(-7*24*time.Hour)); err != nil {
		return d, err
	}
	d.Silences = picture.Silences()
	d.LeftUSD, _ = picture.BudgetLeft()
	return d, nil
}

// unwellServices returns the services that this cycle found unwell, and those with open incidents that it did not check. Services that
// are down come first, then those unwell for longest.
func (c *Cycle) unwellServices(open map[string]store.Incident) (unwell []notify.UnwellService) {
	looked, by := map[string]bool{}, check.Worst(c.view)
	for _, e := range c.found {
		looked[e.service] = true
		if e.status.Unwell() && by[e.service] != check.Healthy { // a tier of this cycle may have fixed it
			unwell = append(unwell, notify.UnwellService{
				Name: e.service, Status: e.status, Incident: open[e.service], Found: c.said(e), Held: c.held[e.service].Reason,
			})
		}
	}
	for name, i := range open {
		if !looked[name] && c.listed(name) && i.State() == store.IncidentOpen {
			unwell = append(unwell, notify.UnwellService{Name: name, Status: i.Status, Incident: i, Found: "not looked at in this cycle"})
		}
	}
	slices.SortFunc(unwell, func(x, y notify.UnwellService) int {
		return cmp.Or(check.WorstFirst(x.Status, y.Status), cmp.Compare(orLast(x.Incident), orLast(y.Incident)), cmp.Compare(x.Name, y.Name))
	})
	return unwell
}

// listed reports whether the inventory has the service for this shard, or there is no inventory.
func (c *Cycle) listed(service string) bool {
	_, known := c.Inventory.Get(service)
	return known && c.Inventory.Elsewhere(service) == "" || !c.Inventory.HasChecks()
}

// goneIncidents returns the open incidents, oldest first, of services that are not in the inventory and that this cycle did not check.
// They were renamed, removed or moved to another shard, so no check will ever close their incidents.
func (c *Cycle) goneIncidents(open map[string]store.Incident) (gone []notify.GoneIncident) {
	for name, i := range open {
		if !c.listed(name) && !slices.ContainsFunc(c.found, func(e evaluation) bool { return e.service == name }) {
			gone = append(gone, notify.GoneIncident{Incident: i, Elsewhere: c.Inventory.Elsewhere(name)})
		}
	}
	slices.SortFunc(gone, func(x, y notify.GoneIncident) int { return cmp.Compare(x.ID, y.ID) })
	return gone
}

// orLast returns when an incident opened, as a sort key. An incident without that time sorts last.
func orLast(i store.Incident) int64 {
	if i.ID == 0 {
		return 1<<63 - 1
	}
	return i.OpenedAt.UnixMilli()
}

// countServices counts the services that are checked, and names the others.
func (c *Cycle) countServices(d *notify.Digest, uptimes []store.Uptime, picture *state.State) {
	known := map[string]bool{}
	for _, e := range c.found {
		known[e.service] = true
	}
	for _, u := range d.Unwell {
		known[u.Name] = true
	}
	missed := map[string]store.Uptime{}
	d.Began = d.Now
	for _, u := range uptimes {
		if u.First.Before(d.Began) {
			d.Began = u.First
		}
		if !known[u.Service] && !c.listed(u.Service) {
			continue // no longer in the inventory
		}
		switch {
		case picture.Service(u.Service).Status() != "" && !u.Last.Before(d.Now.Add(-notify.DigestSpan)):
			known[u.Service] = true
			d.Uptimes = append(d.Uptimes, u)
		case !known[u.Service] && u.Last.After(d.Since):
			missed[u.Service] = u
		}
	}
	if d.Now.Sub(d.Began) >= notify.DigestSpan {
		d.Began = time.Time{}
	}
	d.Services = len(known)
	if c.Inventory != nil {
		for _, s := range c.Inventory.Services {
			if _, has := missed[s.Name]; !has && len(s.Checks) > 0 && !known[s.Name] {
				missed[s.Name] = store.Uptime{Service: s.Name}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(missed)) {
		d.Missed = append(d.Missed, missed[name])
	}
}

// coolingServices returns, by name, the services that may not be restarted or not be redeployed now. Only services with records, or
// remediated within a day, are considered.
func coolingServices(now *state.State, worked []store.Work) (cooling []notify.CoolingService) {
	names := map[string]bool{}
	for _, w := range worked {
		names[w.Service] = true
	}
	for name, is := range now.File.Services {
		if len(is.Restarts)+len(is.Redeployments) > 0 {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		restart, redeployment := now.Service(name).Both()
		cools := notify.CoolingService{Service: name}
		for _, p := range []state.Permission{restart, redeployment} {
			if !p.Permitted() {
				cools.Until = append(cools.Until, notify.Forbidden{Action: p.Action, Before: p.Frees()})
			}
		}
		if len(cools.Until) > 0 {
			cooling = append(cooling, cools)
		}
	}
	return cooling
}

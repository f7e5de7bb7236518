package cycle

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// queueDigest puts the daily digest into the outbox when it is due, and writes last_daily_digest (SPEC-0007 REQ-9). If no
// notification target is configured, or everything is paused, no digest is made and the field stays unchanged.
func (c *Cycle) queueDigest(ctx context.Context) error {
	if !c.Config.Notifies() || !c.digestDue() {
		return nil
	}
	now, err := c.picture(ctx)
	if err != nil || now.Pause != nil {
		return err
	}
	d, err := c.digest(ctx, now)
	if err != nil {
		return err
	}
	n, err := d.Notification(c.Redactor.String)
	if err != nil {
		return err
	}
	if _, err := notify.Queue(ctx, c.Store, n); err != nil { // first: one digest too many is better than none
		return err
	}
	return c.UpdateState(ctx, func(file *statefile.State) error {
		file.LastDailyDigest = new(now.Now)
		return nil
	})
}

// digestDue reports whether the next digest is due: 24 h after the last one or, if the inventory sets a time of day,
// when that time has come since the last one.
func (c *Cycle) digestDue() bool {
	last := c.before.LastDailyDigest
	if c.Inventory == nil || c.Inventory.Digest.String() == "" || last == nil {
		return c.before.DigestDue(c.Now())
	}
	return !c.Inventory.Digest.Next(*last).After(c.Now())
}

// digest sums up the picture, and what happened since the last digest, in a day at least.
func (c *Cycle) digest(ctx context.Context, now *state.State) (d notify.Digest, err error) {
	d = notify.Digest{Since: now.Now.Add(-statefile.DigestEvery), BudgetUSD: c.Config.DailyBudgetUSD, Unseen: len(c.closing(now).found) == 0}
	d.Name = func(service string) string { return shownName(now.Service(service)) }
	if last := now.File.LastDailyDigest; last != nil && last.Before(d.Since) {
		d.Since = *last
	}
	left, _ := now.BudgetLeft()
	d.LeftUSD = max(left, 0)
	if d.Closed, err = c.Store.Incidents(ctx, store.IncidentFilter{Closed: d.Since}); err != nil {
		return d, err
	}
	slices.SortStableFunc(d.Closed, func(x, y store.Incident) int { // the longest first
		return cmp.Compare(y.ClosedAt.Sub(y.OpenedAt), x.ClosedAt.Sub(x.OpenedAt))
	})
	if d.Worked, err = c.Store.Worked(ctx, d.Since); err != nil {
		return d, err
	}
	if d.Tiers, err = c.Store.CostByTier(ctx, d.Since); err != nil {
		return d, err
	}
	if d.WeekUSD, err = c.Store.CostSince(ctx, now.Now.Add(-7*24*time.Hour)); err != nil {
		return d, err
	}
	uptimes, err := c.Store.Uptimes(ctx, now.Now)
	for _, u := range uptimes {
		if now.Service(u.Service).Status() != "" && u.Week.Down > 0 {
			d.Below = append(d.Below, u)
		}
	}
	slices.SortStableFunc(d.Below, func(x, y store.Uptime) int {
		return cmp.Or(cmp.Compare(x.Day.Up(), y.Day.Up()), cmp.Compare(x.Week.Up(), y.Week.Up()))
	})
	c.digestServices(&d, now)
	return d, err
}

// digestServices counts the services of the picture and their incidents, and says what is to be said of each, the worst
// first.
func (c *Cycle) digestServices(d *notify.Digest, now *state.State) {
	incidents := slices.Clone(d.Closed)
	services := now.Services()
	slices.SortStableFunc(services, func(x, y *state.Service) int { return check.WorstFirst(x.Status(), y.Status()) })
	for _, s := range services {
		if s.Status() == "" && s.Incident == nil && !s.HasChecks() {
			continue // it is known by what was done to it alone
		}
		d.Watched++
		if s.Status() == check.Healthy {
			d.Healthy++
		}
		if s.Incident != nil {
			d.Open++
			incidents = append(incidents, *s.Incident)
		}
		if says := c.inDigest(s, now.Now); len(says) > 0 {
			d.Services = append(d.Services, shownName(s)+": "+strings.Join(says, "; "))
		}
	}
	for _, i := range incidents {
		if !i.OpenedAt.Before(d.Since) {
			d.Opened++
		}
	}
}

// inDigest returns what is to be said of a service, as clauses; none if it is well and nothing holds it back.
func (c *Cycle) inDigest(s *state.Service, now time.Time) (says []string) {
	say := func(format string, args ...any) { says = append(says, fmt.Sprintf(format, args...)) }
	status, i, hold := s.Status(), s.Incident, s.Quiet()
	switch {
	case i != nil && i.State() == store.IncidentRecovering:
		say("healthy for %s, incident %d %s", text.Duration(now.Sub(*i.HealthySince)), i.ID, i.Closes())
	case i != nil:
		say("%s for %s, incident %d", i.Shown(status).Status, text.Duration(now.Sub(i.OpenedAt)), i.ID)
	case status != check.Healthy && status != "":
		say("%s", status)
	}
	if status == "" {
		say("not checked")
	}
	if status.Unwell() {
		hold = s.Held(state.Messages)
	}
	if hold.Given() {
		say("%s", hold.Reason)
	}
	if found := s.Found(c.Redactor.String); len(found) > 0 {
		say("%s: %s", found[0].Type, found[0].Error)
	}
	for _, action := range statefile.Actions() {
		if p := s.Permission(action); !p.Permitted() {
			say("no %s before %s", action, text.Moment(p.Frees()))
		}
	}
	return says
}

// shownName returns the name of a service for people: one that the services file does not have is a sender's or an
// agent's choice, and no link.
func shownName(s *state.Service) string {
	if s.Listed == nil {
		return text.Unlinked(s.Name)
	}
	return s.Name
}

package cycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/books"
	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// keptFindings bounds what an incident remembers of one session, so that its history stays short enough for a context.
const keptFindings = 4000

// trackIncidents opens, updates and closes incidents by this cycle's evaluations. reset are the services that were healthy
// for the second cycle in a row.
func (c *Cycle) trackIncidents(keep context.Context, done *link, reset []string) error {
	open, err := c.Store.OpenIncidents(keep)
	if err != nil {
		return err
	}
	for _, e := range c.found {
		incident, known := open[e.service]
		_, held := c.held[e.service]
		switch {
		case held:
		case e.status != check.Healthy && !known:
			err = c.openIncident(keep, done, e)
		case e.status != check.Healthy:
			err = c.continueIncident(keep, done, e, incident)
		case known:
			err = c.Store.SaveIncident(keep, seenHealthy(incident))
		}
		if err != nil {
			return err
		}
	}
	for _, name := range reset {
		incident, known := open[name]
		if !known || c.maintained(name) {
			continue // an incident waits for the end of a maintenance: its own end is told
		}
		if err := c.closeIncident(keep, done, incident); err != nil {
			return err
		}
	}
	return c.recordHeld(keep, done)
}

// maintained reports whether a service is in a maintenance window now.
func (c *Cycle) maintained(service string) bool {
	s, known := c.Inventory.Get(service)
	if !known {
		return false
	}
	_, _, open := s.Maintained(c.Now())
	return open
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
			own.LastSeenAt, own.Status = c.Now(), e.status
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

func (c *Cycle) openIncident(keep context.Context, done *link, e evaluation) error {
	id, err := c.Store.OpenIncident(keep, store.Incident{
		Service: e.service, Status: e.status, Fingerprint: e.fingerprint, OpenedAt: c.Now(), LastSeenAt: c.Now(),
	})
	if err != nil {
		return err
	}
	if err := c.Store.LinkSession(keep, id, done.session.ID, "", ""); err != nil {
		return err
	}
	text := fmt.Sprintf("%s is %s: incident %d opened", e.service, e.status, id)
	if e.found != "" {
		text += " (" + e.found + ")"
	}
	return c.say(keep, store.Warning, done.session.ID, e.service, text)
}

func (c *Cycle) continueIncident(keep context.Context, done *link, e evaluation, incident store.Incident) error {
	after, stuck := seenUnhealthy(incident, e.status, e.fingerprint, c.Now())
	if err := c.Store.SaveIncident(keep, after); err != nil {
		return err
	}
	if err := c.Store.LinkSession(keep, after.ID, done.session.ID, "", ""); err != nil {
		return err
	}
	if !stuck {
		return nil
	}
	text := fmt.Sprintf("%s is still %s, as before, although %d chains in a row ended as solved", e.service, e.status, hollowFixesToDeadEnd)
	if err := c.say(keep, store.Critical, done.session.ID, e.service, text); err != nil {
		return err
	}
	c.summary.needHuman(e.service, text)
	return c.RequestAttention(keep, after, books.HollowFix, text)
}

func (c *Cycle) closeIncident(keep context.Context, done *link, incident store.Incident) error {
	now := c.Now()
	incident = seenHealthy(incident)
	incident.Status, incident.ClosedAt, incident.LastSeenAt = check.Healthy, &now, now
	if err := c.Store.SaveIncident(keep, incident); err != nil {
		return err
	}
	c.summary.recovered(incident)
	text := fmt.Sprintf("%s recovered: healthy in %d cycles in a row, incident %d closed after %s",
		incident.Service, statefile.HealthyToReset, incident.ID, now.Sub(incident.OpenedAt).Round(time.Second))
	if err := c.say(keep, store.Info, done.session.ID, incident.Service, text); err != nil {
		return err
	}
	return c.Notify(keep, store.Notification{
		IncidentID: &incident.ID, Kind: store.Recovered, Service: incident.Service,
		Title: incident.Service + " recovered", Body: text + ".",
	})
}

// ended closes the chain after a tier that left no handoff that counts. A tier above the first that completed claims to have
// solved what it was started for; what the program's own checks then find healthy is, of the rest the next cycle's checks say. One
// that failed, or asked for help in a form that nobody could read, leaves to a human what is not found healthy.
func (c *Cycle) ended(keep context.Context, done *link) error {
	o := done.outcome
	fault := ""
	switch {
	case done.session.Tier == 1:
		return c.watchFailures(keep, done)
	case o.Ending == tiers.Interrupted:
		return c.linkAll(keep, done, "", "interrupted")
	case o.Ending != tiers.Completed:
		fault = fmt.Sprintf("Tier %d %s: %s", done.session.Tier, o.Ending, o.Reason)
	case done.invalid:
		fault = fmt.Sprintf("Tier %d asked for help in a form that could not be read", done.session.Tier)
	}
	findings := o.Response
	if fault != "" {
		findings = ""
	}
	if err := c.linkAll(keep, done, findings, fault); err != nil {
		return err
	}
	all := done.services
	done.services = slices.DeleteFunc(slices.Clone(all), func(name string) bool { return done.proven[name] })
	if fault != "" {
		return c.askHuman(keep, done, verdict{attention: books.TierFailed, reason: fault})
	}
	still, err := c.stillUnhealthy(keep, done)
	if err != nil {
		return err
	}
	if len(still) > 0 {
		reason := fmt.Sprintf("Tier %d ended without a handoff, although by the checks after it %s", done.session.Tier, strings.Join(still, ", "))
		return errors.Join(c.say(keep, store.Critical, done.session.ID, "", reason), c.askHuman(keep, done, verdict{attention: books.Unresolved, reason: reason}))
	}
	return c.eachIncident(keep, all, func(i store.Incident) error { return c.Store.SaveIncident(keep, solved(i)) })
}

// stillUnhealthy says of which services of the chain a session's own last checks or report find that they are not healthy, and why.
func (c *Cycle) stillUnhealthy(keep context.Context, done *link) (still []string, err error) {
	latest, err := c.Store.LatestBySession(keep, done.session.ID)
	worst := map[string]check.Result{}
	for _, r := range store.Results(latest) {
		if was, seen := worst[r.Service]; !seen || r.Status.Worse(was.Status) {
			worst[r.Service] = r
		}
	}
	for _, name := range done.services {
		if r, reported := worst[name]; reported && r.Status != check.Healthy {
			still = append(still, strings.TrimSuffix(fmt.Sprintf("%s is %s: %s", name, r.Status, r.Error), ": "))
		}
	}
	return still, err
}

// linkAll keeps with each incident of the chain what a session found and tried.
func (c *Cycle) linkAll(keep context.Context, done *link, findings, attempted string) error {
	return c.eachIncident(keep, done.services, func(i store.Incident) error {
		return c.Store.LinkSession(keep, i.ID, done.session.ID, c.Redactor.String(clip(findings)), c.Redactor.String(clip(attempted)))
	})
}

// failuresToTell is how many cycles in a row Tier 1 must fail before a human is told: nobody watches any more.
const failuresToTell = 3

func (c *Cycle) watchFailures(keep context.Context, done *link) error {
	last, err := c.Store.Sessions(keep, store.SessionFilter{Tier: 1, Agent: done.session.Agent, Limit: failuresToTell})
	if err != nil || len(last) < failuresToTell {
		return err
	}
	for _, s := range last {
		if s.Status != store.Failed && s.Status != store.TimedOut {
			return nil
		}
	}
	title, watching := "claudeops cannot watch", "nothing is being watched"
	if done.standIn != nil {
		title, watching = "Tier 1 keeps failing", "the program's own checks watch in its place, and nobody looks further"
	}
	text := fmt.Sprintf("Tier 1 failed in the last %d cycles: %s. Last: %s", failuresToTell, watching, done.outcome.Reason)
	c.summary.needHuman("", text)
	return c.Notify(keep, store.Notification{Kind: store.AgentFailing, Cause: string(books.TierFailed), Title: title, Body: text})
}

// askHuman ends a chain that needs one: each incident that it was about is a dead end until it changes, and a human is asked about
// each, and about what a handoff named that has no incident of its own.
func (c *Cycle) askHuman(keep context.Context, done *link, v verdict) error {
	if v.attention == books.BudgetSpent {
		return c.overBudget(keep, done.session.Tier+1)
	}
	open, err := c.Store.OpenIncidents(keep)
	if err != nil {
		return err
	}
	for _, name := range done.services {
		incident, known := open[name]
		if !known {
			incident = store.Incident{Service: name}
		} else if _, waits := waitsUntil(incident, c.Now()); !waits && v.attention != books.NoAgent { // no chain ended: one starts as soon as there is a model
			incident = deadEnd(incident, c.Now())
			if err := c.Store.SaveIncident(keep, incident); err != nil {
				return err
			}
		}
		c.summary.needHuman(name, v.reason)
		if err := c.RequestAttention(keep, incident, v.attention, v.reason); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cycle) overBudget(keep context.Context, tier int) error {
	text := fmt.Sprintf("the last 24 h have cost CLAUDEOPS_DAILY_BUDGET_USD (%.2f): Tier %d was not started", c.Config.DailyBudgetUSD, tier)
	c.summary.needHuman("", text)
	return c.Notify(keep, store.Notification{
		Kind: store.HumanAttention, Cause: string(books.BudgetSpent), Title: "The day's budget is spent", Body: text + ".",
	})
}

// eachIncident calls f for the open incident of each service that has one.
func (c *Cycle) eachIncident(keep context.Context, services []string, f func(store.Incident) error) error {
	open, err := c.Store.OpenIncidents(keep)
	if err != nil {
		return err
	}
	for _, name := range services {
		if i, known := open[name]; known {
			if err := f(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// history is what earlier sessions of the services' open incidents found and tried, oldest first, so that nothing is tried twice.
func (c *Cycle) history(keep context.Context, services []string) (past []handoff.Attempt, err error) {
	err = c.eachIncident(keep, services, func(i store.Incident) error {
		sessions, err := c.Store.IncidentSessions(keep, i.ID)
		if err != nil {
			return err
		}
		for _, s := range sessions {
			if s.Findings == "" && s.Attempted == "" {
				continue
			}
			past = append(past, handoff.Attempt{
				Service: i.Service, Session: s.Session.ID, Tier: s.Session.Tier, At: s.Session.StartedAt,
				Findings: s.Findings, Attempted: s.Attempted,
			})
		}
		return nil
	})
	return past, err
}

// clip shortens a text at a rune's edge.
func clip(s string) string {
	if len(s) <= keptFindings {
		return s
	}
	return strings.ToValidUTF8(s[:keptFindings], "") + " …"
}

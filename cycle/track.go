package cycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// keptFindings limits what an incident stores of one session, in characters, so that its history fits into a context.
const keptFindings = 4000

// trackIncidents opens, updates and closes incidents according to this cycle's evaluations. reset holds the services that were healthy in
// the second consecutive cycle.
func (c *Cycle) trackIncidents(keep context.Context, done *tierRun, reset []string) error {
	return c.withIncidents(keep, func(open map[string]store.Incident, limits records.Limits) error {
		if err := c.trackFound(keep, done, limits, open); err != nil {
			return err
		}
		if err := c.trackReset(keep, done, open, reset); err != nil {
			return err
		}
		return c.recordHeld(keep, done)
	})
}

func (c *Cycle) trackFound(keep context.Context, done *tierRun, limits records.Limits, open map[string]store.Incident) (err error) {
	for _, e := range c.found {
		incident, known := open[e.service]
		_, held := c.held[e.service]
		switch {
		case held:
		case e.status.Unwell() && !known:
			err = c.beginIncident(keep, done, limits, e)
		case e.status.Unwell() && incident.Fingerprint == "":
			err = errors.Join(c.closeQuietly(keep, done, incident), c.openIncident(keep, done, e))
		case e.status.Unwell():
			err = c.continueIncident(keep, done, limits, e, incident)
		case known && e.status == check.Healthy:
			err = c.Store.SaveIncident(keep, seenHealthy(incident, c.healthy[e.service], c.Now()))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *Cycle) trackReset(keep context.Context, done *tierRun, open map[string]store.Incident, reset []string) error {
	for _, name := range reset {
		incident, known := open[name]
		if !known {
			continue
		}
		quiet, err := c.isQuiet(keep, name)
		if err != nil {
			return err
		}
		if quiet { // its recovery is reported when the quiet time ends
			err = c.Store.SaveIncident(keep, recoveredQuietly(seenHealthy(incident, statefile.HealthyToReset, c.Now())))
		} else {
			err = c.closeIncident(keep, done, incident)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// trackAdded opens the incidents of services that Tier 2 added to its handoff; Tier 1 did not check them. A service without a result is
// down, as in Tier 1's handoff. A model's word against the program's own checks opens none: what has none may not be touched.
func (c *Cycle) trackAdded(keep context.Context, done *tierRun, services []string) error {
	if len(services) == 0 {
		return nil
	}
	results := slices.DeleteFunc(slices.Clone(c.view), func(r check.Result) bool { return !slices.Contains(services, r.Service) })
	return c.withIncidents(keep, func(open map[string]store.Incident, limits records.Limits) error {
		for _, e := range evaluate(results, services, nil) {
			ownHealthy := len(c.checked([]string{e.service})) > 0 && !c.sawUnwell[e.service]
			if _, known := open[e.service]; known || !e.status.Unwell() || ownHealthy {
				continue
			}
			hold, err := c.Hold(keep, e.service)
			if err == nil && hold == (records.Hold{}) {
				err = c.beginIncident(keep, done, limits, e)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// beginIncident opens the incident of a service, or reopens its last one if that has returned.
func (c *Cycle) beginIncident(keep context.Context, done *tierRun, limits records.Limits, e evaluation) error {
	last, known, err := c.Store.LastIncident(keep, e.service)
	if err != nil {
		return err
	}
	if !known || !comesBack(last, c.Now()) {
		return c.openIncident(keep, done, e)
	}
	recovered := *last.ClosedAt
	last = c.alerted(returned(last, e.status, e.fingerprint, c.Now()))
	if c.onlyAlerts[e.service] && len(c.checked([]string{e.service})) > 0 { // its own checks say when it comes and goes, not a sender
		last = endedEarly(last)
	}
	if err := c.Store.SaveIncident(keep, last); err != nil {
		return err
	}
	if err := c.Store.LinkSession(keep, last.ID, done.session.ID, "", ""); err != nil {
		return err
	}
	text := fmt.Sprintf("%s is %s again, %s after it recovered: incident %d is open again%s",
		e.service, e.status, text.Duration(c.Now().Sub(recovered)), last.ID, last.Returned())
	if err := c.event(keep, store.Warning, done.session.ID, e.service, text); err != nil || c.early(last) {
		return err
	}
	return c.askWhereFlapping(keep, done, limits, last)
}

// askWhereFlapping asks a human about an incident that its last return made flapping: no further tier is started for it.
func (c *Cycle) askWhereFlapping(keep context.Context, done *tierRun, limits records.Limits, i store.Incident) error {
	if !i.Flapping() {
		return nil
	}
	if i.Returns == store.FlappingReturns {
		text := fmt.Sprintf("incident %d of %s has returned %d times: it is flapping, and a human has to look", i.ID, i.Service, i.Returns)
		if err := c.event(keep, store.Critical, done.session.ID, i.Service, text); err != nil {
			return err
		}
	}
	return c.askAbout(keep, limits, i, records.Flapping, flapping(i))
}

// askOnceFlapping asks a human about a flapping incident that has reached fail_after: if it has just reached it or, since fail_after may
// have been lowered, if no request was sent before.
func (c *Cycle) askOnceFlapping(keep context.Context, done *tierRun, limits records.Limits, i store.Incident, wasEarly bool) error {
	if !wasEarly {
		if known, err := c.Store.KnownFlapping(keep, i.ID); err != nil || known {
			return err
		}
	}
	return c.askWhereFlapping(keep, done, limits, i)
}

// failAfter returns the number of consecutive cycles in which a service must fail before people are notified and a tier starts (RULE
// "fail_after"); 0 if the service is not in the inventory.
func (c *Cycle) failAfter(service string) int {
	if s, known := c.Inventory.Get(service); known {
		return s.FailAfter
	}
	return 0
}

// early reports whether an incident's service has failed in fewer cycles than failAfter.
func (c *Cycle) early(i store.Incident) bool { return i.UnwellCycles < c.failAfter(i.Service) }

// holdOf returns the hold on a service whose incident is early.
func (c *Cycle) holdOf(i store.Incident) (hold records.Hold) {
	if c.early(i) {
		hold.Reason = fmt.Sprintf("found so in %s, and fail_after is %d", text.Count(i.UnwellCycles, "cycle"), c.failAfter(i.Service))
	}
	return hold
}

// heldBack returns what holds a service back: a hold from the records, a proposal that waits, an alert that may still end after a
// remediation, or an early incident.
func (c *Cycle) heldBack(keep context.Context, service string) (records.Hold, error) {
	hold, err := c.Hold(keep, service)
	if err == nil && hold == (records.Hold{}) {
		hold = c.proposalHold(service)
	}
	if err == nil && hold == (records.Hold{}) {
		hold, err = c.alertHold(keep, service, true)
	}
	if err != nil || hold != (records.Hold{}) || c.failAfter(service) <= 1 {
		return hold, err
	}
	last, known, err := c.Store.LastIncident(keep, service)
	if err != nil || !known || last.ClosedAt != nil {
		return hold, err
	}
	return c.holdOf(last), nil
}

// flapping returns the reason for a request about a flapping service, as a sentence without its full stop.
func flapping(i store.Incident) string {
	return fmt.Sprintf("It has recovered and failed again %d times, each time within %d h: what is done about it does not last",
		i.Returns, int(store.ReturnWithin.Hours()))
}

func (c *Cycle) openIncident(keep context.Context, done *tierRun, e evaluation) error {
	id, err := c.Store.OpenIncident(keep, c.alerted(store.Incident{
		Service: e.service, Status: e.status, Fingerprint: e.fingerprint, OpenedAt: c.Now(), LastSeenAt: c.Now(), UnwellCycles: 1,
	}))
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
	return c.event(keep, store.Warning, done.session.ID, e.service, text)
}

func (c *Cycle) continueIncident(keep context.Context, done *tierRun, limits records.Limits, e evaluation, incident store.Incident) error {
	after, stuck := seenUnhealthy(incident, e.status, e.fingerprint, c.Now())
	after.LastSeenAt = c.Now()
	if c.counted[e.service] || c.Trigger == store.ByAlert && len(c.alerts[e.service]) == 0 { // others' alerts do not hasten its fail_after
		after.UnwellCycles = incident.UnwellCycles
	}
	after = c.alerted(after)
	if err := c.Store.SaveIncident(keep, after); err != nil {
		return err
	}
	if err := c.Store.LinkSession(keep, after.ID, done.session.ID, "", ""); err != nil {
		return err
	}
	if after.Flapping() && !c.early(after) {
		return c.askOnceFlapping(keep, done, limits, after, c.early(incident))
	}
	if !stuck {
		return nil
	}
	text := fmt.Sprintf("%s is still %s, as before, although %d chains in a row ended as solved", e.service, e.status, hollowFixesToDeadEnd)
	if err := c.event(keep, store.Critical, done.session.ID, e.service, text); err != nil {
		return err
	}
	c.summary.addAttention(e.service, text)
	why := fmt.Sprintf("Agents called it solved %d times in a row, and it is as before", hollowFixesToDeadEnd)
	return c.askAbout(keep, limits, after, records.HollowFix, why)
}

func (c *Cycle) closeIncident(keep context.Context, done *tierRun, incident store.Incident) error {
	now := c.Now()
	incident = seenHealthy(incident, statefile.HealthyToReset, now)
	incident.Status, incident.ClosedAt, incident.LastSeenAt = check.Healthy, &now, now
	hold := c.holdOf(incident)
	early := hold != (records.Hold{})
	if early {
		incident = endedEarly(incident)
	}
	if err := c.Store.SaveIncident(keep, incident); err != nil {
		return err
	}
	lasted := now.Sub(incident.OpenedAt)
	c.summary.Recovered = append(c.summary.Recovered, Recovered{incident.Service, incident.ID, lasted.Milliseconds()})
	text := fmt.Sprintf("%s recovered: healthy in %d cycles in a row, incident %d closed after %s",
		incident.Service, statefile.HealthyToReset, incident.ID, text.Duration(lasted)) + incident.Returned()
	switch {
	case early:
		text += "; no message was sent about it: it was " + hold.Reason
	case incident.Unsteady():
		text += fmt.Sprintf("; people are told when that has lasted %d h", int(store.ReturnWithin.Hours()))
	}
	if err := c.event(keep, store.Info, done.session.ID, incident.Service, text); err != nil || early || incident.Unsteady() {
		return err
	}
	return c.NotifyRecovered(keep, incident)
}

// An incident is closed once its service was in no result for both of these: nothing else would end it.
const unreportedFor, unreportedCycles = 6 * time.Hour, 6

// closeUnreported closes the incidents of services that are no longer reported. Only a cycle in which Tier 1 reported on everything tells
// that. While a service is quiet, or if this instance checks it itself, its incident stays.
func (c *Cycle) closeUnreported(keep context.Context, done *tierRun) error {
	reported := done.outcome.Ending == tiers.Completed && !done.invalid && !c.saidNothing(done)
	if !reported || c.asked() || c.Trigger == store.ByAlert {
		return nil
	}
	gone, err := c.Store.Unreported(keep, c.Now().Add(-unreportedFor), done.session.Agent, unreportedCycles)
	for _, i := range gone {
		quiet, failed := c.isQuiet(keep, i.Service)
		ours := len(c.checked([]string{i.Service})) > 0 && c.Inventory.Elsewhere(i.Service) == ""
		if failed == nil && !quiet && !ours {
			failed = c.Together(keep, func() error { return c.closeAsUnreported(keep, done, i) })
		}
		err = errors.Join(err, failed)
	}
	return err
}

func (c *Cycle) closeAsUnreported(keep context.Context, done *tierRun, i store.Incident) error {
	now := c.Now()
	i.ClosedAt = &now
	text := fmt.Sprintf("%s is no longer reported: incident %d closed; it was last found %s", i.Service, i.ID, i.Status)
	err := errors.Join(c.Store.SaveIncident(keep, i), c.event(keep, store.Warning, done.session.ID, i.Service, text))
	if err != nil || c.early(i) {
		return err
	}
	c.summary.addAttention(i.Service, text)
	worked, err := c.Store.IncidentAttempts(keep, i.ID)
	cause := records.NotReported + records.Cause(strconv.FormatInt(i.ID, 10))
	return errors.Join(err, c.Queue(keep, cause, notify.NotReported(i, worked)))
}

// closeQuietly closes an incident whose service recovered while it was quiet and is unwell again, because that is new trouble.
func (c *Cycle) closeQuietly(keep context.Context, done *tierRun, incident store.Incident) error {
	now := c.Now()
	incident.Status, incident.ClosedAt = check.Healthy, &now
	if err := c.Store.SaveIncident(keep, incident); err != nil {
		return err
	}
	return c.event(keep, store.Info, done.session.ID, incident.Service,
		fmt.Sprintf("%s had recovered while no message was sent about it: incident %d closed", incident.Service, incident.ID))
}

// linkAll links the session to each incident of the chain, with what it found and tried so far.
func (c *Cycle) linkAll(keep context.Context, done *tierRun, findings, attempted string) error {
	kept := func(s string) string { return text.Shorten(c.Redactor.String(s), keptFindings) }
	return c.eachIncident(keep, done.services, func(i store.Incident) error {
		return c.Store.LinkSession(keep, i.ID, done.session.ID, kept(findings), kept(attempted))
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

// history returns what earlier sessions of the services' open incidents found and tried, oldest first, so that nothing is tried twice.
func (c *Cycle) history(keep context.Context, services []string) (past []handoff.Attempt, err error) {
	err = c.eachIncident(keep, services, func(i store.Incident) error {
		sessions, err := c.Store.IncidentAttempts(keep, i.ID)
		if err != nil {
			return err
		}
		for _, s := range sessions {
			past = append(past, handoff.Attempt{
				Service: i.Service, Session: s.Session.ID, Tier: s.Session.Tier, At: s.Session.StartedAt,
				Findings: s.Findings, Attempted: s.Attempted,
			})
		}
		return nil
	})
	return past, err
}

// holdBack determines which unwell services are held back.
func (c *Cycle) holdBack(keep context.Context) error {
	c.held = map[string]records.Hold{}
	unwell := c.unwell()
	if len(unwell) == 0 {
		c.Forget()
		return nil
	}
	if err := c.Look(keep); err != nil {
		return err
	}
	for _, e := range unwell {
		hold, err := c.Hold(keep, e.service)
		if err == nil && hold == (records.Hold{}) {
			hold, err = c.alertHold(keep, e.service, false)
		}
		if err != nil {
			return err
		}
		if hold != (records.Hold{}) {
			c.held[e.service] = hold
		}
	}
	return nil
}

// isQuiet reports whether a maintenance window, a silence or a pause covers the service.
func (c *Cycle) isQuiet(keep context.Context, service string) (bool, error) {
	hold, err := c.Quiet(keep, service)
	return hold.Quiet, err
}

// recordHeld records the trouble of services that are held back, as an event and under the incident of the service that they depend on.
// No message is sent about it.
func (c *Cycle) recordHeld(keep context.Context, done *tierRun) error {
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
			own.LastSeenAt, own.Status, own.HealthySince, own.HealthyCycles = c.Now(), e.status, nil, 0
			if hold.Quiet {
				own = worked(own)
			}
			if err := c.Store.SaveIncident(keep, own); err != nil {
				return err
			}
		}
		if err := c.event(keep, store.Info, done.session.ID, e.service, text); err != nil {
			return err
		}
	}
	return nil
}

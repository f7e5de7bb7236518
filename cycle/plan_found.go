package cycle

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// planFound plans what follows from what the round found of services, except tiers: the streaks of healthy cycles, the incidents, the
// proposals that no longer fit, and what is told of services that nobody reports any more.
func (p *planner) planFound() {
	streaks, recovered := countHealthy(p.Now.File, p.Before, p.found, p.completed())
	p.add(count{streaks, recovered})
	for _, is := range p.found {
		p.planEvaluation(is, streaks[is.Name])
	}
	for _, name := range recovered {
		p.planRecovery(p.Now.Service(name))
	}
	for _, is := range p.found { // last: the incident that it belongs to may have been opened just now
		if hold := is.Held(state.Incidents); is.Status().Unwell() && hold.Given() {
			p.planHeld(is, hold)
		}
	}
	p.planOutdated()
}

// planObserved plans what follows from what Tier 1 found, except tiers.
func (p *planner) planObserved() {
	p.planUncheckable()
	p.planFound()
	p.planUnreported()
	if p.SaidNothing != nil { // what the words of Tier 1's model say starts nothing
		p.add(attention{"", p.SaidNothing.Title}, news{*p.SaidNothing})
		p.note(store.Warning, "", "%s", p.SaidNothing.Body.Why)
	}
	earlier := slices.DeleteFunc(p.unwell(), func(name string) bool { return !p.earlier(p.Now.Service(name)) })
	p.askUnwell(earlier, notify.ModelFailed, "Tier 1 found it in a cycle that was killed or interrupted, and has not looked at it since")
}

// planEvaluation plans what becomes of a service's incident. healthy is the streak of the service.
func (p *planner) planEvaluation(is *state.Service, healthy int) {
	status := is.Status()
	switch {
	case status.Unwell() && is.Held(state.Incidents).Given(): // see planHeld
	case status.Unwell() && is.Incident == nil:
		p.begin(is)
	case status.Unwell() && is.Incident.Fingerprint == "": // it had recovered while it was quiet: this is new trouble
		p.save(is.Incident.Closed(check.Healthy, p.Now.Now), false)
		p.note(store.Info, is.Name, "%s had recovered while no message was sent about it: incident %d closed", is.Name, is.Incident.ID)
		p.open(is)
	case status.Unwell():
		p.goOn(is)
	case is.Incident != nil && status == check.Healthy:
		p.save(is.Incident.Healthy(healthy, p.Now.Now), false)
	}
}

// begin plans the incident of a service: a new one, or its last one if that has come back.
func (p *planner) begin(is *state.Service) {
	now := p.Now.Now
	if is.Last == nil || !is.Last.ComesBack(now) {
		p.open(is)
		return
	}
	last := alerted(is, is.Last.Back(is.Status(), is.Fingerprint(), now))
	if is.OnlyAlerts() && is.HasChecks() { // its own checks say when it comes and goes, not a sender
		last = last.EndedEarly()
	}
	p.save(last, true)
	p.note(store.Warning, is.Name, "%s is %s again, %s after it recovered: incident %d is open again%s",
		is.Name, is.Status(), text.Duration(now.Sub(*is.Last.ClosedAt)), last.ID, last.Returned())
	if last.Flapping() && !is.Early(last).Given() {
		p.noteFlapping(last)
		p.ask(is.Name, notify.Attention{Cause: notify.Flapping, Why: flapping(last)})
	}
}

func (p *planner) open(is *state.Service) {
	now := p.Now.Now
	p.save(alerted(is, store.Incident{
		Service: is.Name, Status: is.Status(), Fingerprint: is.Fingerprint(), OpenedAt: now, LastSeenAt: now, UnwellCycles: 1,
	}), true)
	found := is.Trouble()
	if found != "" {
		found = " (" + found + ")"
	}
	p.add(note{store.Warning, is.Name, fmt.Sprintf("%s is %s: incident %s opened%s", is.Name, is.Status(), theID, found), is.Name})
}

// goOn plans an incident that was found again.
func (p *planner) goOn(is *state.Service) {
	before := *is.Incident
	after, stuck := before.Unwell(is.Status(), is.Fingerprint(), p.Now.Now)
	after.LastSeenAt = p.Now.Now
	counted := p.Kind == Observed && !before.LastSeenAt.Before(p.Began) // by a look beside Tier 1
	if counted || p.Trigger == store.ByAlert {                          // others' alerts do not hasten its fail_after
		after.UnwellCycles = before.UnwellCycles
	}
	after = alerted(is, after)
	p.save(after, true)
	switch {
	case after.Flapping() && !is.Early(after).Given():
		if is.Early(before).Given() { // it has just reached its fail_after
			p.noteFlapping(after)
		}
		// It is sent once a day: fail_after may have been lowered.
		p.ask(is.Name, notify.Attention{Cause: notify.Flapping, Why: flapping(after)})
	case stuck:
		text := fmt.Sprintf("%s is still %s, as before, although %d chains in a row ended as solved", is.Name, is.Status(), store.MostHollowFixes)
		p.note(store.Critical, is.Name, "%s", text)
		p.add(attention{is.Name, text})
		why := fmt.Sprintf("Agents called it solved %d times in a row, and it is as before", store.MostHollowFixes)
		p.ask(is.Name, notify.Attention{Cause: notify.HollowFix, Why: why})
	}
}

// noteFlapping records that the last return of an incident made it flapping: no further tier is started for it.
func (p *planner) noteFlapping(i store.Incident) {
	if i.Returns == store.FlappingReturns {
		p.note(store.Critical, i.Service, "incident %d of %s has returned %d times: it is flapping, and a human has to look", i.ID, i.Service, i.Returns)
	}
}

// flapping returns the reason for a request about a flapping service, as a sentence without its full stop.
func flapping(i store.Incident) string {
	return fmt.Sprintf("It has recovered and failed again %d times, each time within %d h: what is done about it does not last",
		i.Returns, int(store.ReturnWithin.Hours()))
}

// planRecovery ends the incident of a service that was healthy in the second consecutive cycle.
func (p *planner) planRecovery(is *state.Service) {
	if is.Incident == nil {
		return
	}
	now := p.Now.Now
	i := is.Incident.Healthy(statefile.HealthyToReset, now)
	if is.Quiet().Given() { // its end is told when the quiet time ends
		p.save(i.RecoveredQuietly(), false)
		return
	}
	early := is.Early(i)
	i = i.Closed(check.Healthy, now)
	i.LastSeenAt = now
	if early.Given() {
		i = i.EndedEarly()
	}
	p.save(i, false)
	text := fmt.Sprintf("%s recovered: healthy in %d cycles in a row, incident %d closed after %s%s",
		is.Name, statefile.HealthyToReset, i.ID, text.Duration(now.Sub(i.OpenedAt)), i.Returned())
	switch {
	case early.Given():
		text += "; no message was sent about it: it was " + early.Reason
	case i.Unsteady():
		text += fmt.Sprintf("; people are told when that has lasted %d h", int(store.ReturnWithin.Hours()))
	}
	p.note(store.Info, is.Name, "%s", text)
	p.add(recovered{i})
	if !early.Given() && !i.Unsteady() {
		p.add(wellAgain{i})
	}
}

// planHeld records the trouble of a service that is held back, as an event and under the incident of the service that it depends on. No
// message is sent about it.
func (p *planner) planHeld(is *state.Service, hold state.Hold) {
	text := fmt.Sprintf("%s is %s: %s, so nothing is done about it and nobody is told", is.Name, is.Status(), hold.Reason)
	if is.Incident != nil {
		own := *is.Incident
		own.LastSeenAt, own.Status, own.HealthySince, own.HealthyCycles = p.Now.Now, is.Status(), nil, 0
		if hold.Quiet() {
			own = own.UnwellQuietly()
		}
		p.save(own, false)
	}
	if hold.Under != "" && p.incident(hold.Under) != nil {
		p.add(under{hold.Under, is.Name, is.Status()})
		text += fmt.Sprintf(" (recorded under incident %s)", theID)
		p.add(note{store.Info, is.Name, text, hold.Under})
		return
	}
	p.note(store.Info, is.Name, "%s", text)
}

// unreportedFor is how long an incident outlasts the last that was found of its service, which counts for state.StatusLasts.
const unreportedFor = 6 * time.Hour

// planUnreported closes the incidents of services that are no longer reported: nothing else would end them. Only a cycle in which Tier 1
// has reported on everything tells that. While a service is quiet, or if this instance checks it itself, its incident stays.
func (p *planner) planUnreported() {
	everything := p.completed() && !p.Run.invalid && p.SaidNothing == nil && len(p.found) > 0
	if !everything || p.Now.Config.Services != nil || p.Trigger == store.ByAlert {
		return
	}
	open := p.Now.Open()
	for _, name := range slices.Sorted(maps.Keys(open)) {
		is, i := p.Now.Service(name), open[name]
		ours := is.HasChecks() && p.Now.Inventory.Elsewhere(name) == ""
		if is.Status() != "" || i.LastSeenAt.After(p.Now.Now.Add(-unreportedFor)) || is.Quiet().Given() || ours {
			continue
		}
		text := fmt.Sprintf("%s is no longer reported: incident %d closed; it was last found %s", name, i.ID, i.Status)
		p.save(i.Closed(i.Status, p.Now.Now), false)
		p.note(store.Warning, name, "%s", text)
		if !is.Early(i).Given() {
			p.add(attention{name, text}, notReported{i})
		}
	}
}

// planOutdated voids the proposals whose incidents are over or have changed.
func (p *planner) planOutdated() {
	for _, proposal := range p.Now.Pending {
		if why := p.service(proposal.Service).Outdated(proposal); why != "" {
			p.add(void{proposal, why})
		}
	}
}

// planAdded opens the incidents of services that Tier 2 added to its handoff; Tier 1 did not check them. A model's word against the
// program's own checks opens none: what has none may not be touched.
func (p *planner) planAdded(services []string) {
	for _, name := range services {
		is := p.Now.Service(name)
		ownHealthy := is.HasChecks() && !is.ByOwn().Unwell()
		if is.Incident == nil && is.Status().Unwell() && !ownHealthy && !is.Held(state.Incidents).Given() {
			p.begin(is)
		}
	}
}

// alerted returns an incident whose service has an alert as one that has lasted long enough: the sender has waited already, so fail_after
// does not delay it.
func alerted(is *state.Service, i store.Incident) store.Incident {
	if len(is.Alerts) > 0 {
		i.UnwellCycles = max(i.UnwellCycles, is.FailsAfter())
	}
	return i
}

// found returns the services that a round is about, by name: those that were checked since it began, those that have an alert, and what
// Tier 1 of an unfinished cycle found unwell. A look beside a tier leaves out what the tier works on.
func (r Round) found() (all []*state.Service) {
	only := r.Now.Config.Services
	for _, is := range r.Now.Services() {
		alert := len(is.Alerts) > 0 && (only == nil || slices.Contains(only, is.Name))
		if r.checked(is) || alert || r.earlier(is) {
			all = append(all, is)
		}
	}
	return slices.DeleteFunc(all, func(is *state.Service) bool { return r.Worked[is.Name] || r.Looking && !is.Status().Unwell() })
}

func (r Round) checked(is *state.Service) bool { return !is.Checked.Before(r.Since) }

// earlier reports whether Tier 1 of an unfinished cycle has found a service unwell, and nothing has told otherwise since.
func (r Round) earlier(is *state.Service) bool { return slices.ContainsFunc(r.Unfinished, is.UnwellBy) }

// hold returns what keeps people from being told about a service, and tiers from being started for it. That its alert has started a tier
// holds nothing back in the cycle that has started it.
func (r Round) hold(is *state.Service) state.Hold {
	for _, h := range is.Holds() {
		if h.Stops(state.Messages) && h.From.Before(r.Began) {
			return h
		}
	}
	return state.Hold{}
}

// unwell returns the unwell services of the round that have an incident and are not held back.
func (p *planner) unwell() (names []string) {
	for _, is := range p.found {
		if is.Status().Unwell() && p.incident(is.Name) != nil && !p.heldBack(is.Name).Given() {
			names = append(names, is.Name)
		}
	}
	return names
}

// countHealthy counts consecutive healthy cycles by this cycle's evaluations (SPEC-0007 REQ-6). It returns the new counts, and the services
// that have recovered, whose restarts no longer count. before is cooldown.json as it was when the cycle began, and file as it is now: an
// agent may have counted too, with jq, and that must not count twice. A service whose checks could not be made keeps its count.
//
// If the agent's own value is all that a cycle has about a service, it counts, but at most as one above the value before, and not above it
// unless Tier 1 has completed.
func countHealthy(file, before *statefile.State, found []*state.Service, completed bool) (streaks map[string]int, recovered []string) {
	streaks = map[string]int{}
	set := func(name string, healthy int) {
		if healthy >= statefile.HealthyToReset {
			recovered, healthy = append(recovered, name), 0
		}
		streaks[name] = healthy
	}
	for _, is := range found {
		was := min(before.Service(is.Name).ConsecutiveHealthy, file.Service(is.Name).ConsecutiveHealthy)
		switch status := is.Status(); {
		case status.Unwell():
			set(is.Name, 0)
		case status == check.Healthy:
			set(is.Name, was+1)
		default:
			streaks[is.Name] = was
		}
	}
	for _, name := range slices.Sorted(maps.Keys(file.Services)) {
		if _, evaluated := streaks[name]; evaluated {
			continue
		}
		was, most := before.Service(name).ConsecutiveHealthy, before.Service(name).ConsecutiveHealthy
		if completed {
			most++
		}
		if counted := min(file.Services[name].ConsecutiveHealthy, most); counted > was {
			set(name, counted)
		} else {
			streaks[name] = counted
		}
	}
	return streaks, recovered
}

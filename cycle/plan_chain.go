package cycle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// planEnded plans what follows a tier that has ended, once its checks were made again. After Tier 1, what people have approved comes first,
// then first aid, then the next tier.
func (p *planner) planEnded() {
	run := p.Run
	p.planOutdated()
	if run.session.Tier == 1 && p.planApproved() {
		return
	}
	if run.chosen != 0 {
		p.planChosen()
		return
	}
	p.services = union(run.services, p.foundUnwell())
	p.planAwaited()
	if run.handoff == nil {
		if p.planAid(p.withoutHandoff()) {
			return
		}
		p.planEnd()
		return
	}
	h := *run.handoff
	p.handoff = &h
	p.services = union(run.services, slices.Concat(h.ServicesAffected, p.foundUnwell()))
	p.planContinued()
	findings := h.InvestigationFindings
	if run.session.Agent == agentClaude {
		findings = handoff.Mark(findings, h.Evidence)
	}
	p.add(link{p.services, findings, h.RemediationAttempted})
	if p.Signal != "" {
		p.note(store.Warning, "", "no further tier: %s", p.Signal)
		return
	}
	if run.session.Tier == 1 && p.planAid(p.startable(h.ServicesAffected)) {
		return
	}
	p.narrow()
	p.leaveLimited()
	affected := p.handoff.ServicesAffected
	if len(affected) == 0 {
		p.planConcluded()
		return
	}
	p.planVerdict(p.decide(run.session.Tier, affected))
}

// foundUnwell returns the services that the last tier found unwell. After Tier 1, they may not have fitted into its handoff; a later tier
// may have found any service so, whatever it was started for.
func (p *planner) foundUnwell() (found []string) {
	switch {
	case p.Run.session.Tier > 1:
		return p.Now.UnwellBy(p.Run.session.ID)
	case p.Run.handoff != nil:
		return slices.DeleteFunc(p.unwell(), func(name string) bool { return p.earlier(p.Now.Service(name)) })
	}
	return nil
}

// planAwaited says of each service that a tier has acted on without a check that could prove it that its alert is waited for.
func (p *planner) planAwaited() {
	tier, told := p.Run.session.Tier, map[string]bool{}
	for _, a := range p.Acts {
		is := p.Now.Service(a.Service)
		if tier == 1 || a.OnlyClaimed() || told[a.Service] || is.Proven() || !is.OnlyAlerts() {
			continue
		}
		told[a.Service] = true
		p.note(store.Info, a.Service, "Tier %d acted on %s: no check can prove that it helped, so its alert is waited for, %s at most",
			tier, a.Service, text.Duration(state.AlertSettling))
	}
}

// planContinued completes Tier 2's handoff with Tier 1's results, the unresolved services and the services that Tier 2 itself found unwell.
func (p *planner) planContinued() {
	if p.Run.session.Tier != 2 { // no tier above Tier 3
		return
	}
	before := *p.Run.parent.handoff
	unresolved := p.unresolved(before.ServicesAffected)
	found := p.unresolved(p.Now.UnwellBy(p.Run.session.ID))
	missing := handoff.Without(union(unresolved, found), p.handoff.ServicesAffected)
	p.handoff.ServicesAffected = union(p.handoff.ServicesAffected, found)
	*p.handoff = p.handoff.Merge(before, unresolved)
	p.planAdded(handoff.Without(p.unresolved(p.handoff.ServicesAffected), before.ServicesAffected))
	p.add(storeHandoff{p.handoff})
	if len(missing) > 0 {
		p.note(store.Warning, "", "Tier 2 did not hand off all that is not resolved: %s added", some(missing))
	}
}

// unresolved returns the services that neither the program's own checks nor the last report find healthy.
func (p *planner) unresolved(services []string) []string {
	return slices.DeleteFunc(slices.Clone(services), func(name string) bool {
		is := p.Now.Service(name)
		return is.Proven() || is.Status() == check.Healthy
	})
}

// heldBack is hold for a service with its incident as the steps so far leave it.
func (p *planner) heldBack(service string) state.Hold { return p.hold(p.service(service)) }

// service returns a service with its incident as the steps so far leave it.
func (p *planner) service(name string) *state.Service {
	is := *p.Now.Service(name)
	is.Incident = p.incident(name)
	return &is
}

// notStarted returns why no further tier is started for a service, as a clause; empty if one may be. listed says that the summary does not
// say so itself.
func (p *planner) notStarted(name string) (why string, listed bool) {
	is := p.service(name)
	hold := p.hold(is)
	switch {
	case is.Proven():
		return "the checks find it healthy", true
	case is.Status() == check.Healthy:
		return "it was found healthy", true
	case hold.Given():
		return hold.Reason, false
	case is.Incident == nil:
		return "the next cycle looks at it first", true
	case is.Incident.Flapping():
		return "it is flapping", true
	}
	return "", false
}

// startable returns the services for which a further tier may be started.
func (p *planner) startable(services []string) (left []string) {
	for _, name := range services {
		if why, _ := p.notStarted(name); why == "" {
			left = append(left, name)
		}
	}
	return left
}

// narrow removes services that need no further tier from a handoff: those found healthy, those held back, and flapping ones, about which
// a human was asked.
func (p *planner) narrow() {
	var left []string
	for _, name := range p.handoff.ServicesAffected {
		why, listed := p.notStarted(name)
		if why == "" {
			left = append(left, name)
			continue
		}
		if i := p.incident(name); listed && i != nil && i.Flapping() {
			p.add(attention{name, flapping(*i)})
		}
		text := fmt.Sprintf("Tier %d not started for %s: %s", p.Run.session.Tier+1, name, why)
		if p.Run.session.Tier == handoff.LastTier {
			text = fmt.Sprintf("nothing further for %s: %s", name, why)
		}
		p.note(store.Info, name, "%s", text)
		if listed {
			p.add(decided(text))
		}
	}
	p.handoff.ServicesAffected = left
}

// leaveLimited takes the services off a handoff that the next tier may not work on by their max_tier, and tells people.
func (p *planner) leaveLimited() {
	next := p.Run.session.Tier + 1
	for _, name := range slices.Clone(p.handoff.ServicesAffected) {
		s := p.Now.Service(name).Listed
		if s == nil || s.MaxTier == 0 || next <= s.MaxTier || next > handoff.LastTier {
			continue
		}
		alone := []string{name}
		p.handoff.ServicesAffected = handoff.Without(p.handoff.ServicesAffected, alone)
		p.services = handoff.Without(p.services, alone)
		v := asks(notify.TierLimit, fmt.Sprintf("%s would look into it, but its max_tier is %d", agentOf(next), s.MaxTier),
			"Tier %d not started for %s: its max_tier is %d", next, name, s.MaxTier)
		p.note(store.Critical, name, "%s", v.reason)
		p.askChain(alone, v)
	}
}

// planVerdict plans what a decision on the next tier means.
func (p *planner) planVerdict(v verdict) {
	level := store.Info
	if v.Cause != "" && v.Cause != notify.DryRun { // a configured dry run is not a fault
		level = store.Critical
	}
	p.note(level, "", "%s", v.reason)
	if v.Cause == "" && !v.waits { // otherwise the request for a human says it
		p.add(decided(v.reason))
	}
	switch {
	case v.next != 0:
		p.services = slices.DeleteFunc(p.services, func(name string) bool { return p.Run.chosen == 0 && p.Now.Service(name).Proven() })
		p.renew()
		p.add(escalated{p.Run.session.ID})
		p.next = Next{Do: Start, Tier: v.next}
	case v.Cause != "":
		p.askChain(p.unresolved(p.services), v)
	case v.waits:
		for _, name := range p.handoff.ServicesAffected {
			p.add(attention{name, v.reason}) // a human was asked earlier
		}
	}
}

// renew brings a handoff up to date, right before the next tier is told of it: first aid, or what a person has approved, may have run
// since it was made, and its services may have been checked again.
func (p *planner) renew() {
	h := p.handoff
	if p.Run.session.Tier == 1 {
		h.Renew(handoff.NewResults(store.Results(p.Run.checks), p.results(h.ServicesAffected)))
	}
	p.add(storeRenewed{h})
}

// results returns what says how services are now, by their checks.
func (p *planner) results(services []string) (all []check.Result) {
	for _, name := range services {
		for _, c := range p.Now.Service(name).Checks {
			all = append(all, c.Result)
		}
	}
	return all
}

// askChain ends a chain that needs a human about services. The incident of each is a dead end until it changes. Services that were found
// healthy or are held back are left out.
func (p *planner) askChain(services []string, v verdict) {
	if v.Cause == notify.NoBudget {
		p.add(overBudget(p.Now, p.Run.session.Tier+1)...)
	}
	for _, name := range services {
		if p.Now.Service(name).Proven() {
			continue
		}
		if hold := p.heldBack(name); hold.Given() {
			p.note(store.Info, name, "no message about %s: %s", name, hold.Reason)
			continue
		}
		if open := p.incident(name); open != nil {
			if _, waits := open.WaitsUntil(p.Now.Now); !waits && v.deadEnd() {
				p.save(open.DeadEnd(p.Now.Now), false)
			}
		}
		p.add(attention{name, v.reason})
		p.ask(name, v.about(name))
	}
}

// askUnwell asks a human about each unwell service that no agent examines, and gives the reason. What first aid healed is left out.
func (p *planner) askUnwell(found []string, cause notify.Cause, why string) {
	for _, name := range found {
		is := p.Now.Service(name)
		if is.Proven() {
			continue
		}
		p.add(attention{name, fmt.Sprintf("%s is %s; no further tier is started in this cycle, because %s", name, is.Status(), why)})
		p.add(ask{name, notify.Attention{Cause: cause, Why: "No agent looks at it: " + why, Next: nextCycle}})
	}
}

// planEnd closes the chain after a tier that left no valid handoff. A completed tier above the first claims to have solved the problem: the
// program's own checks confirm it now, or the next cycle's checks do. If the tier failed or its handoff was invalid, a human is asked
// about every service not found healthy.
func (p *planner) planEnd() {
	run := p.Run
	o, tier := run.outcome, run.session.Tier
	switch {
	case tier > 1 && run.session.Question != "" && len(p.Acts) == 0: // it answered, and made no attempt at the incidents of its services
		p.add(link{p.services, run.claim, ""})
	case tier == 1 && run.invalid:
		p.askUnwell(p.unwell(), notify.BadHandoff, "Tier 1 asked for help in a form that could not be read")
	case tier == 1 && o.Ending == tiers.Interrupted && len(p.Unfinished) > 0:
		p.askUnwell(p.unwell(), notify.ModelFailed, "Tier 1 was interrupted, as in the cycle before")
	case tier == 1 && (o.Ending == tiers.Completed || o.Ending == tiers.Interrupted):
		// Everything that it found unwell is held back, or the next cycle checks again.
	case tier == 1: // the next cycle decides about tiers (SPEC-0016: wait for the next cycle)
		p.askUnwell(p.unwell(), notify.ModelFailed, fmt.Sprintf("Tier 1 %s: %s", endingWords(o.Ending), o.Reason))
		p.planFailures()
	case o.Ending == tiers.Interrupted, run.unproven:
		p.add(link{p.services, "", "interrupted"})
	case o.Ending != tiers.Completed:
		p.endedInVain(notify.TierFailed, endingWords(o.Ending)+": "+o.Reason)
	case run.invalid:
		p.endedInVain(notify.Unresolved, "asked for help in a form that could not be read")
	default:
		p.add(link{p.services, run.claim, ""})
		p.planConcluded()
	}
}

// endedInVain ends a chain whose last tier achieved nothing. ending is a predicate, such as "timed out: no end after 20m0s".
func (p *planner) endedInVain(cause notify.Cause, ending string) {
	tier := p.Run.session.Tier
	v := asks(cause, fmt.Sprintf("Tier %d looked at it and %s", tier, ending), "Tier %d %s", tier, ending)
	p.add(link{p.services, "", v.reason})
	p.askChain(p.services, v)
}

// endingWords returns how a tier ended, in words for a person: "timed out".
func endingWords(e tiers.Ending) string { return strings.ReplaceAll(string(e), "_", " ") }

// planConcluded ends a chain whose last tier, above the first, completed without a handoff. A human is asked about services that are still
// unhealthy; the rest count as solved.
func (p *planner) planConcluded() {
	tier := p.Run.session.Tier
	if tier == 1 || p.Run.unproven {
		return
	}
	var still, found []string
	whyOf := map[string]string{}
	for _, name := range p.Now.UnwellBy(p.Run.session.ID) {
		if !slices.Contains(p.services, name) || p.heldBack(name).Given() {
			continue
		}
		is := p.Now.Service(name)
		whyOf[name] = fmt.Sprintf("Tier %d ended, and the checks after it find it still %s", tier, is.ByChecks())
		still = append(still, name)
		found = append(found, strings.TrimSuffix(fmt.Sprintf("%s is %s: %s", name, is.ByChecks(), is.Trouble()), ": "))
	}
	if len(still) > 0 {
		v := asks(notify.Unresolved, "", "Tier %d ended, although by the checks after it %s", tier, some(found))
		v.whyOf = whyOf
		p.note(store.Critical, "", "%s", v.reason)
		p.askChain(still, v)
	}
	for _, name := range handoff.Without(p.services, still) {
		if i := p.incident(name); i != nil && !p.heldBack(name).Given() {
			solved := *i
			solved.LastChain = store.ChainSolved
			p.save(solved, false)
		}
	}
}

// failuresToReport is the number of consecutive cycles in which Tier 1 must fail before people are told.
const failuresToReport = 3

// planFailures tells people if Tier 1 has failed in several consecutive cycles.
func (p *planner) planFailures() {
	if len(p.LastFirst) < failuresToReport {
		return
	}
	for _, s := range p.LastFirst {
		if s.Status != store.Failed && s.Status != store.TimedOut {
			return
		}
	}
	watching := "nothing is being watched"
	if p.Run.stoodIn {
		watching = "the program's own checks watch in its place, and nothing is investigated"
	}
	p.add(attention{"", fmt.Sprintf("Tier 1 failed in the last %d cycles: %s. Last: %s", failuresToReport, watching, p.Run.outcome.Reason)})
	p.add(news{notify.TierFails(p.LastFirst, p.Run.stoodIn)})
}

// planBeside plans what follows from a look beside a tier: as after Tier 1, but no tier starts. People are told of what is down: as a request
// for a human if no tier would be started for it, else as a notice of what works.
func (p *planner) planBeside() {
	p.planFound()
	for _, name := range p.unwell() {
		if p.Now.Service(name).Status() != check.Down {
			continue
		}
		if v := p.decide(1, []string{name}); v.Cause != "" {
			p.ask(name, v.about(name))
		} else {
			p.add(down{name, false, p.Works})
		}
	}
}

// planWorking tells people of the services that are down and that a tier is working on.
func (p *planner) planWorking() {
	chain := p.Run.services
	if p.Run.session.Agent == agentClaude { // not those of its chain that no tier works on
		chain = p.Run.parent.handoff.ServicesAffected
	}
	for _, name := range chain {
		i := p.incident(name)
		if i != nil && i.Status == check.Down && i.State() == store.IncidentOpen && !p.heldBack(name).Given() {
			p.add(down{name, true, notify.Worker(p.Run.session) + " works on it: what comes of that is told"})
		}
	}
}

// planChosen starts the tier that a person chose, whatever was found.
func (p *planner) planChosen() {
	h, tier := *p.Run.handoff, p.Run.chosen
	p.handoff, p.services = &h, p.Run.services
	p.planVerdict(verdict{next: tier, reason: fmt.Sprintf("Tier %d started for %s: a person asked for it", tier, some(h.ServicesAffected))})
}

// planProven records, for each service that a tier left healthy, whether the tier fixed it.
func (p *planner) planProven() {
	run := p.Run
	for _, name := range run.services {
		if !p.Now.Service(name).Proven() {
			continue
		}
		if open := p.incident(name); open != nil {
			i := open.Recovering(0, p.Now.Now)
			i.LastChain = store.ChainSolved
			p.save(i, false)
		}
		did := slices.DeleteFunc(slices.Clone(p.Acts), func(a store.Act) bool { return a.Service != name || !a.Success || a.OnlyClaimed() })
		switch {
		case len(did) == 0:
			p.note(store.Info, name, "%s is healthy, by its checks; Tier %d remediated nothing there", name, run.session.Tier)
			continue
		case run.session.Agent == store.FirstAid:
			p.note(store.Info, name, "%s remediated by first aid: its checks are healthy again", name)
		default:
			p.note(store.Info, name, "%s remediated by Tier %d: its checks are healthy again", name, run.session.Tier)
		}
		p.add(remediated{name, run, did, !p.Now.Service(name).Quiet().Given()})
	}
}

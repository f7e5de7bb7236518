package cycle

import (
	"fmt"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// withoutHandoff returns the services that get first aid although Tier 1 left no handoff, because its model has
// failed or left an invalid one: what the program's own checks find down needs none.
func (p *planner) withoutHandoff() []string {
	if p.Run.session.Tier != 1 || p.Signal != "" {
		return nil
	}
	return p.startable(p.unwell())
}

// planAid plans first aid for the first of the services that may still get it, and reports whether there is one.
func (p *planner) planAid(services []string) bool {
	for _, name := range services {
		s := p.Now.Service(name).Listed
		if s == nil || !s.FirstAid.Given() || p.Run.aided[name] {
			continue
		}
		if why := p.noFirstAid(s); why != "" {
			p.add(noAid{p.Run, name, why})
			continue
		}
		p.next = Next{Do: Aid, Service: name}
		return true
	}
	return false
}

// noFirstAid returns why a service is given no first aid now, as a clause; empty if it is.
func (p *planner) noFirstAid(s *inventory.Service) string {
	c := p.Now.Config
	switch many := p.downAtOnce(); {
	case p.Now.Service(s.Name).ByOwn() != check.Down:
		return "the program's own checks do not find it down"
	case c.DryRun:
		return "CLAUDEOPS_DRY_RUN is set"
	case c.MaxTier < 2:
		return "CLAUDEOPS_MAX_TIER is 1"
	case c.MaxServicesPerHour > 0 && many > c.MaxServicesPerHour:
		return fmt.Sprintf("%s are down at once, which has one cause: CLAUDEOPS_MAX_SERVICES_PER_HOUR is %d", text.Count(many, "service"), c.MaxServicesPerHour)
	}
	if hold := p.service(s.Name).Held(state.FirstAid); hold.Given() {
		return hold.Reason
	}
	counted := statefile.Restart
	if s.FirstAid.Do != "" {
		counted = statefile.Other
	}
	switch no := p.Now.MayTouch(s.Name, counted, state.By{Tier: 2}); {
	case no == nil:
		return p.aidedBefore(s)
	case no.Limited():
		return "its limit is reached: " + no.Permission.String()
	default:
		return no.Reason
	}
}

// retryAid is how long first aid that did not help counts against another attempt.
const retryAid = time.Hour

// aidedBefore returns, as a clause, that a service was given first aid in its incident, which it has (startable), as often as it may be
// within retryAid, and that its checks have not found it healthy since; empty if it may be given once more. An attempt that a kill cut off
// counts: it was recorded before it ran.
func (p *planner) aidedBefore(s *inventory.Service) string {
	is, now := p.service(s.Name), p.Now.Now
	var given []store.Act
	opened := is.Incident.OpenedAt.Truncate(time.Second) // as times of acts are
	for _, a := range is.Acts {
		recent := a.CreatedAt.After(now.Add(-retryAid)) && a.CreatedAt.Before(now.Add(retryAid))
		if a.FirstAid && recent && !a.CreatedAt.Before(opened) {
			given = append(given, a)
		}
	}
	over := len(given) - s.FirstAid.Attempts
	if over < 0 || is.WellSince(given[len(given)-1].CreatedAt) {
		return ""
	}
	return fmt.Sprintf("it was given at %s, and no check has found it healthy since; next try after %s",
		text.Moment(given[len(given)-1].CreatedAt), text.Moment(given[over].CreatedAt.Add(retryAid)))
}

// downAtOnce returns how many services are down now for a reason of their own: neither under a service that they depend on, nor in
// maintenance or silenced, nor by an alert alone, which names what its sender likes.
func (p *planner) downAtOnce() (count int) {
	for _, is := range p.found {
		hold := p.heldBack(is.Name)
		if is.Status() == check.Down && hold.Under == "" && !hold.Quiet() && is.ByOwn().Unwell() {
			count++
		}
	}
	return count
}

// planAidGiven plans what follows first aid for a service, once its checks were made again, or if nothing was run.
func (p *planner) planAidGiven() {
	run, service := p.Run, p.Run.services[0]
	if len(p.Acts) == 0 {
		why := strings.TrimPrefix(run.outcome.Response, "claudeops: ") // the broker's refusal
		why = strings.TrimPrefix(why, "not run: ")
		if proposal := p.service(service).Proposal; proposal != nil {
			why = notify.ProposalWaits(*proposal)
		} else if run.outcome.Ending != tiers.Completed {
			why = run.outcome.Reason
		}
		p.add(noAid{run, service, why})
		return
	}
	did, became := "`"+p.Acts[0].Detail+"` "+p.Acts[0].Outcome(), "; the checks after it find it healthy"
	switch {
	case run.unproven:
		became = "; it is not known whether it helped"
	case !p.Now.Service(service).Proven():
		became = "; the checks after it do not find it healthy"
		p.note(store.Warning, service, "first aid for %s did not help: %s", service, did)
	}
	p.add(link{run.services, "", "first aid: " + did + became})
}

package cycle

import (
	"fmt"
	"slices"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// planApproved plans the next of what people have approved: that it runs, or that it is void. It reports whether there is any.
func (p *planner) planApproved() bool {
	for _, proposal := range p.Now.Pending {
		approved := proposal.Status == store.ProposalApproved && proposal.RunSessionID == nil
		outdated := p.service(proposal.Service).Outdated(proposal) != ""
		if !approved || p.Signal != "" || outdated || p.waits(proposal.Service) {
			continue
		}
		p.next = Next{Do: Run, Proposal: proposal}
		if why := p.mayNotRun(proposal); why != "" {
			p.add(void{proposal, why})
			p.next = Next{Do: Again}
		}
		return true
	}
	return false
}

// waits reports whether what was approved for a service waits for its checks: this cycle is not about the service, or has not made them,
// because Tier 1 failed or ran out of time.
func (p *planner) waits(service string) bool {
	if only := p.Now.Config.Services; only != nil && !slices.Contains(only, service) {
		return true
	}
	is := p.Now.Service(service)
	return is.HasChecks() && (!p.checked(is) || is.ByOwn() == check.Unknown)
}

// mayNotRun returns why an approved proposal must not run in this cycle, as a clause; empty if it may.
func (p *planner) mayNotRun(proposal store.Proposal) string {
	c := p.Now.Config
	switch {
	case c.DryRun:
		return "CLAUDEOPS_DRY_RUN is set"
	case proposal.Tier > c.MaxTier:
		return fmt.Sprintf("it is Tier %d's, and CLAUDEOPS_MAX_TIER is %d", proposal.Tier, c.MaxTier)
	case proposal.IncidentID != nil && p.Now.Service(proposal.Service).Status() == check.Healthy:
		return proposal.Service + " is healthy again"
	}
	return ""
}

// planRan plans what follows the run of an approved proposal, or that it was void and did not run.
func (p *planner) planRan() {
	run := p.Run
	if run.differs != "" {
		p.add(void{*run.approved, run.differs})
		return
	}
	p.planEnded()
	p.add(p.ran(*run.approved))
}

// ran returns how the run of a proposal has ended.
func (p *planner) ran(proposal store.Proposal) endRun {
	run, service := p.Run, proposal.Service
	switch {
	case run.outcome.Ending != tiers.Completed:
		return endRun{proposal, store.ProposalFailed, run.outcome.Reason}
	case run.unproven:
		return endRun{proposal, store.ProposalDone, "it ran; a signal came before the checks after it"}
	case !p.Now.Service(service).HasChecks():
		return endRun{proposal, store.ProposalDone, "it ran; no check of the program tells whether it helped"}
	case p.Now.Service(service).Proven():
		return endRun{proposal, store.ProposalDone, "it ran, and the checks find " + service + " healthy"}
	}
	return endRun{proposal, store.ProposalFailed, "it ran, and the checks after it do not find " + service + " healthy"}
}

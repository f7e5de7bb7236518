package cycle

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/notify"
)

// verdict is a decision on the next tier. If next is 0, the chain ends for the given reason.
type verdict struct {
	next             int
	reason           string            // for the log and the summary
	notify.Attention                   // what a human is asked about each service; its Why may be empty if reason says it
	whyOf            map[string]string // why, for services with a different reason
	waits            bool              // every affected service waits for its time; nothing new
}

// asks returns the end of a chain at which a human is asked, why, and the reason for the log and the summary.
func asks(cause notify.Cause, why, format string, args ...any) verdict {
	return verdict{Attention: notify.Attention{Cause: cause, Why: why}, reason: fmt.Sprintf(format, args...)}
}

// about returns what a human is asked about a service.
func (v verdict) about(service string) notify.Attention {
	return notify.Attention{Cause: v.Cause, Why: cmp.Or(v.whyOf[service], v.Why, v.reason)}
}

// deadEnd reports whether a chain failed. A chain that could not start is not a dead end: it starts as soon as it may.
func (v verdict) deadEnd() bool {
	return !slices.Contains([]notify.Cause{notify.NoAgent, notify.NoBudget, notify.DryRun, notify.CountLost}, v.Cause)
}

// decide returns whether the tier after one starts for services that are handed off (SPEC-0016 "Supervisor Escalation Logic", RULE "Used up"
// and "Incident").
func (p *planner) decide(tier int, services []string) verdict {
	c, names, next := p.Now.Config, some(services), tier+1
	agent := agentOf(next)
	left, limited := p.Now.BudgetLeft()
	var usedUp, waiting []string
	var until time.Time // the last of those that wait may be tried again
	for _, name := range services {
		is := p.service(name)
		if is.UsedUp() {
			usedUp = append(usedUp, name)
		}
		if is.Incident == nil {
			continue
		}
		if at, waits := is.Incident.WaitsUntil(p.Now.Now); waits {
			waiting, until = append(waiting, name), slices.MaxFunc([]time.Time{until, at}, time.Time.Compare)
		}
	}
	switch {
	case tier == handoff.LastTier:
		return asks(notify.Unresolved, "Tier 3, the last, could not resolve it either",
			"Tier 3 handed off too: there is no further tier, and %s is not resolved", names)
	case c.DryRun:
		return asks(notify.DryRun, "Dry run: nothing is done about it", "escalation to Tier %d suppressed: dry run", next)
	case next > c.MaxTier:
		return asks(notify.TierLimit, fmt.Sprintf("%s would look into it, but CLAUDEOPS_MAX_TIER is %d", agent, c.MaxTier),
			"escalation to Tier %d blocked: CLAUDEOPS_MAX_TIER is %d", next, c.MaxTier)
	case limited && left <= 0:
		return asks(notify.NoBudget, agent+" would look into it, but CLAUDEOPS_DAILY_BUDGET_USD is spent",
			"Tier %d not started: CLAUDEOPS_DAILY_BUDGET_USD is spent", next)
	case p.NoModel != "":
		return asks(notify.NoAgent, "No agent can be started: `claudeops doctor` says why", "Tier %d not started for %s: %s", next, names, p.NoModel)
	case !p.Now.CountLost.IsZero():
		return asks(notify.CountLost, ledger.CountLostWhy, "Tier %d not started for %s: it is not known what was done "+
			"in the last 24 h, because the database was set aside", next, names)
	case len(waiting) == len(services):
		reason := fmt.Sprintf("Tier %d not started: %s is as it was when a human was asked; next try after %s",
			next, names, text.Moment(until))
		return verdict{waits: true, reason: reason}
	case len(usedUp) == len(services):
		return asks(notify.LimitsUsedUp, limitsUsedUp,
			"Tier %d not started: no restart and no redeployment of %s is permitted now", next, names)
	case len(union(usedUp, waiting)) == len(services):
		v := asks(notify.LimitsUsedUp, limitsUsedUp,
			"Tier %d not started: each of %s has its limits used up or waits for a human", next, names)
		v.whyOf = map[string]string{}
		for _, name := range waiting {
			v.whyOf[name] = "It is as it was when people were asked"
		}
		return v
	}
	return verdict{next: next, reason: fmt.Sprintf("Tier %d started for %s", next, names)}
}

// agentOf returns the agent of a tier that would be next, for people.
func agentOf(tier int) string {
	if tier > 2 {
		return fmt.Sprintf("An agent of Tier %d", tier)
	}
	return "An agent"
}

// limitsUsedUp is the reason for a service that has reached both limits.
const limitsUsedUp = "Its limits are reached: it may be neither restarted nor redeployed now"

// some joins the names of services, or statements about them, for a person.
func some(names []string) string { return text.Few(names, 5) }

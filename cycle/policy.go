package cycle

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/ledger"
)

// situation is everything that the decision on the next tier depends on.
type situation struct {
	tier      int      // the tier that ended
	services  []string // that are handed off
	dryRun    bool
	maxTier   int
	overSpent bool                 // the day's budget is spent
	noModel   string               // why no model can be started; empty if one can
	noAgent   string               // the same, worded for people
	countLost bool                 // it is not known which remediations ran in the last 24 h
	usedUp    map[string]bool      // services that may be neither restarted nor redeployed now
	waiting   map[string]time.Time // services with an unchanged incident that waits, and until when
}

// verdict is a decision on the next tier. If next is 0, the chain ends for the given reason.
type verdict struct {
	next      int
	reason    string            // for the log and the summary
	why       string            // the reason in a request about one service, without its name
	whyOf     map[string]string // the same, for services with a different reason
	attention ledger.Cause      // why a human is asked; empty if none is
	waits     bool              // every affected service waits for its time; nothing new
}

// about returns the reason in a request for a human about a service.
func (v verdict) about(service string) string { return cmp.Or(v.whyOf[service], v.why, v.reason) }

// deadEnd reports whether a chain failed. A chain that could not start is not a dead end: it starts as soon as it may.
func (v verdict) deadEnd() bool {
	return !slices.Contains([]ledger.Cause{ledger.NoAgent, ledger.BudgetSpent, ledger.DryRun, ledger.CountLost}, v.attention)
}

// decide returns whether the next tier starts (SPEC-0016 "Supervisor Escalation Logic", RULE "Used up" and "Incident"). The handoff must
// be valid; decide is not called for a tier that wrote none.
func decide(s situation) verdict {
	names := some(s.services)
	next := s.tier + 1
	agent := agentOf(next)
	switch {
	case s.tier == 3:
		return verdict{attention: ledger.Unresolved, reason: "Tier 3 handed off too: there is no further tier, and " + names + " is not resolved",
			why: "Tier 3, the last, could not resolve it either"}
	case s.dryRun:
		return verdict{attention: ledger.DryRun, reason: fmt.Sprintf("escalation to Tier %d suppressed: dry run", next),
			why: "Dry run: nothing is done about it"}
	case next > s.maxTier:
		return verdict{attention: ledger.TierLimit, reason: fmt.Sprintf("escalation to Tier %d blocked: CLAUDEOPS_MAX_TIER is %d", next, s.maxTier),
			why: fmt.Sprintf("%s would look into it, but CLAUDEOPS_MAX_TIER is %d", agent, s.maxTier)}
	case s.overSpent:
		return verdict{attention: ledger.BudgetSpent, reason: fmt.Sprintf("Tier %d not started: CLAUDEOPS_DAILY_BUDGET_USD is spent", next),
			why: agent + " would look into it, but CLAUDEOPS_DAILY_BUDGET_USD is spent"}
	case s.noModel != "":
		return verdict{attention: ledger.NoAgent, reason: fmt.Sprintf("Tier %d not started for %s: %s", next, names, s.noModel), why: s.noAgent}
	case s.countLost:
		return verdict{attention: ledger.CountLost, why: ledger.CountLostWhy,
			reason: fmt.Sprintf("Tier %d not started for %s: it is not known what was done in the last 24 h, because the database was set aside", next, names)}
	case all(s.services, func(name string) bool { return !s.waiting[name].IsZero() }):
		return verdict{waits: true, reason: fmt.Sprintf("Tier %d not started: %s is as it was when a human was asked; next try after %s",
			next, names, text.Moment(latest(s.waiting, s.services)))}
	case all(s.services, func(name string) bool { return s.usedUp[name] }):
		return verdict{attention: ledger.LimitsUsedUp, why: usedUp,
			reason: fmt.Sprintf("Tier %d not started: no restart and no redeployment of %s is permitted now", next, names)}
	case all(s.services, func(name string) bool { return s.usedUp[name] || !s.waiting[name].IsZero() }):
		v := verdict{attention: ledger.LimitsUsedUp, why: usedUp, whyOf: map[string]string{},
			reason: fmt.Sprintf("Tier %d not started: each of %s has its limits used up or waits for a human", next, names)}
		for name := range s.waiting {
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

// usedUp is the reason for a service that has reached both limits.
const usedUp = "Its limits are reached: it may be neither restarted nor redeployed now"

// some joins the names of services, or statements about them, for a person.
func some(names []string) string { return text.Few(names, 5) }

func all(names []string, holds func(string) bool) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !holds(name) })
}

// latest returns the last of the times at which the services may be tried again.
func latest(waiting map[string]time.Time, names []string) time.Time {
	var last time.Time
	for _, name := range names {
		if waiting[name].After(last) {
			last = waiting[name]
		}
	}
	return last
}

package cycle

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/notify"
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

// decide returns whether the next tier starts (SPEC-0016 "Supervisor Escalation Logic", RULE "Used up" and "Incident"). The handoff must
// be valid; decide is not called for a tier that wrote none.
func decide(s situation) verdict {
	names := some(s.services)
	next := s.tier + 1
	agent := agentOf(next)
	switch {
	case s.tier == 3:
		return asks(notify.Unresolved, "Tier 3, the last, could not resolve it either",
			"Tier 3 handed off too: there is no further tier, and %s is not resolved", names)
	case s.dryRun:
		return asks(notify.DryRun, "Dry run: nothing is done about it", "escalation to Tier %d suppressed: dry run", next)
	case next > s.maxTier:
		return asks(notify.TierLimit, fmt.Sprintf("%s would look into it, but CLAUDEOPS_MAX_TIER is %d", agent, s.maxTier),
			"escalation to Tier %d blocked: CLAUDEOPS_MAX_TIER is %d", next, s.maxTier)
	case s.overSpent:
		return asks(notify.NoBudget, agent+" would look into it, but CLAUDEOPS_DAILY_BUDGET_USD is spent",
			"Tier %d not started: CLAUDEOPS_DAILY_BUDGET_USD is spent", next)
	case s.noModel != "":
		return asks(notify.NoAgent, s.noAgent, "Tier %d not started for %s: %s", next, names, s.noModel)
	case s.countLost:
		return asks(notify.CountLost, ledger.CountLostWhy, "Tier %d not started for %s: it is not known what was done "+
			"in the last 24 h, because the database was set aside", next, names)
	case all(s.services, func(name string) bool { return !s.waiting[name].IsZero() }):
		reason := fmt.Sprintf("Tier %d not started: %s is as it was when a human was asked; next try after %s",
			next, names, text.Moment(latest(s.waiting, s.services)))
		return verdict{waits: true, reason: reason}
	case all(s.services, func(name string) bool { return s.usedUp[name] }):
		return asks(notify.LimitsUsedUp, usedUp,
			"Tier %d not started: no restart and no redeployment of %s is permitted now", next, names)
	case all(s.services, func(name string) bool { return s.usedUp[name] || !s.waiting[name].IsZero() }):
		v := asks(notify.LimitsUsedUp, usedUp,
			"Tier %d not started: each of %s has its limits used up or waits for a human", next, names)
		v.whyOf = map[string]string{}
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

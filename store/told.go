package store

import (
	"time"

	"github.com/claudeops/claudeops/check"
)

// repeatAfter is how long people are not told the same again.
const repeatAfter = 24 * time.Hour

// Causes that the outbox distinguishes. CauseFlapping asks for a human about a flapping service, CauseAgentAsks for an
// agent.
const (
	CauseFlapping  = "flapping"
	CauseAgentAsks = "agent_asks"
)

// told is an earlier notification of the same incident or, without one, of the same kind, service and cause.
type told struct {
	Kind      Kind
	Cause     string
	Status    check.Status // of the incident when it was queued
	CreatedAt time.Time
}

// standing is how a notification's incident is now; zero without one.
type standing struct {
	Status       check.Status
	Acknowledged bool // somebody looks after it
}

// repeats reports whether people were told the same already, so that a notification is not queued (RULE "Incident").
// earlier is what they were told, newest first. Whatever came before the opposite was told is no longer known.
func repeats(n Notification, now standing, earlier []told) bool {
	if n.Kind.Alone() {
		return false
	}
	for _, e := range earlier {
		if n.Kind.unwell() && e.Kind.well() || n.Kind == Recovered && e.Kind.unwell() {
			return false
		}
		if e.says(n, now) && e.lasts(n, now) {
			return true
		}
	}
	return false
}

// says reports whether an earlier notification tells people what n does. That a service is down is what any word that
// it is unwell says; but what said degraded does not say down, and only one about flapping says that it flaps.
func (e told) says(n Notification, now standing) bool {
	switch {
	case n.Kind.unwell() && e.Status == check.Degraded && now.Status == check.Down:
		return false
	case n.Cause == CauseFlapping:
		return e.Cause == CauseFlapping
	case n.Kind == Down:
		return e.Kind.unwell()
	}
	return e.Kind == n.Kind
}

// lasts reports whether an earlier notification still counts: for 24 h or, where it is down or while somebody looks
// after it, until the opposite is told. One of a day or more ahead was written under a wrong clock.
func (e told) lasts(n Notification, now standing) bool {
	if n.Kind == Down || n.Kind == HumanAttention && now.Acknowledged {
		return true
	}
	return n.CreatedAt.Sub(e.CreatedAt).Abs() < repeatAfter
}

// The kinds that say that an incident's service is unwell, or that it is well again.
const (
	saysUnwell = `('` + string(Down) + `', '` + string(HumanAttention) + `', '` + string(AgentFailing) + `')`
	saysWell   = `('` + string(Recovered) + `', '` + string(Remediated) + `')`
)

func (k Kind) unwell() bool { return k == Down || k == HumanAttention || k == AgentFailing }
func (k Kind) well() bool   { return k == Recovered || k == Remediated }

// Alone reports whether a notification of the kind repeats nothing, and is sent in a message of its own.
func (k Kind) Alone() bool { return k == Message || k == DailyDigest || k == AskApproval }

// Replaceable reports whether the notification says how an incident's service is, so that a later one says all that it
// says. What somebody asks for is not replaced.
func (n Notification) Replaceable() bool {
	return n.IncidentID != nil && n.Cause != CauseAgentAsks && (n.Kind.unwell() || n.Kind.well())
}

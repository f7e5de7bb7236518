package store

import (
	"time"

	"github.com/claudeops/claudeops/check"
)

// repeatAfter is how long people are not told the same again.
const repeatAfter = 24 * time.Hour

// Causes that the outbox distinguishes. CauseFlapping asks for a human about a flapping service, CauseAgentAsks for an agent.
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

// repeats reports whether people were told the same already, so that a notification is not queued (RULE "Incident"). earlier is what they
// were told, newest first; i is the notification's incident as it is now, zero without one.
//
// The same is what has the same kind, within 24 h. That a service is down is also the same as any word that it is unwell, however old; and
// a request for a human the same as any before, while somebody has acknowledged the incident. Nothing is the same as what came before
// the opposite was told, as what said degraded where the service is down now, and flapping only as flapping. What is dated a day or more
// in the future was written under a wrong clock.
func repeats(n Notification, now standing, earlier []told) bool {
	if n.Kind.Alone() {
		return false
	}
	lasting := n.Kind == Down || n.Kind == HumanAttention && now.Acknowledged
	for _, e := range earlier {
		if n.Kind.unwell() && e.Kind.well() || n.Kind == Recovered && e.Kind.unwell() {
			return false
		}
		same := n.Kind == e.Kind || n.Kind == Down && e.Kind.unwell()
		if n.Cause == CauseFlapping {
			same = e.Cause == CauseFlapping
		}
		if n.Kind.unwell() && e.Status == check.Degraded && now.Status == check.Down {
			same = false
		}
		if same && (lasting || n.CreatedAt.Sub(e.CreatedAt).Abs() < repeatAfter) {
			return true
		}
	}
	return false
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

// Replaceable reports whether the notification says how an incident's service is, so that a later one says all that it says. What somebody
// asks for is not replaced.
func (n Notification) Replaceable() bool {
	return n.IncidentID != nil && n.Cause != CauseAgentAsks && (n.Kind.unwell() || n.Kind.well())
}

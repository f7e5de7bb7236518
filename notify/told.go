package notify

import (
	"context"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

// Cause is the reason why people are told something.
type Cause string

// Causes.
const (
	TierLimit        Cause = "tier_limit"
	Unresolved       Cause = "unresolved"
	LimitsUsedUp     Cause = "limits_used_up"
	HollowFix        Cause = "hollow_fix"
	Flapping         Cause = "flapping" // it recovers and fails again
	BadHandoff       Cause = "invalid_handoff"
	TierFailed       Cause = "tier_failed"
	NoBudget         Cause = "budget"
	NoAgent          Cause = "no_agent"     // no model is available to investigate
	ModelFailed      Cause = "model_failed" // found by the probes, because Tier 1's model failed
	Reminder         Cause = "reminder"     // nothing has changed since the request a day ago
	UnwellAgain      Cause = "unwell_again" // unwell, although the last message said it is well
	DryRun           Cause = "dry_run"      // a dry run does not remediate
	NotNow           Cause = "not_now"      // outside of a service's hours, or too many services within an hour
	AgentAsks        Cause = "agent_asks"   // an agent asks for what it may not or cannot do
	CountLost        Cause = "count_lost"   // it is not known which remediations ran in the last 24 h
	UnusableDatabase Cause = "unusable_database"
)

// repeatAfter is how long people are not told the same again.
const repeatAfter = 24 * time.Hour

// Queue puts a notification into the outbox, and returns its id; 0 if people were told the same already, and nothing is
// queued. A zero time means now.
func Queue(ctx context.Context, s *store.Store, n store.Notification) (id int64, err error) {
	if n.CreatedAt.IsZero() {
		n.CreatedAt = s.Now()
	}
	err = s.Update(ctx, func(s *store.Store) error {
		told, err := toldBefore(ctx, s, n)
		if err != nil || repeats(n, told) {
			return err
		}
		n.Status = told.Incident.Status
		id, err = s.AddNotification(ctx, n)
		return err
	})
	return id, err
}

// toldBefore returns what people were told of a notification's incident or, without one, of the same kind, service and
// cause.
func toldBefore(ctx context.Context, s *store.Store, n store.Notification) (told store.Told, err error) {
	if n.IncidentID == nil {
		told.Said, err = s.ToldOfWatch(ctx, n, n.CreatedAt.Add(-repeatAfter))
		return told, err
	}
	all, err := s.Told(ctx, []int64{*n.IncidentID})
	return all[*n.IncidentID], err
}

// repeats reports whether people were told the same already (RULE "Incident"). What they were told counts for 24 h or,
// of what is down or looked after by somebody, until the opposite is told. A day or more ahead is a wrong clock.
func repeats(n store.Notification, told store.Told) bool {
	i := told.Incident
	lasts := n.Kind == store.Down || n.Kind == store.HumanAttention && i.AcknowledgedAt != nil
	for _, e := range told.Said {
		switch {
		case alone(n.Kind), unwell(n.Kind) && well(e.Kind), n.Kind == store.Recovered && unwell(e.Kind):
			return false
		case unwell(n.Kind) && e.Status == check.Degraded && i.Status == check.Down: // did not say that it is down
		case n.Cause == string(Flapping) && n.Cause != e.Cause: // did not say that it flaps
		case n.Kind != e.Kind && !(n.Kind == store.Down && unwell(e.Kind)): // any word that it is unwell says down
		case lasts || n.CreatedAt.Sub(e.CreatedAt).Abs() < repeatAfter:
			return true
		}
	}
	return false
}

// unwell and well report whether a kind says that an incident's service is unwell, or that it is well again.
func unwell(k store.Kind) bool {
	return k == store.Down || k == store.HumanAttention || k == store.AgentFailing
}

func well(k store.Kind) bool { return k == store.Recovered || k == store.Remediated }

// alone reports whether a notification of a kind repeats nothing, and is sent in a message of its own.
func alone(k store.Kind) bool {
	return k == store.Message || k == store.DailyDigest || k == store.AskApproval
}

// replaceable reports whether a notification says how an incident's service is, so that a later one says all that it
// says. What somebody asks for is not replaced.
func replaceable(n store.Notification) bool {
	return n.IncidentID != nil && n.Cause != string(AgentAsks) && (unwell(n.Kind) || well(n.Kind))
}

// Remind returns why people are asked once more about an incident that is unwell still, or again; no cause if they know.
func Remind(told store.Told, now time.Time) Attention {
	if repeats(store.Notification{Kind: store.HumanAttention, CreatedAt: now}, told) {
		return Attention{}
	}
	if well(lastWord(told)) {
		return Attention{Cause: UnwellAgain, Why: "The last message said that it is well, and it no longer is"}
	}
	for _, first := range slices.Backward(told.Said) {
		if first.Kind == store.HumanAttention {
			ago := text.Duration(now.Sub(first.CreatedAt))
			return Attention{Cause: Reminder, Why: "The first message was " + ago + " ago, and nothing has changed since"}
		}
	}
	return Attention{}
}

// SaidUnwell reports whether the last word about an incident is that its service is unwell.
func SaidUnwell(told store.Told) bool { return unwell(lastWord(told)) }

// lastWord returns the kind of what was said last of how an incident's service is; empty if nothing was.
func lastWord(told store.Told) store.Kind {
	for _, n := range told.Said {
		if unwell(n.Kind) || well(n.Kind) {
			return n.Kind
		}
	}
	return ""
}

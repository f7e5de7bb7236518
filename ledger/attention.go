package ledger

import (
	"context"
	"fmt"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// Cause is the reason why a human is asked about a service.
type Cause string

// Causes.
const (
	TierLimit      Cause = "tier_limit"
	Unresolved     Cause = "unresolved"
	LimitsUsedUp   Cause = "limits_used_up"
	HollowFix      Cause = "hollow_fix"
	Flapping       Cause = store.CauseFlapping // it recovers and fails again
	InvalidHandoff Cause = notify.CauseInvalidHandoff
	TierFailed     Cause = "tier_failed"
	BudgetSpent    Cause = notify.CauseBudgetSpent
	NoAgent        Cause = "no_agent"           // no model is available to investigate
	ModelFailed    Cause = "model_failed"       // found by the probes, because Tier 1's model failed
	Reminder       Cause = "reminder"           // nothing has changed since the request a day ago
	UnwellAgain    Cause = "unwell_again"       // unwell, although the last message said it is well
	DryRun         Cause = "dry_run"            // a dry run does not remediate
	NotNow         Cause = "not_now"            // outside of a service's hours, or too many services within an hour
	AgentAsks      Cause = store.CauseAgentAsks // an agent asks for what it may not or cannot do
	CountLost      Cause = "count_lost"         // it is not known which remediations ran in the last 24 h
)

// Ask is the reason for a request to a human. Its sentences have no full stop and do not name the service, so that several services can
// share them.
type Ask struct {
	Cause Cause
	Why   string   // why a human is needed
	Next  string   // what claudeops does next; may be empty
	Facts []string // beside those that About has
}

// AskHuman passes an agent's request on to a human. One that is about no single service has no name in about, and one
// about a name that nothing but the agent knows is such a request: it can be any text.
func (b *Records) AskHuman(ctx context.Context, about notify.About, words string) error {
	agent := b.Config.Agent
	why := fmt.Sprintf("Tier %d asks: %s", agent.Tier, text.Unlinked(b.Redactor.String(words)))
	known := about.Listed || about.Incident.ID != 0 || b.Inventory == nil && about.Incident.Service != ""
	if known {
		return b.Refused(ctx, about, why, &Ask{Cause: AgentAsks, Why: why})
	}
	return b.Together(ctx, func() error {
		if err := b.Refused(ctx, about, why, nil); err != nil {
			return err
		}
		return b.Queue(ctx, notify.AgentAsks(agent.Tier, agent.SessionID, why))
	})
}

// Refused records what an agent was refused or asks for, as an event, and asks a human about its service if ask is not
// nil, unless the service is quiet.
func (b *Records) Refused(ctx context.Context, about notify.About, event string, ask *Ask) error {
	id := b.Config.Agent.SessionID
	return b.Together(ctx, func() error {
		err := b.note(ctx, store.Warning, &id, about.Incident.Service, event)
		if err != nil || ask == nil || about.Quiet {
			return err
		}
		return b.RequestAttention(ctx, about, *ask)
	})
}

// RequestAttention queues the request for a human about one service: what is broken, why nothing else can continue and, as the cooldown
// skill requires, what was tried, how often, and when the windows free up.
func (b *Records) RequestAttention(ctx context.Context, about notify.About, ask Ask) error {
	a := notify.Attention{
		About: about, Why: ask.Why, Next: ask.Next, Facts: ask.Facts, Agent: b.Config.Agent.SessionID, Now: b.Now(),
		UsedUp: ask.Cause == LimitsUsedUp, Lasts: ask.Cause == Reminder,
		Hiccup: ask.Cause == ModelFailed || ask.Cause == InvalidHandoff || ask.Cause == DryRun,
	}
	if about.Incident.ID != 0 {
		var err error
		if a.Effort, err = b.Store.IncidentEffort(ctx, about.Incident); err != nil {
			return err
		}
	}
	n := a.News()
	n.Cause = string(ask.Cause)
	return b.Queue(ctx, n)
}

// MaxFound limits what is passed on of what a check, an agent or an alert says, in characters.
const MaxFound = 300

// NotifyRecovered notifies people that an incident is over.
func (b *Records) NotifyRecovered(ctx context.Context, i store.Incident) error {
	effort, err := b.Store.IncidentEffort(ctx, i)
	if err != nil {
		return err
	}
	return b.Queue(ctx, notify.Recovered(i, effort))
}

// Queue puts news into the outbox, unless people were told the same.
func (b *Records) Queue(ctx context.Context, n notify.News) error {
	if _, known := b.Inventory.Get(n.Service); !known { // its name may be a sender's or an agent's choice
		n = n.WithoutLink(n.Service)
	}
	n.Body.Dashboard = b.Config.DashboardURL
	_, err := b.Store.QueueNotification(ctx, n.Notification(b.Redactor.String, b.Now()))
	return err
}

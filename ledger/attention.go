package ledger

import (
	"context"
	"fmt"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// AskHuman passes an agent's request on to a human. One that is about no single service has no name in about, and one
// about a name that nothing but the agent knows is such a request: it can be any text.
func (b *Records) AskHuman(ctx context.Context, about notify.About, words string) error {
	agent := b.Config.Agent
	why := fmt.Sprintf("Tier %d asks: %s", agent.Tier, text.Unlinked(b.Redactor.String(words)))
	known := about.Listed || about.Incident.ID != 0 || b.Inventory == nil && about.Incident.Service != ""
	if known {
		return b.Refused(ctx, about, why, notify.Attention{Cause: notify.AgentAsks, Why: why})
	}
	return b.Together(ctx, func() error {
		if err := b.Refused(ctx, about, why, notify.Attention{}); err != nil {
			return err
		}
		return b.Queue(ctx, notify.AgentRequest(agent.Tier, agent.SessionID, why))
	})
}

// Refused records what an agent was refused or asks for, as an event, and asks a human about its service if that has a
// cause, unless the service is quiet.
func (b *Records) Refused(ctx context.Context, about notify.About, event string, ask notify.Attention) error {
	id := b.Config.Agent.SessionID
	return b.Together(ctx, func() error {
		err := b.note(ctx, store.Warning, &id, about.Incident.Service, event)
		if err != nil || ask.Cause == "" || about.Quiet {
			return err
		}
		return b.RequestAttention(ctx, about, ask)
	})
}

// RequestAttention queues the request for a human about one service, with what was tried, how often, and when the
// windows free up, as the cooldown skill requires.
func (b *Records) RequestAttention(ctx context.Context, about notify.About, ask notify.Attention) error {
	var effort store.Effort
	if about.Incident.ID != 0 {
		var err error
		if effort, err = b.Store.IncidentEffort(ctx, about.Incident); err != nil {
			return err
		}
	}
	return b.Queue(ctx, ask.News(about, effort, b.Config.Agent.SessionID, b.Now()))
}

// MaxFound limits what is passed on of what a check, an agent or an alert says, in characters.
const MaxFound = 300

// Queue puts news into the outbox, unless people were told the same.
func (b *Records) Queue(ctx context.Context, n notify.News) error {
	if _, known := b.Inventory.Get(n.Service); !known { // its name may be a sender's or an agent's choice
		n = n.WithoutLink(n.Service)
	}
	n.Body.Dashboard = b.Config.DashboardURL
	_, err := notify.Queue(ctx, b.Store, n.Notification(b.Redactor.String, b.Now()))
	return err
}

package books

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/store"
)

// Cause is why a human is asked. Without an incident it stands where the incident would: one notification a cause in 24 h.
type Cause string

// The causes. Those of the watch itself (InvalidHandoff, BudgetSpent, RecordsErased) have no incident.
const (
	TierLimit      Cause = "tier_limit"
	Unresolved     Cause = "unresolved"
	LimitsUsedUp   Cause = "limits_used_up"
	HollowFix      Cause = "hollow_fix"
	InvalidHandoff Cause = "invalid_handoff"
	TierFailed     Cause = "tier_failed"
	BudgetSpent    Cause = "budget"
	NoAgent        Cause = "no_agent"     // there is no model that could look further
	Unchecked      Cause = "unchecked"    // the probes' time was over
	ModelFailed    Cause = "model_failed" // the probes found it, because Tier 1's model did not
	RecordsErased  Cause = "erased_records"
)

// Refused asks a human, once, because an agent wanted what a limit does not permit (SPEC-0007 REQ-4, REQ-5).
func (b *Books) Refused(ctx context.Context, service string, p Permission) error {
	return b.refused(ctx, service, fmt.Sprintf("a %s of %s was refused: %s", p.Action, service, p.used()))
}

func (b *Books) refused(ctx context.Context, service, reason string) error {
	session := b.Config.Agent.SessionID
	err := b.Store.AddEvent(ctx, store.Event{SessionID: &session, Level: store.Warning, Service: service, Message: reason, CreatedAt: b.Now()})
	if err != nil {
		return err
	}
	open, err := b.Store.OpenIncidents(ctx)
	if err != nil {
		return err
	}
	incident, known := open[service]
	if !known {
		incident = store.Incident{Service: service}
	}
	limits, err := b.Limits(ctx, service)
	if err != nil {
		return err
	}
	return b.RequestAttention(ctx, limits, incident, LimitsUsedUp, reason)
}

// RequestAttention queues the request for a human about one service, with what the cooldown skill asks for: what was tried, how often,
// and when the windows free. An incident of ID 0 is none. Limits are read by the caller, who may ask about thousands of services.
func (b *Books) RequestAttention(ctx context.Context, limits Limits, i store.Incident, why Cause, reason string) error {
	restart, redeployment, err := limits.Both(ctx, i.Service)
	if err != nil {
		return err
	}
	lines := []string{reason + ".", "", "- " + restart.String(), "- " + redeployment.String()}
	if is, known := b.Inventory.Get(i.Service); known && is.Owner != "" {
		lines = append(lines, "- owner: "+is.Owner)
	}
	kind := store.HumanAttention
	if why == ModelFailed || why == InvalidHandoff { // a hiccup, which must not use up the message on a chain that fails later
		kind = store.AgentFailing
	}
	n := store.Notification{Kind: kind, Service: i.Service, Cause: string(why), Title: i.Service + " needs human attention"}
	if i.ID != 0 {
		n.IncidentID = &i.ID
		story, err := b.story(ctx, i)
		if err != nil {
			return err
		}
		lines = append(lines, story...)
	}
	n.Body = strings.Join(lines, "\n")
	return b.Notify(ctx, n)
}

// story is what a person who is asked about an incident wants to know of it.
func (b *Books) story(ctx context.Context, i store.Incident) ([]string, error) {
	lines := []string{fmt.Sprintf("- %s since %s", i.Status, i.OpenedAt.UTC().Format(time.RFC3339))}
	last, err := b.Store.LastChecks(ctx, i.Service, b.Now().Add(-statusLasts))
	if err != nil {
		return nil, err
	}
	for _, r := range store.Results(last) {
		if r.Status != check.Healthy && r.Error != "" {
			lines = append(lines, fmt.Sprintf("- %s check: %s: %s", r.Type, r.Status, r.Error))
		}
	}
	tried, err := b.Store.IncidentAttempts(ctx, i.ID)
	if err != nil {
		return nil, err
	}
	for _, s := range tried {
		if s.Attempted != "" {
			lines = append(lines, fmt.Sprintf("- Tier %d (session %d) tried: %s", s.Session.Tier, s.Session.ID, s.Attempted))
		}
	}
	return append(lines, "", fmt.Sprintf("Everything: `claudeops incidents show %d`", i.ID)), nil
}

// Notify queues a message. The store keeps one of a kind and incident in 24 h, so asking again is no harm.
func (b *Books) Notify(ctx context.Context, n store.Notification) error {
	n.Title, n.Body, n.CreatedAt = b.Redactor.String(n.Title), b.Redactor.String(n.Body), b.Now()
	_, err := b.Store.QueueNotification(ctx, n)
	return err
}

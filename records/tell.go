package records

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// TellRemediated tells people that a tier remediated a service: did is what it did there, and the checks find it healthy since.
func (b *Records) TellRemediated(ctx context.Context, limits Limits, service string, i store.Incident, by store.Session, did []store.Act) error {
	n := store.Notification{Kind: store.Remediated, Service: service, Title: fmt.Sprintf("%s remediated by Tier %d", service, by.Tier)}
	body := Body{Why: fmt.Sprintf("Tier %d remediated %s: its checks are healthy again", by.Tier, service)}
	if i.ID != 0 {
		n.IncidentID = &i.ID
		body.Facts = append(body.Facts, "it was "+b.since(i))
		body.Look = append(body.Look, fmt.Sprintf("claudeops incidents show %d", i.ID))
	}
	body.Facts = append(body.Facts, tryWords("", limits.tries(did))...)
	session := fmt.Sprintf("session %d: %s", by.ID, Dollars(by.CostUSD))
	if by.EndedAt != nil {
		session += " in " + Span(by.EndedAt.Sub(by.StartedAt))
	}
	restart, redeployment, err := limits.Both(ctx, service)
	if err != nil {
		return err
	}
	body.Facts = append(body.Facts, session, restart.told(), redeployment.told())
	body.Look = append(body.Look, showCommands(by.ID))
	n.Body = b.Compose(body)
	return b.Notify(ctx, n)
}

// TellRecovered tells people that an incident is over: how long it lasted, what was done about it, and what that cost.
func (b *Records) TellRecovered(ctx context.Context, i store.Incident) error {
	effort, err := b.Store.IncidentEffort(ctx, i)
	if err != nil {
		return err
	}
	title := i.Service + " recovered"
	if lasted := i.ClosedAt.Sub(i.OpenedAt); lasted >= time.Minute {
		title += " after " + Span(lasted)
	}
	body := Body{
		Why:   fmt.Sprintf("%s is healthy again, in %d cycles in a row. It was unwell %s", i.Service, statefile.HealthyToReset, Between(i.OpenedAt, *i.ClosedAt)) + i.Returned(),
		Facts: tryWords("", (Limits{}).tries(effort.Acts)),
		Look:  []string{fmt.Sprintf("claudeops incidents show %d", i.ID)},
	}
	if len(effort.Acts) == 0 {
		body.Facts = append(body.Facts, "by itself: it was neither restarted nor redeployed")
	}
	if effort.Sessions > 0 {
		body.Facts = append(body.Facts, fmt.Sprintf("%s above Tier 1: %s", Counted(effort.Sessions, "session"), Dollars(effort.CostUSD)))
		body.Look = append(body.Look, showCommands(effort.Last))
	}
	return b.Notify(ctx, store.Notification{
		IncidentID: &i.ID, Kind: store.Recovered, Service: i.Service, Title: title, Body: b.Compose(body),
	})
}

// Compose makes the body of a message, without secrets: taken out before anything is cut, which could leave half of one.
func (b *Records) Compose(l Body) string {
	l.Facts, l.Head, l.Why = slices.Clone(l.Facts), b.Redactor.String(l.Head), b.Redactor.String(l.Why)
	for i, fact := range l.Facts {
		l.Facts[i] = b.Redactor.String(fact)
	}
	return l.String()
}

// Notify queues a message. The store keeps one of a kind and incident in 24 h, so asking again is no harm.
func (b *Records) Notify(ctx context.Context, n store.Notification) error {
	n.Title, n.Body, n.CreatedAt = b.Redactor.String(n.Title), b.Redactor.String(n.Body), b.Now()
	_, err := b.Store.QueueNotification(ctx, n)
	return err
}

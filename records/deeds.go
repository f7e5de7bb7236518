package records

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

// doneBy adds to an event's message who did it, in words; by may be empty.
func doneBy(message, by string) string {
	if by == "" {
		return message
	}
	return message + " (" + by + ")"
}

// ClosedError means that nothing can be done about an incident, because it is closed.
type ClosedError struct {
	ID int64
	At time.Time
}

func (e *ClosedError) Error() string {
	return fmt.Sprintf("incident %d is closed already, since %s", e.ID, text.Moment(e.At))
}

// CloseIncident closes an open incident without a message, for a person; it requires the cycle lock. The error is a *ClosedError if it is
// closed, store.ErrNotFound if there is none.
func (b *Records) CloseIncident(ctx context.Context, id int64, by string) error {
	return b.onOpenIncident(ctx, id, func(i store.Incident) (string, error) {
		now := b.Now()
		i.ClosedAt = &now
		return "closed", b.Store.SaveIncident(ctx, i)
	}, by)
}

// Acknowledge records that a person took note of an open incident: no reminder is sent about it until it changes. Errors are those of
// CloseIncident.
func (b *Records) Acknowledge(ctx context.Context, id int64, by string) error {
	return b.onOpenIncident(ctx, id, func(store.Incident) (string, error) {
		return "acknowledged", b.Store.AcknowledgeIncident(ctx, id, b.Now(), by)
	}, by)
}

// onOpenIncident does something to an open incident, and records it as an event.
func (b *Records) onOpenIncident(ctx context.Context, id int64, do func(store.Incident) (done string, err error), by string) error {
	return b.Together(ctx, func() error {
		i, err := b.Store.Incident(ctx, id)
		if err != nil {
			return err
		}
		if i.ClosedAt != nil {
			return &ClosedError{id, *i.ClosedAt}
		}
		done, err := do(i)
		return errors.Join(err, b.Store.AddEvent(ctx, store.Event{
			Level: store.Info, Service: i.Service, CreatedAt: b.Now(), Message: doneBy(fmt.Sprintf("incident %d %s", id, done), by),
		}))
	})
}

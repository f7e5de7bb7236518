package records

import (
	"context"
	"fmt"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

// Silence starts a silence of a service, or a pause of everything if service is empty, and records an event. If one is active, its end is
// changed instead; replaced is that one before the change. by says who wants it.
func (b *Records) Silence(
	ctx context.Context, service string, lasts time.Duration, reason, by string,
) (s store.Silence, replaced *store.Silence, err error) {
	now := b.Now()
	wanted := store.Silence{Service: service, Reason: b.line(reason), CreatedAt: now, Until: now.Add(lasts)}
	err = b.Store.Update(ctx, func(tx *store.Store) error {
		if s, replaced, err = tx.AddSilence(ctx, wanted); err != nil {
			return err
		}
		message := Silenced(s) + " until " + text.Moment(s.Until)
		if s.Reason != "" {
			message += " (" + s.Reason + ")"
		}
		if replaced != nil {
			message += fmt.Sprintf(", instead of %s", text.Moment(replaced.Until))
		}
		return tx.AddEvent(ctx, store.Event{Level: store.Info, Service: s.Service, CreatedAt: now, Message: doneBy(message, by)})
	})
	return s, replaced, err
}

// EndSilence ends an active silence now and records an event. If it is already over, the error is store.ErrNotFound. by says who wants it.
func (b *Records) EndSilence(ctx context.Context, s store.Silence, by string) error {
	now := b.Now()
	err := b.Store.Update(ctx, func(tx *store.Store) error {
		if err := tx.EndSilence(ctx, s.ID, now); err != nil {
			return err
		}
		message := fmt.Sprintf("%s no longer, %s before its time", Silenced(s), text.Duration(s.Until.Sub(now)))
		return tx.AddEvent(ctx, store.Event{Level: store.Info, Service: s.Service, CreatedAt: now, Message: doneBy(message, by)})
	})
	return err
}

// Silenced describes the scope of a silence: "shop is silenced", "everything is paused".
func Silenced(s store.Silence) string {
	if s.Service == "" {
		return "everything is paused"
	}
	return s.Service + " is silenced"
}

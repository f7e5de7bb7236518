package ledger

import (
	"context"
	"fmt"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

// ClosedError means that nothing can be done about an incident, because it is closed.
type ClosedError struct {
	ID int64
	At time.Time
}

func (e *ClosedError) Error() string {
	return fmt.Sprintf("incident %d is closed already, since %s", e.ID, text.Moment(e.At))
}

// CloseIncident closes an open incident without a message, for a person. The error is a *ClosedError if it is
// closed, store.ErrNotFound if there is none.
func (b *Records) CloseIncident(ctx context.Context, id int64, by string) error {
	return b.onOpenIncident(ctx, id, "closed", by, func(i store.Incident) error {
		i.ClosedAt = new(b.Now())
		return b.Store.SaveIncident(ctx, i)
	})
}

// Acknowledge records that a person took note of an open incident: no reminder is sent about it until it changes. Errors are those of
// CloseIncident.
func (b *Records) Acknowledge(ctx context.Context, id int64, by string) error {
	return b.onOpenIncident(ctx, id, "acknowledged", by, func(store.Incident) error {
		return b.Store.AcknowledgeIncident(ctx, id, b.Now(), by)
	})
}

// onOpenIncident does something to an open incident, and records it as an event: that it was done.
func (b *Records) onOpenIncident(ctx context.Context, id int64, done, by string, do func(store.Incident) error) error {
	return b.Together(ctx, func() error {
		i, err := b.Store.Incident(ctx, id)
		if err != nil {
			return err
		}
		if i.ClosedAt != nil {
			return &ClosedError{id, *i.ClosedAt}
		}
		if err := do(i); err != nil {
			return err
		}
		return b.note(ctx, store.Info, nil, i.Service, fmt.Sprintf("incident %d %s (%s)", id, done, by))
	})
}

// Silence starts a silence of a service, or a pause of everything if service is empty, and records an event. If one is active, its end is
// changed instead; replaced is that one before the change. by says who wants it.
func (b *Records) Silence(
	ctx context.Context, service string, lasts time.Duration, reason, by string,
) (s store.Silence, replaced *store.Silence, err error) {
	now := b.Now()
	wanted := store.Silence{Service: service, Reason: b.line(reason), CreatedAt: now, Until: now.Add(lasts)}
	err = b.Together(ctx, func() error {
		if s, replaced, err = b.Store.AddSilence(ctx, wanted); err != nil {
			return err
		}
		message := Silenced(s) + " until " + text.Moment(s.Until)
		if s.Reason != "" {
			message += " (" + s.Reason + ")"
		}
		if replaced != nil {
			message += fmt.Sprintf(", instead of %s", text.Moment(replaced.Until))
		}
		return b.note(ctx, store.Info, nil, s.Service, message+" ("+by+")")
	})
	return s, replaced, err
}

// EndSilence ends an active silence now and records an event. If it is already over, the error is store.ErrNotFound. by says who wants it.
func (b *Records) EndSilence(ctx context.Context, s store.Silence, by string) error {
	now := b.Now()
	return b.Together(ctx, func() error {
		if err := b.Store.EndSilence(ctx, s.ID, now); err != nil {
			return err
		}
		message := fmt.Sprintf("%s no longer, %s before its time", Silenced(s), text.Duration(s.Until.Sub(now)))
		return b.note(ctx, store.Info, nil, s.Service, message+" ("+by+")")
	})
}

// Silenced describes the scope of a silence: "shop is silenced", "everything is paused".
func Silenced(s store.Silence) string {
	if s.Service == "" {
		return "everything is paused"
	}
	return s.Service + " is silenced"
}

// acceptCommand is the command with which a person permits remediation again after the count was lost.
const acceptCommand = "claudeops cooldown reset --lost-count"

// CountLostWhy is the reason in a request for a human because it is not known what was done in the last 24 h.
const CountLostWhy = "What was done in the last 24 h is not known, because the database was set aside. `" + acceptCommand + "` accepts that"

// AcceptLoss permits remediation again although it is not known what was done in the last 24 h, and records an event.
// accepted reports whether a count was lost.
func (b *Records) AcceptLoss(ctx context.Context) (accepted bool, err error) {
	err = b.Together(ctx, func() error {
		if accepted, err = b.Store.AcceptLostCounts(ctx, b.Now()); err != nil || !accepted {
			return err
		}
		return b.note(ctx, store.Info, nil, "", "remediation goes on although the count of the last 24 h is lost: accepted by `"+acceptCommand+"`")
	})
	return accepted, err
}

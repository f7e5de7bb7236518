package records

import (
	"context"
	"fmt"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

// Quiet says whether people work on a service itself, so that nothing of it is told and nothing is done to it: by a maintenance
// window, a silence, or a pause of everything; of several the one that ends last. The zero Hold is that none of them is open.
func (b *Records) Quiet(ctx context.Context, service string) (hold Hold, err error) {
	service = b.Inventory.NameOf(service)
	var last time.Time
	consider := func(what string, until time.Time, why string) {
		if hold.Quiet && !until.After(last) {
			return
		}
		last = until
		hold = Hold{Reason: what + " until " + text.Moment(until), Quiet: true}
		if why != "" {
			hold.Reason += " (" + why + ")"
		}
	}
	if is, known := b.Inventory.Get(service); known {
		if window, until, open := is.Maintained(b.Now()); open {
			consider("in maintenance", until, window.Note)
		}
	}
	active, err := b.activeSilences(ctx)
	if err != nil {
		return Hold{}, err
	}
	if s, known := active[service]; known && s.Active(b.Now()) {
		consider("silenced", s.Until, s.Reason)
	}
	if s, known := active[""]; known && s.Active(b.Now()) {
		consider("everything is paused", s.Until, s.Reason)
	}
	return hold, nil
}

// activeSilences are read once, until ForgetSilences.
func (b *Records) activeSilences(ctx context.Context) (map[string]store.Silence, error) {
	if b.silences != nil || b.Store == nil {
		return b.silences, nil
	}
	active, err := b.Store.ActiveSilences(ctx, b.Now())
	if err != nil {
		return nil, err
	}
	b.silences = make(map[string]store.Silence, len(active))
	for _, s := range active {
		name := s.Service
		if name != "" {
			name = b.Inventory.NameOf(name)
		}
		if other, known := b.silences[name]; !known || s.Until.After(other.Until) { // one may be of another name of the service
			b.silences[name] = s
		}
	}
	return b.silences, nil
}

// ForgetSilences has the next question see what operators have silenced meanwhile.
func (b *Records) ForgetSilences() { b.silences = nil }

// Silence begins a silence of a service from now on, or a pause of everything where service is empty, and leaves an event. Where one
// is active, it gets another end instead; replaced is that one as it was.
func (b *Records) Silence(
	ctx context.Context, service string, lasts time.Duration, reason string,
) (s store.Silence, replaced *store.Silence, err error) {
	now := b.Now()
	wanted := store.Silence{Service: service, Reason: b.line(reason), CreatedAt: now, Until: now.Add(lasts)}
	err = b.Store.Update(ctx, func(tx *store.Tx) error {
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
		return tx.AddEvent(ctx, store.Event{Level: store.Info, Service: s.Service, CreatedAt: now, Message: message})
	})
	b.ForgetSilences()
	return s, replaced, err
}

// EndSilence ends an active silence now and leaves an event. One that is over meanwhile is store.ErrNotFound.
func (b *Records) EndSilence(ctx context.Context, s store.Silence) error {
	now := b.Now()
	err := b.Store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.EndSilence(ctx, s.ID, now); err != nil {
			return err
		}
		message := fmt.Sprintf("%s no longer, %s before its time", Silenced(s), text.Duration(s.Until.Sub(now)))
		return tx.AddEvent(ctx, store.Event{Level: store.Info, Service: s.Service, CreatedAt: now, Message: message})
	})
	b.ForgetSilences()
	return err
}

// Silenced says of what a silence is: "shop is silenced", "everything is paused".
func Silenced(s store.Silence) string {
	if s.Service == "" {
		return "everything is paused"
	}
	return s.Service + " is silenced"
}

package records

import (
	"context"
	"fmt"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
)

// Hold is the reason why a service may not be remediated now and no message is sent about it. The zero value means that it is not held
// back.
type Hold struct {
	// Reason is like "it is looked after by shard 2/4", "in maintenance until …", "silenced until …", "it asks for time, and has until …",
	// "db, on which it depends, is down".
	Reason string
	Under  string // the service that it depends on, if that is the reason
	// Quiet is set if a maintenance window, a silence or a pause covers the service itself: no message is sent about it.
	Quiet bool
}

// statusLasts is how long the last status of a service is valid: a service that is no longer checked holds nothing back.
const statusLasts = 24 * time.Hour

// timeGiven is how long nothing is done about a service that asks for time (check.AsksForTime), nor about those that depend on it.
const timeGiven = 15 * time.Minute

// Hold returns what holds a service back: it belongs to another shard, it is quiet (Quiet), it asks for time, or a service that it depends
// on does or is at least as unwell. If several dependencies are, the last in a chain of dependencies is named, as it is nearest to the
// cause.
func (b *Records) Hold(ctx context.Context, service string) (hold Hold, err error) {
	if other := b.Inventory.Elsewhere(service); other != "" {
		return Hold{Reason: "it is looked after by " + other}, nil
	}
	if hold, err = b.Quiet(ctx, service); err != nil || hold.Quiet {
		return hold, err
	}
	is, known := b.Inventory.Get(service)
	if !known {
		return Hold{}, nil
	}
	if err := b.Look(ctx); err != nil {
		return Hold{}, err
	}
	if until := b.hasUntil(is.Name); b.Now().Before(until) {
		return Hold{Reason: "it asks for time, and has until " + text.Moment(until)}, nil
	}
	under := b.rootOf(is, b.statuses[is.Name])
	if under == "" {
		return Hold{}, nil
	}
	return Hold{Reason: fmt.Sprintf("%s, on which it depends, is %s", under, b.statuses[under]), Under: under}, nil
}

// unwellService is a service and the status that it was found in.
type unwellService struct {
	name  string
	found check.Status
}

// rootOf returns the service that explains the status of one that depends on it, like is: the last in a chain of dependencies that are at
// least as unwell. It is empty if there is none. Results are cached by service and status until Forget, however many services depend on
// it.
func (b *Records) rootOf(is *inventory.Service, found check.Status) string {
	asked := unwellService{is.Name, found}
	if under, known := b.roots[asked]; known {
		return under
	}
	under := ""
	for _, name := range is.DependsOn {
		dependency, _ := b.Inventory.Get(name)
		further := b.rootOf(dependency, found)
		if further == "" && b.Inventory.Elsewhere(name) == "" { // only the other shard's records have its status
			status := b.statuses[name]
			// A degraded service does not explain one above it that is down, unless it asks for time.
			if status.Worse(check.Healthy) && !found.Worse(status) || b.Now().Before(b.hasUntil(name)) {
				further = name
			}
		}
		if further != "" {
			under = further
		}
	}
	if b.roots == nil {
		b.roots = map[unwellService]string{}
	}
	b.roots[asked] = under
	return under
}

// hasUntil returns when the time ends that is given to a service; zero if it does not ask for any.
func (b *Records) hasUntil(service string) (until time.Time) {
	if since, asks := b.asking[service]; asks {
		until = since.Add(timeGiven)
	}
	return until
}

// Look reads the last status of all services. It does nothing if that was done since Forget.
func (b *Records) Look(ctx context.Context) error {
	if b.statuses != nil || b.Store == nil {
		return nil
	}
	found, err := b.Store.LastStatuses(ctx, b.Now().Add(-statusLasts))
	if err != nil {
		return err
	}
	return b.know(ctx, found)
}

// know sets the status of services, and reads which of them ask for time.
func (b *Records) know(ctx context.Context, found map[string]check.Status) (err error) {
	b.statuses = found
	b.asking, err = b.Store.AskingSince(ctx, b.Now().Add(-statusLasts), unwell(found)...)
	return err
}

// unwell returns the names of services that are unwell.
func unwell(found map[string]check.Status) (names []string) {
	for name, status := range found {
		if status.Unwell() {
			names = append(names, name)
		}
	}
	return names
}

// Forget drops cached statuses. A caller must use it if it keeps the records open while services are checked.
func (b *Records) Forget() {
	b.statuses, b.asking, b.roots = nil, nil, nil
	b.ForgetSilences()
}

// HeldError is the refusal to remediate a service that is held back.
type HeldError struct {
	Service string
	Hold
	ask bool // a human is to be asked
}

func (e *HeldError) Error() string {
	text := e.Service + " is not to be touched now: " + e.Reason
	if e.Under != "" {
		text += "; look at " + e.Under
	}
	return text
}

// Quiet returns the maintenance window, silence or pause that covers a service, so that no message is sent and nothing is done; if there
// are several, the one that ends last. The zero Hold means that there is none.
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

// activeSilences returns the active silences, cached until ForgetSilences.
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
		if other, known := b.silences[name]; !known || s.Until.After(other.Until) { // it may use another name of the service
			b.silences[name] = s
		}
	}
	return b.silences, nil
}

// ForgetSilences makes the next query read changes that operators made to silences.
func (b *Records) ForgetSilences() { b.silences = nil }

// SilenceOf returns the active silence of a service, or the pause if service is empty. If there is none, the error is store.ErrNotFound.
func (b *Records) SilenceOf(ctx context.Context, service string) (store.Silence, error) {
	active, err := b.activeSilences(ctx)
	if err != nil {
		return store.Silence{}, err
	}
	name, what := "", "a pause"
	if service != "" {
		name = b.Inventory.NameOf(service)
		what = "a silence of " + name
	}
	s, known := active[name]
	if !known || !s.Active(b.Now()) {
		return s, fmt.Errorf("%s: %w: it is over", what, store.ErrNotFound)
	}
	return s, nil
}

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
	b.ForgetSilences()
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
	b.ForgetSilences()
	return err
}

// Silenced describes the scope of a silence: "shop is silenced", "everything is paused".
func Silenced(s store.Silence) string {
	if s.Service == "" {
		return "everything is paused"
	}
	return s.Service + " is silenced"
}

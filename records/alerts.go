package records

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/alerts"
	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

const (
	// AlertLasts is how long an alert counts without repetition. Alertmanager and Grafana repeat one every 4 h by default: after twelve
	// hours, three repetitions have failed to come, and so, perhaps, has the end.
	AlertLasts = 12 * time.Hour
	// maxFiring limits the alerts that fire at once: a sender gone wild must not fill the disk. Those about names that the inventory does not
	// know, which the sender chooses, have a limit of their own, so that they keep no service's out.
	maxFiring, maxFiringUnknown = 20_000, 1_000
	// maxEnded is how many alerts that have ended are kept, beside those of the last while, by which it is known how often models start.
	maxEnded, endedLasts = 100_000, 15 * time.Minute
	// maxUnknownNames limits the names in an answer.
	maxUnknownNames = 20
	// ByAlert is the type of what alerts say, beside the types of checks. It is never in a handoff's check_results.
	ByAlert check.Type = "alert"
	// titlesNamed limits the alerts that are named as the trouble of a service.
	titlesNamed = 3
	// maxRefusal limits the characters of what the event about refused alerts says and quotes.
	maxRefusal = 200
)

// Kept is what became of the alerts of one body. Each is counted once.
type Kept struct {
	Firing   int `json:"firing"`   // kept as new
	Repeated int `json:"repeated"` // known already
	Resolved int `json:"resolved"` // ended
	Ignored  int `json:"ignored"`  // resolved without having fired, or looked after by another shard
	// Unknown are the names, at most 20, under which alerts were kept although no service has them.
	Unknown []string `json:"unknown_services"`
}

// String is Kept in a line.
func (k Kept) String() string {
	line := fmt.Sprintf("%d firing, %d repeated, %d resolved, %d ignored", k.Firing, k.Repeated, k.Resolved, k.Ignored)
	if len(k.Unknown) > 0 {
		line += "; no service of the inventory is called " + text.Few(k.Unknown, maxUnknownNames)
	}
	return line
}

// AlertsLostError says that alerts that fire were not kept, because too many do.
type AlertsLostError struct {
	Services []string // of each alert
}

func (e *AlertsLostError) Error() string {
	names := slices.Compact(slices.Sorted(slices.Values(e.Services)))
	return fmt.Sprintf("not kept: %s, about %s; at most %d about services of the inventory fire at once, and %d about other names",
		text.Count(len(e.Services), "firing alert"), text.Few(names, maxUnknownNames), maxFiring, maxFiringUnknown)
}

// refusedAlerts begins the event about a body that is no alert.
const refusedAlerts = "alerts were sent and refused: "

// TakeAlerts keeps the alerts of a body, which fault keeps from being read. A body that is refused leaves an event that says why, but no
// second one within a minute: a sender gone wild must not fill the disk.
func (b *Records) TakeAlerts(ctx context.Context, body []byte, fault error) (Kept, error) {
	var all []alerts.Alert
	if fault == nil {
		all, fault = alerts.Read(body, b.Now())
	}
	if fault == nil {
		return b.KeepAlerts(ctx, all)
	}
	ctx = context.WithoutCancel(ctx) // the sender may be gone
	last, err := b.Store.Events(ctx, store.EventFilter{Begins: refusedAlerts, Limit: 1})
	if err == nil && (len(last) == 0 || b.Now().Sub(last[0].CreatedAt) >= time.Minute) {
		why := text.Shorten(text.Line(fault.Error()), maxRefusal)
		begin := text.Quote(string(body[:min(len(body), maxRefusal)]), maxRefusal)
		err = b.Store.AddEvent(ctx, store.Event{Level: store.Warning, Message: b.Redactor.String(refusedAlerts + why + "; they begin with " + begin)})
	}
	return Kept{}, errors.Join(fault, err)
}

// KeepAlerts keeps alerts for the next cycle, and asks a running cron for one if that has something new to see. If not all that fire were
// kept, people are told, and the error is, or wraps, an *AlertsLostError.
func (b *Records) KeepAlerts(ctx context.Context, all []alerts.Alert) (kept Kept, err error) {
	var lost []string
	err = b.Store.Update(ctx, func(tx *store.Store) error {
		kept, lost = Kept{Unknown: []string{}}, nil
		room, err := b.alertRoom(ctx, tx)
		if err != nil {
			return err
		}
		var waiting []alerts.Alert // for the room that others leave which end in the same body
		ended := map[string]bool{}
		for _, a := range all {
			taken, err := b.keepAlert(ctx, tx, a, room, &kept)
			if err != nil {
				return err
			}
			if ended[b.identity(a)] = a.Status == alerts.Resolved; !taken {
				waiting = append(waiting, a)
			}
		}
		for _, a := range waiting {
			if ended[b.identity(a)] {
				continue
			}
			taken, err := b.keepAlert(ctx, tx, a, room, &kept)
			if err != nil {
				return err
			}
			if !taken {
				service, _ := b.alertService(a)
				lost = append(lost, service)
			}
		}
		return tx.TrimAlerts(ctx, maxEnded, b.Now().Add(-endedLasts))
	})
	if err != nil {
		return kept, err
	}
	if len(lost) > 0 {
		err = b.alertsLost(ctx, &AlertsLostError{lost})
	}
	if kept.Firing > 0 || kept.Resolved > 0 { // the next cycle finds something else than the last one did
		err = errors.Join(err, Wake(b.Config.StateDir, store.ByAlert))
	}
	return kept, err
}

// alertsLost tells people, once a day, that alerts were not kept, and returns the error about it.
func (b *Records) alertsLost(ctx context.Context, lost *AlertsLostError) error {
	told, err := b.queue(ctx, AlertsLost, notify.AlertsLost(lost.Error()))
	if err == nil && told {
		err = b.Store.AddEvent(ctx, store.Event{Level: store.Critical, Message: "alerts " + lost.Error(), CreatedAt: b.Now()})
	}
	return cmp.Or[error](err, lost)
}

// alertRoom is how many more alerts may fire.
type alertRoom struct {
	left   map[bool]int   // about services of the inventory (true), and about other names (false)
	firing map[string]int // of each service: each of the inventory may have its first, whatever is sent about others
}

func (r alertRoom) has(service string, known bool) bool {
	return r.left[known] > 0 || known && r.firing[service] == 0
}

func (r alertRoom) take(service string, known bool, alerts int) {
	r.left[known] -= alerts
	r.firing[service] += alerts
}

func (b *Records) alertRoom(ctx context.Context, tx *store.Store) (alertRoom, error) {
	room := alertRoom{map[bool]int{true: maxFiring, false: maxFiringUnknown}, map[string]int{}}
	firing, err := tx.CountFiring(ctx)
	for _, f := range firing {
		_, known := b.Inventory.Get(f.Service)
		room.take(f.Service, known, f.Alerts)
	}
	return room, err
}

// keepAlert reports whether an alert was taken: false if it is new and there is no room for it.
func (b *Records) keepAlert(ctx context.Context, tx *store.Store, a alerts.Alert, room alertRoom, kept *Kept) (taken bool, err error) {
	service, known := b.alertService(a)
	if b.Inventory.Elsewhere(service) != "" {
		kept.Ignored++
		return true, nil
	}
	if a.Status == alerts.Resolved {
		return true, b.endAlert(ctx, tx, a, service, room, kept)
	}
	now := b.Now()
	row := store.AlertRow{
		Source: b.Redactor.String(a.Source), Service: service, Fingerprint: b.fingerprint(a, service), Means: a.Means,
		ReceivedAt: now, StartsAt: notAfter(a.StartsAt, now), Title: b.Redactor.String(a.Title), Body: b.Redactor.String(a.Body),
	}
	repeated, err := tx.RepeatAlert(ctx, row)
	if err != nil || !repeated && !room.has(service, known) {
		return false, err
	}
	if !known && !slices.Contains(kept.Unknown, service) && len(kept.Unknown) < maxUnknownNames {
		kept.Unknown = append(kept.Unknown, service)
	}
	if repeated {
		kept.Repeated++
		return true, nil
	}
	kept.Firing++
	room.take(service, known, 1)
	return true, tx.AddAlert(ctx, row)
}

// endAlert ends an alert, which leaves its room to another. It may have been kept under a name of its own, before the services file knew
// that as an alias.
func (b *Records) endAlert(ctx context.Context, tx *store.Store, a alerts.Alert, service string, room alertRoom, kept *Kept) error {
	source, at, found := b.Redactor.String(a.Source), notAfter(a.EndsAt, b.Now()), false
	for _, name := range []string{service, b.Redactor.String(a.Names[0])} {
		ended, err := tx.ResolveAlert(ctx, source, name, b.fingerprint(a, name), at)
		if err != nil {
			return err
		}
		if ended {
			_, known := b.Inventory.Get(name)
			room.take(name, known, -1)
		}
		found = found || ended
	}
	if found {
		kept.Resolved++
	} else {
		kept.Ignored++
	}
	return nil
}

// identity returns what tells an alert apart from all others.
func (b *Records) identity(a alerts.Alert) string {
	service, _ := b.alertService(a)
	return strings.Join([]string{b.Redactor.String(a.Source), service, b.fingerprint(a, service)}, "\x00")
}

// fingerprint returns what tells an alert apart from others of its service.
func (b *Records) fingerprint(a alerts.Alert, service string) string {
	return cmp.Or(b.Redactor.String(a.Fingerprint), service)
}

// alertService returns the name of an alert's service: the first of its names that the inventory knows, else its own.
func (b *Records) alertService(a alerts.Alert) (service string, known bool) {
	if service, known = b.Inventory.Lookup(a.Names...); known {
		return service, true
	}
	return b.Inventory.NameOf(b.Redactor.String(a.Names[0])), false
}

// notAfter returns a sender's time, or now if that is in the future (RULE "Clock") or unknown.
func notAfter(at, now time.Time) time.Time {
	if at.IsZero() || at.After(now) {
		return now
	}
	return at
}

// AlertResult returns what the alerts that fire about a service say, as the result of a check.
func AlertResult(service string, firing []store.AlertRow) check.Result {
	worst, titles := check.Degraded, []string{}
	for _, a := range firing {
		if a.Means.Worse(worst) {
			worst = a.Means
		}
		titles = append(titles, a.Title)
	}
	slices.Sort(titles)
	return check.Result{Service: service, Type: ByAlert, Status: worst, Error: text.Unlinked(text.Few(slices.Compact(titles), titlesNamed))}
}

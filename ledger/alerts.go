package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/claudeops/claudeops/alerts"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

const (
	// AlertLasts is how long an alert counts without repetition. Alertmanager and Grafana repeat one every 4 h by default: after twelve
	// hours, three repetitions have failed to come, and so, perhaps, has the end.
	AlertLasts = 12 * time.Hour
	// maxAlerts limits the alerts that fire at once, and those that have ended and are kept: a sender gone wild must
	// not fill the disk.
	maxAlerts = 5_000
	// maxUnknown limits those of them about names that the services file does not know: a sender may choose any, and
	// must not take the room of what others say.
	maxUnknown      = 1_000
	maxUnknownNames = 20  // in an answer
	maxRefusal      = 200 // characters of what the event about refused alerts says and quotes
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

// ErrAlertsLost means that alerts that fire were not kept, because too many do.
var ErrAlertsLost = errors.New("not kept")

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
	last, err := b.Store.Events(ctx, store.EventFilter{Begins: refusedAlerts, Limit: 1})
	if err == nil && (len(last) == 0 || b.Now().Sub(last[0].CreatedAt) >= time.Minute) {
		why := text.Shorten(text.Line(fault.Error()), maxRefusal)
		begin := text.Quote(string(body[:min(len(body), maxRefusal)]), maxRefusal)
		err = b.note(ctx, store.Warning, nil, "", refusedAlerts+why+"; they begin with "+begin)
	}
	return Kept{}, errors.Join(fault, err)
}

// KeepAlerts keeps alerts for the next cycle, and asks a running cron for one if that has something new to see. If not all that fire were
// kept, people are told, and the error wraps ErrAlertsLost.
func (b *Records) KeepAlerts(ctx context.Context, all []alerts.Alert) (Kept, error) {
	in := intake{Records: b, Kept: Kept{Unknown: []string{}}}
	err := b.Together(ctx, func() error {
		firing, err := b.Store.FiringAlerts(ctx)
		if err != nil {
			return err
		}
		in.firing = len(firing)
		for _, a := range firing {
			if _, known := b.Inventory.Lookup(a.Service); !known {
				in.unknown++
			}
		}
		for _, a := range all {
			if err := in.take(ctx, a); err != nil {
				return err
			}
		}
		return b.Store.TrimAlerts(ctx, maxAlerts)
	})
	if err != nil {
		return in.Kept, err
	}
	if len(in.lost) > 0 {
		names := slices.Compact(slices.Sorted(slices.Values(in.lost)))
		lost := fmt.Errorf("%w: %s, about %s; at most %d fire at once, %d of them about unknown names",
			ErrAlertsLost, text.Count(len(in.lost), "firing alert"), text.Few(names, maxUnknownNames), maxAlerts, maxUnknown)
		err = cmp.Or(b.Queue(ctx, notify.AlertsLost(lost.Error())), lost)
	}
	if in.Firing+in.Resolved > 0 { // the next cycle finds something else than the last one did
		err = errors.Join(err, statedir.Wake(b.Config.StateDir, store.ByAlert))
	}
	return in.Kept, err
}

// intake takes the alerts of one body.
type intake struct {
	*Records
	Kept
	lost    []string // the service of each alert that was not kept
	firing  int      // alerts that fire now
	unknown int      // those of them about names that the services file does not know
}

// take keeps or ends an alert. Its service is the first of its names that the inventory knows, else its own. Without a
// fingerprint, a source has one alert of a service.
func (in *intake) take(ctx context.Context, a alerts.Alert) error {
	now := in.Now()
	service, known := in.Inventory.Lookup(a.Names...)
	if !known {
		service = in.Redactor.String(a.Names[0])
	}
	row := store.AlertRow{
		Source: in.Redactor.String(a.Source), Service: service, Fingerprint: cmp.Or(in.Redactor.String(a.Fingerprint), service), Means: a.Means,
		ReceivedAt: now, StartsAt: statefile.OrNow(a.StartsAt, now), Title: in.Redactor.String(a.Title), Body: in.Redactor.String(a.Body),
	}
	if in.Inventory.Elsewhere(service) != "" {
		in.Ignored++
		return nil
	}
	if a.Status == alerts.Resolved {
		ended, err := in.Store.ResolveAlert(ctx, row.Source, service, row.Fingerprint, statefile.OrNow(a.EndsAt, now))
		if !ended {
			in.Ignored++
			return err
		}
		in.Resolved++
		return err
	}
	repeated, err := in.Store.RepeatAlert(ctx, row)
	if err != nil {
		return err
	}
	if !repeated && (in.firing >= maxAlerts || !known && in.unknown >= maxUnknown) {
		in.lost = append(in.lost, service)
		return nil
	}
	if !known && !slices.Contains(in.Unknown, service) && len(in.Unknown) < maxUnknownNames {
		in.Unknown = append(in.Unknown, service)
	}
	if repeated {
		in.Repeated++
		return nil
	}
	in.Firing++
	in.firing++
	if !known {
		in.unknown++
	}
	return in.Store.AddAlert(ctx, row)
}

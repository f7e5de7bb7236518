package records

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/claudeops/claudeops/alerts"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

const (
	// AlertLasts is how long an alert counts without repetition. Alertmanager and Grafana repeat one every 4 h by default: after twelve
	// hours, three repetitions have failed to come, and so, perhaps, has the end.
	AlertLasts = 12 * time.Hour
	// maxFiring limits the alerts that fire at once: a sender gone wild must not fill the disk.
	maxFiring = 20_000
	// maxUnknownNames limits the names in an answer.
	maxUnknownNames = 20
)

// Kept is what became of the alerts of one body. Each is counted once.
type Kept struct {
	Firing   int `json:"firing"`   // kept as new
	Repeated int `json:"repeated"` // known already
	Resolved int `json:"resolved"` // ended
	Ignored  int `json:"ignored"`  // resolved without having fired, looked after by another shard, or more than are kept
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

// Changed reports whether the next cycle finds something else than the last one did.
func (k Kept) Changed() bool { return k.Firing > 0 || k.Resolved > 0 }

// KeepAlerts keeps alerts for the next cycle, and asks a running cron for one if that has something new to see.
func (b *Records) KeepAlerts(ctx context.Context, all []alerts.Alert) (kept Kept, err error) {
	err = b.Store.Update(ctx, func(tx *store.Store) error {
		kept = Kept{Unknown: []string{}}
		firing, err := tx.CountFiring(ctx)
		if err != nil {
			return err
		}
		for _, a := range all {
			if err := b.keepAlert(ctx, tx, a, firing+kept.Firing >= maxFiring, &kept); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || !kept.Changed() {
		return kept, err
	}
	return kept, Wake(b.Config.StateDir, store.ByAlert)
}

func (b *Records) keepAlert(ctx context.Context, tx *store.Store, a alerts.Alert, full bool, kept *Kept) error {
	service, known := b.alertService(a)
	if b.Inventory.Elsewhere(service) != "" {
		kept.Ignored++
		return nil
	}
	if a.Status == alerts.Resolved {
		return b.endAlert(ctx, tx, a, service, kept)
	}
	if !known && !slices.Contains(kept.Unknown, service) && len(kept.Unknown) < maxUnknownNames {
		kept.Unknown = append(kept.Unknown, service)
	}
	if full {
		kept.Ignored++
		return nil
	}
	now := b.Now()
	isNew, err := tx.KeepAlert(ctx, store.AlertRow{
		Source: b.Redactor.String(a.Source), Service: service, Fingerprint: b.fingerprint(a, service), Means: a.Means,
		ReceivedAt: now, StartsAt: notAfter(a.StartsAt, now),
		Title: b.Redactor.String(a.Title), Body: b.Redactor.String(a.Body),
	})
	if isNew {
		kept.Firing++
	} else {
		kept.Repeated++
	}
	return err
}

// endAlert ends an alert. It may have been kept under a name of its own, before the services file knew that as an alias.
func (b *Records) endAlert(ctx context.Context, tx *store.Store, a alerts.Alert, service string, kept *Kept) error {
	source, at, found := b.Redactor.String(a.Source), notAfter(a.EndsAt, b.Now()), false
	for _, name := range []string{service, b.Redactor.String(a.Own)} {
		ended, err := tx.ResolveAlert(ctx, source, name, b.fingerprint(a, name), at)
		if err != nil {
			return err
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

// fingerprint returns what tells an alert apart from others of its service.
func (b *Records) fingerprint(a alerts.Alert, service string) string {
	return cmp.Or(b.Redactor.String(a.Fingerprint), service)
}

// alertService returns the name of an alert's service: the first of its names that the inventory knows, else its own.
func (b *Records) alertService(a alerts.Alert) (service string, known bool) {
	if service, known = b.Inventory.Lookup(a.Names...); known {
		return service, true
	}
	return b.Inventory.NameOf(b.Redactor.String(a.Own)), false
}

// notAfter returns a sender's time, or now if that is in the future (RULE "Clock") or unknown.
func notAfter(at, now time.Time) time.Time {
	if at.IsZero() || at.After(now) {
		return now
	}
	return at
}

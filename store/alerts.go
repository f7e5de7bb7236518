package store

import (
	"context"
	"time"

	"github.com/claudeops/claudeops/check"
)

// AlertRow is an alert that another program sent. Of one source, service and fingerprint at most one fires.
type AlertRow struct {
	ID            int64        `json:"id"`
	Source        string       `json:"source"`
	Service       string       `json:"service"`
	Fingerprint   string       `json:"fingerprint"`
	Status        string       `json:"status"` // firing or resolved
	Means         check.Status `json:"means"`  // how the service is while it fires: degraded or down
	Title         string       `json:"title"`
	Body          string       `json:"body"`
	StartsAt      time.Time    `json:"starts_at"`
	EndsAt        *time.Time   `json:"ends_at"`         // nil while it fires
	ReceivedAt    time.Time    `json:"received_at"`     // last
	SeenSessionID *int64       `json:"seen_session_id"` // of the first cycle that saw it; nil before
}

const alertColumns = `id, source, service, fingerprint, status, means, title, body, starts_at, ends_at, received_at, seen_session_id`

// RepeatAlert notes that an alert was sent again, and reports whether it fires already. Until its end, the worst that was said of it
// counts, in the words in which it was said last.
func (s *Store) RepeatAlert(ctx context.Context, a AlertRow) (known bool, err error) {
	row, err := first[int64](ctx, s, "repeat an alert", `
		UPDATE alerts SET received_at = max(received_at, ?1),
			title = iif(?2 = 'down' OR means <> 'down', ?3, title), body = iif(?2 = 'down' OR means <> 'down', ?4, body),
			means = iif(means = 'down', means, ?2)
		WHERE source = ?5 AND service = ?6 AND fingerprint = ?7 AND status = 'firing' RETURNING id`,
		a.ReceivedAt, a.Means, a.Title, a.Body, a.Source, a.Service, a.Fingerprint)
	return row != nil, err
}

// AddAlert adds an alert that fires, and does not yet.
func (s *Store) AddAlert(ctx context.Context, a AlertRow) error {
	return s.exec(ctx, "keep an alert", `
		INSERT INTO alerts (source, service, fingerprint, status, means, title, body, starts_at, received_at) VALUES (?, ?, ?, 'firing', ?, ?, ?, ?, ?)`,
		a.Source, a.Service, a.Fingerprint, a.Means, a.Title, a.Body, a.StartsAt, a.ReceivedAt)
}

// ResolveAlert ends the alert of a source, service and fingerprint, and reports whether one fired.
func (s *Store) ResolveAlert(ctx context.Context, source, service, fingerprint string, at time.Time) (ended bool, err error) {
	row, err := first[int64](ctx, s, "end an alert", `
		UPDATE alerts SET status = 'resolved', ends_at = ?, received_at = ?
		WHERE source = ? AND service = ? AND fingerprint = ? AND status = 'firing' RETURNING id`,
		at, s.Now(), source, service, fingerprint)
	return row != nil, err
}

// ExpireAlerts ends the alerts that were last received before a time, and returns them.
func (s *Store) ExpireAlerts(ctx context.Context, before, at time.Time) ([]AlertRow, error) {
	return list[AlertRow](ctx, s, "end old alerts", `
		UPDATE alerts SET status = 'resolved', ends_at = ? WHERE status = 'firing' AND received_at < ? RETURNING `+alertColumns, at, before)
}

// TrimAlerts deletes alerts that have ended, except the newest.
func (s *Store) TrimAlerts(ctx context.Context, newest int) error {
	return s.exec(ctx, "delete old alerts", `
		DELETE FROM alerts WHERE id <= (SELECT max(id) FROM alerts) - ? AND status = 'resolved'`, newest)
}

// FiringAlerts returns the alerts that fire, the oldest first.
func (s *Store) FiringAlerts(ctx context.Context) ([]AlertRow, error) {
	return list[AlertRow](ctx, s, "read the alerts", `
		SELECT `+alertColumns+` FROM alerts WHERE status = 'firing' ORDER BY id`)
}

// AlertsBetween returns a service's alerts that fired at some time between two, the newest first.
func (s *Store) AlertsBetween(ctx context.Context, service string, from, to time.Time, limit int) ([]AlertRow, error) {
	return list[AlertRow](ctx, s, "read the alerts of "+service, `
		SELECT `+alertColumns+` FROM alerts WHERE service = ? AND starts_at <= ? AND coalesce(ends_at, ?) >= ? ORDER BY id DESC LIMIT ?`,
		service, to, to, from, limit)
}

// SeeAlerts marks the alerts that fire as seen by a session, unless an earlier one saw them.
func (s *Store) SeeAlerts(ctx context.Context, session int64) error {
	return s.exec(ctx, "mark the alerts as seen", `UPDATE alerts SET seen_session_id = ? WHERE status = 'firing' AND seen_session_id IS NULL`, session)
}

// AlertedChains returns when a model above Tier 1 was last started for each service of which an alert was kept, if that
// was after a time.
func (s *Store) AlertedChains(ctx context.Context, after time.Time) (map[string]time.Time, error) {
	return keyed[string, time.Time](ctx, s, "read for which alerts a tier was started", `
		SELECT service, max(started_at) FROM sessions JOIN incident_sessions ON session_id = sessions.id JOIN incidents i ON i.id = incident_id
		WHERE started_at > ? AND tier > 1 AND agent NOT IN (?, ?) AND EXISTS (SELECT 1 FROM alerts WHERE alerts.service = i.service)
		GROUP BY service`, after, FirstAid, Approved)
}

package store

import (
	"context"
	"time"
)

// Kind is what a notification is about.
type Kind string

// The kinds of notification.
const (
	HumanAttention Kind = "human_attention"
	Remediated     Kind = "remediated"
	Recovered      Kind = "recovered"
	DailyDigest    Kind = "daily_digest"
	AgentFailing   Kind = "agent_failing"
	CircuitOpen    Kind = "circuit_open"
)

// Notification is a message to people, in the outbox until every target has it.
type Notification struct {
	ID            int64      `json:"id"`
	IncidentID    *int64     `json:"incident_id"` // nil for faults of the watch itself, and for digests
	Kind          Kind       `json:"kind"`
	Service       string     `json:"service"`
	Cause         string     `json:"cause"` // stands where the incident would, where there is none
	Title         string     `json:"title"`
	Body          string     `json:"body"`
	CreatedAt     time.Time  `json:"created_at"`
	Attempts      int        `json:"attempts"`
	NextAttemptAt time.Time  `json:"next_attempt_at"`
	DeliveredAt   *time.Time `json:"delivered_at"`
	LastError     string     `json:"last_error"`
}

// repeatAfter is how long a notification of one kind stands for what it tells of: an incident, or without one a cause and service.
const repeatAfter = 24 * time.Hour

const notificationColumns = `id, incident_id, kind, service, cause, title, body, created_at, attempts, next_attempt_at, delivered_at, last_error`

func scanNotification(r row, n *Notification) error {
	return r.Scan(&n.ID, &n.IncidentID, &n.Kind, &n.Service, &n.Cause, &n.Title, &n.Body, readTime{&n.CreatedAt}, &n.Attempts,
		readTime{&n.NextAttemptAt}, readOptional{&n.DeliveredAt}, &n.LastError)
}

// QueueNotification puts a message into the outbox, unless people were told the same within 24 h; queued says which. Zero times
// are now. Digests have their own rule. A message dated a day or more in the future holds nothing back: the clock was wrong, and
// silence would last as long as that.
func (q queries) QueueNotification(ctx context.Context, n Notification) (queued bool, err error) {
	const work = "queue a notification"
	if n.CreatedAt.IsZero() {
		n.CreatedAt = q.store.Now()
	}
	if n.NextAttemptAt.IsZero() {
		n.NextAttemptAt = n.CreatedAt
	}
	result, err := q.conn.ExecContext(ctx, `
		INSERT INTO notifications (incident_id, kind, service, cause, title, body, created_at, next_attempt_at)
		SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
		WHERE ?2 = 'daily_digest' OR NOT EXISTS (
			SELECT 1 FROM notifications
			WHERE kind = ?2 AND created_at > ?9 AND created_at < ?10 AND incident_id IS ?1
				AND (?1 IS NOT NULL OR service = ?3 AND cause = ?4))`,
		n.IncidentID, n.Kind, n.Service, n.Cause, n.Title, n.Body, timeText(n.CreatedAt), timeText(n.NextAttemptAt),
		timeText(n.CreatedAt.Add(-repeatAfter)), timeText(n.CreatedAt.Add(repeatAfter)))
	if err != nil {
		return false, q.failed(work, err)
	}
	added, err := result.RowsAffected()
	return added > 0, q.failed(work, err)
}

// PendingNotifications returns what is to be delivered and due now, oldest first, at most limit; 0 is no limit.
func (q queries) PendingNotifications(ctx context.Context, limit int) ([]Notification, error) {
	if limit == 0 {
		limit = -1 // none, to SQLite
	}
	return list(ctx, q, "read the outbox", scanNotification, `
		SELECT `+notificationColumns+` FROM notifications WHERE delivered_at IS NULL AND next_attempt_at <= ? ORDER BY id LIMIT ?`,
		timeText(q.store.Now()), limit)
}

// IncidentNotifications returns what people were told, or will be, of an incident; oldest first.
func (q queries) IncidentNotifications(ctx context.Context, incident int64) ([]Notification, error) {
	return list(ctx, q, "read an incident's notifications", scanNotification,
		`SELECT `+notificationColumns+` FROM notifications WHERE incident_id = ? ORDER BY id`, incident)
}

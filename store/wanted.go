package store

import (
	"context"
	"time"
)

// AskedOf are the notifications that ask people for something that may not be over, the newest first, of an incident and of each cause
// only the newest, at most limit: requests for a human about open incidents; reports of an agent that fails, and what has no incident, from since
// on. In a dry run nothing but people does anything about an incident, whatever since.
func (q queries) AskedOf(ctx context.Context, since time.Time, limit int) ([]Notification, error) {
	return list[Notification](ctx, q, "find what people were asked", askedOf, timeText(since), limit)
}

const askedOf = `
	SELECT ` + notificationColumns + ` FROM notifications WHERE id IN (
		SELECT (
			SELECT max(n.id) FROM notifications n
			WHERE n.incident_id = i.id AND (kind = 'human_attention' OR kind = 'agent_failing' AND (cause = 'dry_run' OR created_at >= ?1)))
		FROM incidents i INDEXED BY incidents_open WHERE i.closed_at IS NULL
		UNION ALL
		SELECT max(id) FROM notifications INDEXED BY notifications_kind
		WHERE incident_id IS NULL AND kind IN ('human_attention', 'agent_failing') AND created_at >= ?1
		GROUP BY kind, service, cause)
	ORDER BY id DESC LIMIT ?2`

// LastGoodCycle is when the cycle began, after since, that last went well; nil where none did.
func (q queries) LastGoodCycle(ctx context.Context, since time.Time) (began *time.Time, err error) {
	return one[*time.Time](ctx, q, "find the last good cycle",
		`SELECT max(started_at) FROM cycles WHERE started_at > ? AND outcome = 'completed'`, timeText(since))
}

// PendingNotifications counts the notifications that some target has yet to get.
func (q queries) PendingNotifications(ctx context.Context) (n int64, err error) {
	return one[int64](ctx, q, "count what is pending", `SELECT count(*) FROM notifications WHERE delivered_at IS NULL`)
}

package store

import (
	"context"
	"time"
)

// AddMessage puts a message of kind Message into the outbox, and returns its id: 0, and nothing is queued, where there are most of the
// same cause already. No limit is 0.
func (q queries) AddMessage(ctx context.Context, n Notification, most int) (id int64, err error) {
	err = q.atomically(ctx, func(q queries) error {
		there, err := one[int](ctx, q, "count messages", `SELECT count(*) FROM notifications WHERE kind = ? AND cause = ?`, Message, n.Cause)
		if err != nil || most > 0 && there >= most {
			return err
		}
		if _, err := q.QueueNotification(ctx, n); err != nil {
			return err
		}
		id, err = one[int64](ctx, q, "read a message's id", `SELECT last_insert_rowid()`)
		return err
	})
	return id, err
}

// ToldWithoutIncident counts the notifications of a kind and cause that hang on no incident, since then.
func (q queries) ToldWithoutIncident(ctx context.Context, kind Kind, cause string, since time.Time) (count int, err error) {
	return one[int](ctx, q, "count what was told", `
		SELECT count(*) FROM notifications WHERE kind = ? AND created_at >= ? AND cause = ? AND incident_id IS NULL`,
		kind, timeText(since), cause)
}

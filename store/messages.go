package store

import (
	"context"
	"time"
)

// AddMessage puts a message of kind Message into the outbox, and returns its id: 0, and nothing is queued, where there are most of the
// same cause already. No limit is 0.
func (q queries) AddMessage(ctx context.Context, n Notification, most int) (id int64, err error) {
	err = q.atomically(ctx, func(q queries) error {
		var there int
		count := q.conn.QueryRowContext(ctx, `SELECT count(*) FROM notifications WHERE kind = ? AND cause = ?`, Message, n.Cause)
		if err := count.Scan(&there); err != nil {
			return q.failed("count messages", err)
		}
		if most > 0 && there >= most {
			return nil
		}
		if _, err := q.QueueNotification(ctx, n); err != nil {
			return err
		}
		return q.failed("read a message's id", q.conn.QueryRowContext(ctx, `SELECT last_insert_rowid()`).Scan(&id))
	})
	return id, err
}

// ToldWithoutIncident counts the notifications of a kind and cause that hang on no incident, since then.
func (q queries) ToldWithoutIncident(ctx context.Context, kind Kind, cause string, since time.Time) (count int, err error) {
	err = q.conn.QueryRowContext(ctx, `
		SELECT count(*) FROM notifications WHERE kind = ? AND created_at >= ? AND cause = ? AND incident_id IS NULL`,
		kind, timeText(since), cause).Scan(&count)
	return count, q.failed("count what was told", err)
}

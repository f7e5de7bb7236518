package store

import (
	"context"
	"time"
)

// Delivery is that a target has a message.
type Delivery struct {
	Message     int64
	Target      string // its hash
	DeliveredAt time.Time
}

// Deliveries returns which targets have some messages, in the order in which they got them.
func (q queries) Deliveries(ctx context.Context, messages []int64) ([]Delivery, error) {
	return list[Delivery](ctx, q, "read who has a message", `
		SELECT n.message_id, d.target_hash, d.delivered_at
		FROM notifications n CROSS JOIN deliveries d ON d.notification_id = n.id
		WHERE n.message_id IN (SELECT value FROM json_each(?))
		ORDER BY d.delivered_at, d.target_hash`, idList(messages))
}

// heldBack is that a notification n waits for the end of a pause or of a silence at ?1: of a message, that every part of it does.
const heldBack = `(` + isPaused + ` OR n.service IN ` + silenced + ` AND (n.message_id IS NULL OR NOT EXISTS (
	SELECT 1 FROM notifications other
	WHERE other.message_id = n.message_id AND other.delivered_at IS NULL AND other.service NOT IN ` + silenced + `)))`

// HeldBack says which of some notifications are waiting for the end of a pause or of a silence.
func (q queries) HeldBack(ctx context.Context, ids []int64, now time.Time) ([]int64, error) {
	return list[int64](ctx, q, "read what is held back", `
		SELECT n.id FROM notifications n
		WHERE n.id IN (SELECT value FROM json_each(?2)) AND n.delivered_at IS NULL AND `+heldBack+`
		ORDER BY n.id`, timeText(now), idList(ids))
}

// OldestWaiting is the notification that has waited longest for a target, and that no pause and no silence holds back; nil where there
// is none.
func (q queries) OldestWaiting(ctx context.Context, now time.Time) (*Notification, error) {
	return first[Notification](ctx, q, "read what waits longest", `
		SELECT `+notificationColumns+` FROM notifications n
		WHERE delivered_at IS NULL AND NOT `+heldBack+` ORDER BY id LIMIT 1`, timeText(now))
}

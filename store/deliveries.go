package store

import (
	"context"
	"time"
)

// What package notify decides about pending notifications is recorded here: which are one message, who has it, and who
// is tried when.

// FailingTarget is a target that could not be reached when it was last tried.
type FailingTarget struct {
	Hash         string    `json:"hash"`
	Name         string    `json:"name"`
	FailingSince time.Time `json:"failing_since"`
	Attempts     int       `json:"attempts"` // consecutive failed attempts
	RetryAt      time.Time `json:"retry_at"` // not tried again before
	LastError    string    `json:"last_error"`
}

// MaxRetry is the longest wait of a target or a message for its next attempt. A time further ahead was set by a wrong
// clock, and counts as due.
const MaxRetry = 55 * time.Minute

// Delivery records that a target has received a message.
type Delivery struct {
	Message     int64
	Target      string // its hash
	DeliveredAt time.Time
}

// AtRest is a quick test that delivery has nothing to do: nothing is pending, and no target is recorded as failing.
func (s *Store) AtRest(ctx context.Context) (rest bool, err error) {
	return one[bool](ctx, s, "look into the outbox", `
		SELECT NOT EXISTS (SELECT 1 FROM notifications WHERE delivered_at IS NULL)
			AND NOT EXISTS (SELECT 1 FROM targets)`)
}

// FormMessage makes one message of some notifications. It has the id of the first.
func (s *Store) FormMessage(ctx context.Context, notifications []int64) error {
	return s.exec(ctx, "form a message", `
		UPDATE notifications SET message_id = ? WHERE id IN (SELECT value FROM json_each(?))`,
		notifications[0], notifications)
}

// CloseNotification records that a notification is not sent, and why.
func (s *Store) CloseNotification(ctx context.Context, id int64, why string, now time.Time) error {
	return s.change(ctx, "notification", id,
		`UPDATE notifications SET delivered_at = ?, last_error = ? WHERE id = ?`, now, why, id)
}

// CloseMessage records that every target has a message that is to get it.
func (s *Store) CloseMessage(ctx context.Context, message int64, now time.Time) error {
	return s.exec(ctx, "record that a message is delivered", `
		UPDATE notifications SET delivered_at = ? WHERE message_id = ? AND delivered_at IS NULL`,
		now, message)
}

// Delivered records that a target has received a message and works.
func (s *Store) Delivered(ctx context.Context, message int64, target string, now time.Time) error {
	const work = "record a delivery"
	return s.Update(ctx, func(s *Store) error {
		err := s.exec(ctx, work, `
			INSERT INTO deliveries (notification_id, target_hash, delivered_at) VALUES (?, ?, ?)
			ON CONFLICT DO NOTHING`,
			message, target, now)
		if err != nil {
			return err
		}
		return s.exec(ctx, work, `DELETE FROM targets WHERE hash = ?`, target)
	})
}

// Retarget forgets failing targets that are no longer configured.
func (s *Store) Retarget(ctx context.Context, targets []string) error {
	return s.exec(ctx, "look at the targets of notifications",
		`DELETE FROM targets WHERE hash NOT IN (SELECT value FROM json_each(?))`, targets)
}

// TargetFailed records that a message did not reach a target, which is not tried again before t.RetryAt.
func (s *Store) TargetFailed(ctx context.Context, t FailingTarget, message int64) error {
	return s.Update(ctx, func(s *Store) error {
		err := s.exec(ctx, "record that a target fails", `
			INSERT OR REPLACE INTO targets (hash, name, failing_since, attempts, retry_at, last_error)
			VALUES (?, ?, ?, ?, ?, ?)`,
			t.Hash, t.Name, t.FailingSince, t.Attempts, t.RetryAt, t.LastError)
		if err != nil {
			return err
		}
		return s.exec(ctx, "record a failed attempt", `
			UPDATE notifications SET attempts = attempts + 1, last_error = ?
			WHERE message_id = ? AND delivered_at IS NULL`, t.LastError, message)
	})
}

// MessageRefused records that a target rejected a message, which waits until retry.
func (s *Store) MessageRefused(ctx context.Context, message int64, reason string, retry time.Time) error {
	return s.exec(ctx, "record a refused message", `
		UPDATE notifications SET attempts = attempts + 1, last_error = ?, next_attempt_at = ?
		WHERE message_id = ? AND delivered_at IS NULL`,
		reason, retry, message)
}

// FailingTargets returns the targets that could not be reached, by name.
func (s *Store) FailingTargets(ctx context.Context) ([]FailingTarget, error) {
	return list[FailingTarget](ctx, s, "read the failing targets",
		`SELECT hash, name, failing_since, attempts, retry_at, last_error FROM targets ORDER BY name, hash`)
}

// Deliveries returns the deliveries of some messages, in the order in which they were made.
func (s *Store) Deliveries(ctx context.Context, messages []int64) ([]Delivery, error) {
	return list[Delivery](ctx, s, "read who has a message", `
		SELECT notification_id, target_hash, delivered_at FROM deliveries
		WHERE notification_id IN (SELECT value FROM json_each(?)) ORDER BY delivered_at, target_hash`,
		messages)
}

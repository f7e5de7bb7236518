package store

import (
	"context"
	"time"
)

// FailingTarget is a target that could not be reached when it was last tried.
type FailingTarget struct {
	Hash         string    `json:"hash"`
	Name         string    `json:"name"`
	FailingSince time.Time `json:"failing_since"`
	Attempts     int       `json:"attempts"` // consecutive failed attempts
	RetryAt      time.Time `json:"retry_at"` // not tried again before
	LastError    string    `json:"last_error"`
}

// MaxRetry is the longest wait of a target or a message for its next attempt. A time further ahead was set by a wrong clock, and counts
// as due.
const MaxRetry = 55 * time.Minute

// isDue is true if the time of the next attempt has come at ?1, or is implausibly far ahead: after ?2.
const isDue = `(next_attempt_at <= ?1 OR next_attempt_at > ?2)`

// Due is a message that some target has not received, with its first notification. All its notifications go to the same targets.
type Due struct {
	Message int64
	Kind    Kind
	Type    MessageType
	Service string
}

// dueMessages selects the messages of pending notifications that meet a condition.
func dueMessages(condition string) string {
	return `SELECT g.message, n.kind, n.type, n.service FROM (
			SELECT message_id AS message, min(id) AS lead FROM notifications
			WHERE delivered_at IS NULL AND message_id IS NOT NULL AND ` + condition + `
			GROUP BY message_id) g JOIN notifications n ON n.id = g.lead
		ORDER BY g.message`
}

// Undelivered returns, in order, the due messages that a target has not received, if it is one of theirs. A message waits while all
// services that it is about are silenced.
func (s *Store) Undelivered(ctx context.Context, target string, now time.Time) ([]Due, error) {
	return list[Due](ctx, s, "read what a target has yet to get", dueMessages(isDue+` AND service NOT IN `+silenced+` AND message_id NOT IN (
			SELECT n.message_id FROM notifications n CROSS JOIN deliveries d ON d.notification_id = n.id AND d.target_hash = ?3
			WHERE n.delivered_at IS NULL AND n.message_id IS NOT NULL)`), timeText(now), timeText(now.Add(MaxRetry)), target)
}

// Undone returns the messages that some target may not have received, due or not.
func (s *Store) Undone(ctx context.Context) ([]Due, error) {
	return list[Due](ctx, s, "read what waits", dueMessages("true"))
}

// Waiting counts the messages that some target has not received, including those that pending notifications will form.
func (s *Store) Waiting(ctx context.Context) (messages int, err error) {
	return one[int](ctx, s, "count what waits in the outbox", `
		SELECT count(DISTINCT CASE WHEN message_id IS NOT NULL THEN message_id WHEN kind IN `+aloneKinds+` THEN id ELSE kind END)
		FROM notifications WHERE delivered_at IS NULL`)
}

// Delivered records that a target has received a message and works; complete reports whether every one of targets has it now. Its only
// deadline is SQLite's: each statement waits up to 5 s for another writer (busy_timeout).
func (s *Store) Delivered(ctx context.Context, message int64, target string, targets []string, now time.Time) (complete bool, err error) {
	const work = "record a delivery"
	err = s.Update(ctx, func(s *Store) error {
		err := s.exec(ctx, work, `
			INSERT INTO deliveries (notification_id, target_hash, delivered_at)
			SELECT min(id), ?2, ?3 FROM notifications WHERE message_id = ?1 HAVING min(id) IS NOT NULL
			ON CONFLICT DO NOTHING`, message, target, timeText(now))
		if err != nil {
			return err
		}
		if err := s.exec(ctx, work, `DELETE FROM targets WHERE hash = ?`, target); err != nil {
			return err
		}
		complete, err = s.Complete(ctx, []int64{message}, targets, now)
		return err
	})
	return complete, err
}

// Retarget forgets failing targets that are no longer configured.
func (s *Store) Retarget(ctx context.Context, targets []string) error {
	return s.exec(ctx, "look at the targets of notifications", `DELETE FROM targets WHERE hash NOT IN (SELECT value FROM json_each(?))`, jsonList(targets))
}

// Complete marks those of some messages as delivered that all their targets have received.
func (s *Store) Complete(ctx context.Context, messages []int64, targets []string, now time.Time) (any bool, err error) {
	rows, err := s.changed(ctx, "record that a message is delivered", `
		UPDATE notifications SET delivered_at = ?2 WHERE delivered_at IS NULL AND message_id IN (SELECT value FROM json_each(?1)) AND (
			SELECT count(*) FROM notifications n JOIN deliveries d ON d.notification_id = n.id
			WHERE n.message_id = notifications.message_id AND d.target_hash IN (SELECT value FROM json_each(?3))) >= ?4`,
		jsonList(messages), timeText(now), jsonList(targets), len(targets))
	return rows > 0, err
}

// TargetFailed records that a message did not reach a target, which is not tried again before t.RetryAt.
func (s *Store) TargetFailed(ctx context.Context, t FailingTarget, message int64) error {
	return s.Update(ctx, func(s *Store) error {
		err := s.exec(ctx, "record that a target fails", `
			INSERT INTO targets (hash, name, failing_since, attempts, retry_at, last_error) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET name = excluded.name, attempts = excluded.attempts, retry_at = excluded.retry_at, last_error = excluded.last_error`,
			t.Hash, t.Name, timeText(t.FailingSince), t.Attempts, timeText(t.RetryAt), t.LastError)
		if err != nil {
			return err
		}
		return s.exec(ctx, "record a failed attempt", `
			UPDATE notifications SET attempts = attempts + 1, last_error = ?2
			WHERE message_id = ?1 AND delivered_at IS NULL`, message, t.LastError)
	})
}

// MessageRefused records that a target rejected a message, which waits until retry.
func (s *Store) MessageRefused(ctx context.Context, message int64, reason string, retry time.Time) error {
	return s.exec(ctx, "record a refused message", `
		UPDATE notifications SET attempts = attempts + 1, last_error = ?2, next_attempt_at = ?3 WHERE message_id = ?1 AND delivered_at IS NULL`,
		message, reason, timeText(retry))
}

// FailingTargets returns the targets that could not be reached, by name.
func (s *Store) FailingTargets(ctx context.Context) ([]FailingTarget, error) {
	return list[FailingTarget](ctx, s, "read the failing targets",
		`SELECT hash, name, failing_since, attempts, retry_at, last_error FROM targets ORDER BY name, hash`)
}

// Delivery records that a target has received a message.
type Delivery struct {
	Message     int64
	Target      string // its hash
	DeliveredAt time.Time
}

// Deliveries returns the deliveries of some messages, in the order in which they were made.
func (s *Store) Deliveries(ctx context.Context, messages []int64) ([]Delivery, error) {
	return list[Delivery](ctx, s, "read who has a message", `
		SELECT n.message_id, d.target_hash, d.delivered_at
		FROM notifications n CROSS JOIN deliveries d ON d.notification_id = n.id
		WHERE n.message_id IN (SELECT value FROM json_each(?))
		ORDER BY d.delivered_at, d.target_hash`, jsonList(messages))
}

// heldBack is true if a notification n waits for the end of a pause or of a silence at ?1; a message waits only if all its notifications
// do.
const heldBack = `(` + isPaused + ` OR n.service IN ` + silenced + ` AND (n.message_id IS NULL OR NOT EXISTS (
	SELECT 1 FROM notifications other
	WHERE other.message_id = n.message_id AND other.delivered_at IS NULL AND other.service NOT IN ` + silenced + `)))`

// HeldBack returns which of some notifications wait for the end of a pause or of a silence.
func (s *Store) HeldBack(ctx context.Context, ids []int64, now time.Time) ([]int64, error) {
	return list[int64](ctx, s, "read what is held back", `
		SELECT n.id FROM notifications n
		WHERE n.id IN (SELECT value FROM json_each(?2)) AND n.delivered_at IS NULL AND `+heldBack+`
		ORDER BY n.id`, timeText(now), jsonList(ids))
}

// Unheld returns the notifications that some target has not received and that no pause or silence holds back, oldest first.
func (s *Store) Unheld(ctx context.Context, now time.Time) ([]Notification, error) {
	return list[Notification](ctx, s, "read what waits longest", `
		SELECT `+notificationColumns+` FROM notifications n
		WHERE delivered_at IS NULL AND NOT `+heldBack+` ORDER BY id`, timeText(now))
}

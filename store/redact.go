package store

import (
	"context"
	"time"
)

// RedactSession takes secrets out of what a session's agent had stored through our commands, which know none: the errors of its
// check results, its events, and what it queued for people and nobody was sent yet.
func (q queries) RedactSession(ctx context.Context, session int64, since time.Time, redact func(string) string) error {
	const work = "redact what a session stored"
	for _, t := range []struct{ read, write string }{
		{`SELECT id, error, '' FROM health_checks WHERE session_id = ?1`, `UPDATE health_checks SET error = ?1 WHERE id = ?3`},
		{`SELECT id, message, '' FROM events WHERE session_id = ?1`, `UPDATE events SET message = ?1 WHERE id = ?3`},
		{`SELECT id, title, body FROM notifications WHERE delivered_at IS NULL AND created_at >= ?2`, `UPDATE notifications SET title = ?1, body = ?2 WHERE id = ?3`},
	} {
		texts, err := list[storedText](ctx, q, work, t.read, session, timeText(since))
		if err != nil {
			return err
		}
		for _, text := range texts {
			first, second := redact(text.First), redact(text.Second)
			if first == text.First && second == text.Second {
				continue
			}
			if err := q.exec(ctx, work, t.write, first, second, text.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// storedText is a row with one or two texts that people wrote.
type storedText struct {
	ID            int64
	First, Second string
}

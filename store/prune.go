package store

import (
	"context"
	"time"

	"github.com/claudeops/claudeops/statefile"
)

// prunable selects the sessions of chains that began after ?2 and not later than ?3, that ended before ?1, and that hold nothing that the
// next tier of an open incident needs. The + keeps SQLite from reading every root instead of the old ones.
const prunable = `
	WITH
		chain (root) AS (SELECT id FROM sessions WHERE +parent_session_id IS NULL AND started_at > ?2 AND started_at <= ?3),
		kept (root) AS (
			SELECT root_id FROM sessions WHERE root_id IN chain AND (status = 'running' OR ended_at IS NULL OR ended_at >= ?1)
			UNION
			SELECT root_id FROM sessions s JOIN incident_sessions ON session_id = s.id JOIN incidents i ON i.id = incident_id
			WHERE root_id IN chain AND i.closed_at IS NULL AND (findings <> '' OR attempted <> '')),
		prunable (id) AS (SELECT id FROM sessions WHERE root_id IN chain AND root_id NOT IN kept)
	`

// What is kept of rows before they are deleted, so that no total falls.
const (
	keepSessionSums = `
		INSERT INTO pruned_sessions (tier, status, sessions, cost_usd, input_tokens, output_tokens)
		SELECT tier, status, sessions, micro / 1e6, tokens_in, tokens_out FROM (
			SELECT tier, status, ` + sessionSums + ` FROM sessions WHERE id IN prunable GROUP BY tier, status)
		WHERE TRUE
		ON CONFLICT DO UPDATE SET sessions = sessions + excluded.sessions, cost_usd = round(cost_usd + excluded.cost_usd, 6),
			input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens`
	keepActCounts = `
		INSERT INTO pruned_actions (action_type, success, actions)
		SELECT * FROM (` + actCounts + ` AND created_at < ? GROUP BY action_type, success)
		WHERE TRUE
		ON CONFLICT DO UPDATE SET actions = actions + excluded.actions`
)

// Limits of one transaction of Prune, so that other writers wait only briefly.
const (
	sessionsAtOnce = 100 // chains, each of a few sessions with their results
	rowsAtOnce     = 1000
)

// oldChecks deletes results before ?1 of those that were stored first, so that no index on time is needed.
const oldChecks = `
	DELETE FROM health_checks WHERE id IN (
		SELECT id FROM (SELECT id, checked_at FROM health_checks ORDER BY id LIMIT 4 * ?2) WHERE checked_at < ?1 LIMIT ?2)`

// oldRows selects the rows of a table that meet a condition on ?1.
func oldRows(table, condition string) string {
	return `DELETE FROM ` + table + ` WHERE rowid IN (SELECT rowid FROM ` + table + ` WHERE ` + condition + ` LIMIT ?2)`
}

// Prune deletes single check results after checksLast and, of what ended before a time, whole chains of sessions with their events, checks
// and links; events of no session; the sums of hours; delivered notifications; closed incidents without unsent notifications; silences and alerts that
// have ended; and all cycles except the last. It returns the raw logs of the deleted sessions, which the caller must remove. Rows that are running, open or
// not yet sent, and cooldown actions that may still count, stay however old they are. With nobodyToTell, when no target is configured,
// notifications are deleted by age alone. What Figures counts of deleted rows is kept.
//
// It uses many small transactions, and stops after one once enough returns true; the next call continues.
func (s *Store) Prune(ctx context.Context, before time.Time, nobodyToTell bool, enough func() bool) (logs []string, err error) {
	at := timeText(before)
	logs, err = s.pruneSessions(ctx, at, enough)
	if err != nil {
		return logs, err
	}
	sent := `delivered_at < ?1`
	if nobodyToTell {
		sent = `coalesce(delivered_at, created_at) < ?1 AND NOT EXISTS ( -- a message goes as a whole
			SELECT 1 FROM notifications n WHERE n.message_id = notifications.message_id AND coalesce(n.delivered_at, n.created_at) >= ?1)`
	}
	for _, old := range []struct{ what, query string }{
		{"events", oldRows("events", `session_id IS NULL AND created_at < ?1`)},
		{"checks", oldChecks},
		{"hours", `DELETE FROM hours WHERE (service, hour) IN (
			SELECT h.service, hour FROM (SELECT DISTINCT service FROM latest) n JOIN hours h ON h.service = n.service AND hour < ?1 LIMIT ?2)`},
		{"last results", `DELETE FROM latest WHERE (service, check_type, source) IN (SELECT service, check_type, source FROM latest WHERE checked_at < ?1 LIMIT ?2)`},
		{"notifications", oldRows("notifications", sent)},
		{"incidents", oldRows("incidents", `closed_at < ?1 AND id NOT IN (SELECT incident_id FROM notifications WHERE incident_id IS NOT NULL)`)},
		{"alerts", oldRows("alerts", `received_at < ?1 AND status = 'resolved'`)},
		{"silences", oldRows("silences", `coalesce(ended_at, until) < ?1`)},
		{"cycles", oldRows("cycles", `started_at < ?1 AND id <> (SELECT max(id) FROM cycles)`)},
		{"containers", `DELETE FROM container_restarts WHERE container IN (SELECT container FROM container_restarts WHERE seen_at < ?1 LIMIT ?2)`},
	} {
		for deleted := int64(rowsAtOnce); deleted == rowsAtOnce && !enough(); {
			from := at
			if old.query == oldChecks {
				from = max(at, timeText(s.Now().Add(-checksLast)))
			}
			result, err := s.conn.ExecContext(s.until(ctx), old.query, from, rowsAtOnce)
			if err == nil {
				deleted, err = result.RowsAffected()
			}
			if err != nil {
				return logs, s.failed("prune "+old.what, err)
			}
		}
	}
	return logs, s.pruneActs(ctx, before)
}

// pruneSessions deletes chains in the order in which they began, a batch at a time.
func (s *Store) pruneSessions(ctx context.Context, before string, enough func() bool) (logs []string, err error) {
	for from := ""; !enough(); {
		to, err := one[*string](ctx, s, "find old sessions", `
			SELECT max(started_at) FROM (SELECT started_at FROM sessions WHERE started_at > ? AND started_at < ? ORDER BY started_at LIMIT ?)`, from, before, sessionsAtOnce)
		if err != nil || to == nil {
			return logs, err
		}
		err = s.Update(ctx, func(s *Store) error {
			old, err := list[string](ctx, s, "find old sessions", prunable+`SELECT log_path FROM sessions WHERE id IN prunable AND log_path <> '' ORDER BY id`, before, from, *to)
			if err != nil {
				return err
			}
			for _, query := range []string{keepSessionSums, `DELETE FROM sessions WHERE id IN prunable`} {
				if err := s.exec(ctx, "prune sessions", prunable+query, before, from, *to); err != nil {
					return err
				}
			}
			logs = append(logs, old...)
			return nil
		})
		if err != nil {
			return logs, err
		}
		from = *to
	}
	return logs, nil
}

// pruneActs deletes cooldown actions that no longer count. There are few, because limits bound them.
func (s *Store) pruneActs(ctx context.Context, before time.Time) error {
	if youngest := s.Now().Add(-statefile.PruneAfter); youngest.Before(before) {
		before = youngest
	}
	return s.Update(ctx, func(s *Store) error {
		for _, query := range []string{keepActCounts, `DELETE FROM cooldown_actions WHERE created_at < ?`} {
			if err := s.exec(ctx, "prune cooldown actions", query, timeText(before)); err != nil {
				return err
			}
		}
		return nil
	})
}

// RedactSession removes secrets from what a session's agent stored through commands that did not know them: the errors of its check
// results, its events, and its unsent notifications.
func (s *Store) RedactSession(ctx context.Context, session int64, since time.Time, redact func(string) string) error {
	const work = "redact what a session stored"
	for _, t := range []struct{ read, write string }{
		{`SELECT id, error, '' FROM health_checks WHERE session_id = ?1`, `UPDATE health_checks SET error = ?1 WHERE id = ?3`},
		{`SELECT id, message, '' FROM events WHERE session_id = ?1`, `UPDATE events SET message = ?1 WHERE id = ?3`},
		{`SELECT id, title, body FROM notifications WHERE delivered_at IS NULL AND created_at >= ?2`, `UPDATE notifications SET title = ?1, body = ?2 WHERE id = ?3`},
	} {
		texts, err := list[storedText](ctx, s, work, t.read, session, timeText(since))
		if err != nil {
			return err
		}
		for _, text := range texts {
			first, second := redact(text.First), redact(text.Second)
			if first == text.First && second == text.Second {
				continue
			}
			if err := s.exec(ctx, work, t.write, first, second, text.ID); err != nil {
				return err
			}
		}
	}
	return s.exec(ctx, work, `
		UPDATE latest SET error = h.error FROM health_checks h WHERE latest.session_id = ?1 AND h.session_id = ?1
			AND (h.service, h.check_type, h.source, h.checked_at, h.status) = (latest.service, latest.check_type, latest.source, latest.checked_at, latest.status)`, session)
}

// storedText is a row with one or two free texts.
type storedText struct {
	ID            int64
	First, Second string
}

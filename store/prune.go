package store

import (
	"context"
	"slices"
	"time"

	"github.com/claudeops/claudeops/statefile"
)

// Limits of one transaction of Prune, so that other writers wait only briefly.
const (
	sessionsAtOnce = 100 // chains, each of a few sessions with their results
	rowsAtOnce     = 1000
)

// oldSessions deletes whole chains that ended before ?1 and hold nothing that the next tier of an open incident needs,
// and returns their logs. The + keeps SQLite from reading every root instead of the old ones.
const oldSessions = `
	DELETE FROM sessions WHERE root_id IN (
		SELECT id FROM sessions r WHERE +parent_session_id IS NULL AND started_at < ?1
			AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.root_id = r.id AND (ended_at IS NULL OR ended_at >= ?1))
			AND NOT EXISTS (
				SELECT 1 FROM sessions s JOIN incident_sessions ON session_id = s.id JOIN incidents i ON i.id = incident_id
				WHERE s.root_id = r.id AND i.closed_at IS NULL AND (findings <> '' OR attempted <> ''))
		ORDER BY started_at LIMIT ?2)
	RETURNING log_path`

// oldRows deletes the rows of a table with a key that meet a condition on ?1.
func oldRows(table, key, condition string) string {
	return `DELETE FROM ` + table + ` WHERE (` + key + `) IN (SELECT ` + key + ` FROM ` + table + ` WHERE ` + condition + ` LIMIT ?2)`
}

// Prune deletes single check results after checksLast and, of what ended before a time, whole chains of sessions with
// their events, checks and links; events of no session; the sums of hours; delivered notifications; closed incidents
// without unsent notifications; silences and alerts that have ended; and all cycles except the last. It returns the raw
// logs of the deleted sessions, which the caller must remove. Rows that are running, open or not yet sent, and cooldown
// actions that may still count, stay however old they are. With nobodyToTell, when no target is configured,
// notifications are deleted by age alone.
//
// It uses many small transactions, and stops after one once enough returns true; the next call continues.
func (s *Store) Prune(ctx context.Context, before time.Time, nobodyToTell bool, enough func() bool) (logs []string, err error) {
	for more := true; more && !enough(); {
		found, err := list[string](ctx, s, "prune sessions", oldSessions, before, sessionsAtOnce)
		if err != nil {
			return logs, err
		}
		more = len(found) >= sessionsAtOnce
		logs = append(logs, slices.DeleteFunc(found, func(log string) bool { return log == "" })...)
	}
	sent := `delivered_at < ?1`
	if nobodyToTell {
		sent = `coalesce(delivered_at, created_at) < ?1`
	}
	checks, acts := s.Now().Add(-checksLast), s.Now().Add(-statefile.PruneAfter)
	if checks.Before(before) {
		checks = before
	}
	if before.Before(acts) {
		acts = before
	}
	for _, old := range []struct {
		query  string
		before time.Time
	}{
		{oldRows("events", "id", `session_id IS NULL AND created_at < ?1`), before},
		// Of those that were stored first, so that no index on time is needed.
		{`DELETE FROM health_checks WHERE id IN (
			SELECT id FROM (SELECT id, checked_at FROM health_checks ORDER BY id LIMIT 4 * ?2) WHERE checked_at < ?1 LIMIT ?2)`, checks},
		{`DELETE FROM hours WHERE (service, hour) IN (
			SELECT h.service, hour FROM (SELECT DISTINCT service FROM latest) n JOIN hours h ON h.service = n.service AND hour < ?1
			LIMIT ?2)`, before},
		{oldRows("latest", "service, check_type, source", `checked_at < ?1`), before},
		{oldRows("notifications", "id", sent), before},
		{oldRows("incidents", "id", `closed_at < ?1
			AND id NOT IN (SELECT incident_id FROM notifications WHERE incident_id IS NOT NULL)`), before},
		{oldRows("alerts", "id", `received_at < ?1 AND status = 'resolved'`), before},
		{oldRows("silences", "id", `coalesce(ended_at, until) < ?1`), before},
		{oldRows("cycles", "id", `started_at < ?1 AND id <> (SELECT max(id) FROM cycles)`), before},
		{oldRows("cooldown_actions", "id", `created_at < ?1`), acts},
	} {
		for deleted := int64(rowsAtOnce); deleted == rowsAtOnce && !enough(); {
			if deleted, err = s.changed(ctx, "prune old rows", old.query, old.before, rowsAtOnce); err != nil {
				return logs, err
			}
		}
	}
	return logs, nil
}

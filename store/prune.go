package store

import (
	"context"
	"time"

	"github.com/claudeops/claudeops/statefile"
)

// prunable are the sessions of chains that began before ?1, that have all ended before it, and that left nothing that the next
// tier of an open incident is told. Sessions in a circle have no root and are never pruned. The + keeps SQLite from reading every
// root instead of the old ones.
const prunable = `
	WITH RECURSIVE
		chain (root, id) AS (
			SELECT id, id FROM sessions WHERE +parent_session_id IS NULL AND started_at < ?1
			UNION
			SELECT root, s.id FROM chain JOIN sessions s ON s.parent_session_id = chain.id),
		kept (root) AS (
			SELECT root FROM chain JOIN sessions USING (id) WHERE status = 'running' OR ended_at IS NULL OR ended_at >= ?1
			UNION
			SELECT root FROM chain JOIN incident_sessions ON session_id = chain.id JOIN incidents i ON i.id = incident_id
			WHERE i.closed_at IS NULL AND (findings <> '' OR attempted <> '')),
		prunable (id) AS (SELECT id FROM chain WHERE root NOT IN kept)
	`

// Prune deletes what ended before that time: whole chains of sessions with their events, checks and links, events and checks of no
// session, delivered notifications, and closed incidents of which nothing is left to tell. It returns the raw logs of the deleted
// sessions, which are the caller's to remove. What runs, what is open, what people were not told yet, and cooldown actions that may
// still count stay, however old.
func (q queries) Prune(ctx context.Context, before time.Time) (logs []string, err error) {
	at := timeText(before)
	acts := before
	if youngest := q.store.Now().Add(-statefile.PruneAfter); youngest.Before(acts) {
		acts = youngest
	}
	err = q.atomically(ctx, func(q queries) error {
		scan := func(r row, path *string) error { return r.Scan(path) }
		logs, err = list(ctx, q, "find old sessions", scan, prunable+`SELECT log_path FROM sessions WHERE id IN prunable AND log_path <> '' ORDER BY id`, at)
		if err != nil {
			return err
		}
		for _, old := range []struct{ what, query, before string }{
			{"sessions", prunable + `DELETE FROM sessions WHERE id IN prunable`, at},
			{"events", `DELETE FROM events WHERE session_id IS NULL AND created_at < ?`, at},
			{"checks", `DELETE FROM health_checks WHERE session_id IS NULL AND checked_at < ?`, at},
			{"notifications", `DELETE FROM notifications WHERE delivered_at < ?`, at},
			{"incidents", `DELETE FROM incidents WHERE closed_at < ? AND id NOT IN (SELECT incident_id FROM notifications WHERE incident_id IS NOT NULL)`, at},
			{"containers", `DELETE FROM container_restarts WHERE seen_at < ?`, at},
			{"cooldown actions", `DELETE FROM cooldown_actions WHERE created_at < ?`, timeText(acts)},
		} {
			if err := q.exec(ctx, "prune "+old.what, old.query, old.before); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return logs, nil
}

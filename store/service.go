package store

import (
	"context"
	"time"
)

const (
	// worstOf is the severity of a status, for comparisons.
	worstOf = `CASE status WHEN 'unknown' THEN 0 WHEN 'healthy' THEN 1 WHEN 'degraded' THEN 2 ELSE 3 END`
	// worstStatus is the worst status of a group.
	worstStatus = `CASE max(` + worstOf + `) WHEN 3 THEN 'down' WHEN 2 THEN 'degraded' WHEN 1 THEN 'healthy' ELSE 'unknown' END`
)

// Turns returns the check results since a time that differ from the check of the same type and source before, newest first, at most
// limit. If a check has several results of a type, the worst counts. For the first one, the check before is searched up to a day back.
func (s *Store) Turns(ctx context.Context, service string, from time.Time, limit int) ([]Check, error) {
	return list[Check](ctx, s, "read how a service changed", `
		WITH
			looked AS (
				SELECT id, check_type, source, checked_at, max(`+worstOf+`) AS worst FROM health_checks
				WHERE service = ?1 AND checked_at >= ?2 GROUP BY checked_at, source, check_type),
			turns AS (
				SELECT id, checked_at, worst, lag(worst) OVER (PARTITION BY check_type, source ORDER BY checked_at) AS before FROM looked)
		SELECT `+checkColumns+` FROM health_checks WHERE id IN (
			SELECT id FROM turns WHERE worst <> before AND checked_at >= ?3 ORDER BY checked_at DESC, id DESC LIMIT ?4)
		ORDER BY checked_at DESC, id DESC`, service, timeText(from.Add(-24*time.Hour)), timeText(from), limit)
}

// ServiceActs returns the acts of a service, newest first, at most limit.
func (s *Store) ServiceActs(ctx context.Context, service string, limit int) ([]Act, error) {
	return list[Act](ctx, s, "read what was done to a service",
		`SELECT `+actColumns+` FROM cooldown_actions WHERE service = ? ORDER BY created_at DESC, id DESC LIMIT ?`, service, limit)
}

// ServiceNames returns the names of services with any record, in order.
func (s *Store) ServiceNames(ctx context.Context) ([]string, error) {
	return list[string](ctx, s, "list services", `
		SELECT service FROM latest UNION SELECT service FROM incidents UNION SELECT service FROM cooldown_actions
		UNION SELECT service FROM alerts WHERE status = 'firing' UNION SELECT service FROM silences WHERE service <> ''
		ORDER BY service`)
}

// MergeName moves all records of the service name other to name. If both have an open incident, these are merged into the older one, with
// the sessions, messages and dependent services of both.
func (s *Store) MergeName(ctx context.Context, other, name string) error {
	statements := []string{
		`UPDATE health_checks SET service = ?2 WHERE service = ?1`,
		`INSERT INTO latest SELECT ?2, check_type, source, session_id, status, error, response_time_ms, checked_at FROM latest WHERE service = ?1` + ifLater,
		`DELETE FROM latest WHERE service = ?1`,
		`INSERT INTO hours SELECT ?2, hour, healthy, degraded, down, unknown, timed, sum_ms, max_ms, watched_ms, down_ms
			FROM hours WHERE service = ?1` + joinHours,
		`DELETE FROM hours WHERE service = ?1`,
		`UPDATE cooldown_actions SET service = ?2 WHERE service = ?1`,
		`UPDATE events SET service = ?2 WHERE service = ?1`,
		`UPDATE notifications SET service = ?2 WHERE service = ?1`,
		`UPDATE silences SET service = ?2 WHERE service = ?1`,
		`UPDATE OR REPLACE alerts SET service = ?2, fingerprint = iif(fingerprint = ?1, ?2, fingerprint) WHERE service = ?1`,
		`UPDATE OR IGNORE incident_dependents SET service = ?2 WHERE service = ?1`,
		`DELETE FROM incident_dependents WHERE service = ?1 AND service <> ?2`,
		`UPDATE incidents SET service = ?2 WHERE service = ?1 AND closed_at IS NOT NULL`,
		`INSERT OR IGNORE INTO incident_sessions (incident_id, session_id, findings, attempted)
			SELECT first, session_id, findings, attempted FROM incident_sessions JOIN ` + openPair + ` ON incident_id = second`,
		`INSERT OR IGNORE INTO incident_dependents (incident_id, service, status, first_seen_at, last_seen_at)
			SELECT first, service, status, first_seen_at, last_seen_at FROM incident_dependents JOIN ` + openPair + ` ON incident_id = second`,
		`UPDATE notifications SET incident_id = first FROM ` + openPair + ` WHERE incident_id = second`,
		`UPDATE incidents SET opened_at = min(incidents.opened_at, o.opened_at), returns = max(incidents.returns, o.returns),
			dead_ends = max(incidents.dead_ends, o.dead_ends) FROM ` + openPair + ` JOIN incidents o ON o.id = second WHERE incidents.id = first`,
		`DELETE FROM incidents WHERE id = (SELECT second FROM ` + openPair + `)`,
		`UPDATE incidents SET service = ?2 WHERE service = ?1`,
	}
	return s.Update(ctx, func(s *Store) error {
		for _, statement := range statements {
			if err := s.exec(ctx, "merge the records of "+other+" with those of "+name, statement, other, name); err != nil {
				return err
			}
		}
		return nil
	})
}

// openPair selects the open incidents of the names ?1 and ?2, older first; no row unless both have one.
const openPair = `(
	SELECT min(id) AS first, max(id) AS second FROM incidents WHERE service IN (?1, ?2) AND closed_at IS NULL HAVING count(*) = 2)`

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

// Turns returns the check results between two times that differ from the check of the same type and source before, or
// are not healthy without one, newest first, at most limit. If a check has several results of a type, the worst counts.
// For the first one, the check before is searched up to back earlier.
func (s *Store) Turns(ctx context.Context, service string, from, to time.Time, back time.Duration, limit int) ([]Check, error) {
	return list[Check](ctx, s, "read how a service changed", `
		WITH
			looked AS (
				SELECT id, check_type, source, checked_at, max(`+worstOf+`) AS worst FROM health_checks
				WHERE service = ?1 AND checked_at BETWEEN ?2 AND ?4 GROUP BY checked_at, source, check_type),
			turns AS (
				SELECT id, checked_at, worst, lag(worst, 1, 1) OVER (PARTITION BY check_type, source ORDER BY checked_at) AS before FROM looked)
		SELECT `+checkColumns+` FROM health_checks WHERE id IN (
			SELECT id FROM turns WHERE worst <> before AND checked_at >= ?3 ORDER BY checked_at DESC, id DESC LIMIT ?5)
		ORDER BY checked_at DESC, id DESC`, service, from.Add(-back), from, to, limit)
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

// MergeName moves all records of the service name other to name, except of what name has too. If both have an open
// incident, that of other is closed.
func (s *Store) MergeName(ctx context.Context, other, name string) error {
	statements := []string{
		`UPDATE incidents SET closed_at = ?3 WHERE service = ?1 AND closed_at IS NULL
			AND EXISTS (SELECT 1 FROM incidents WHERE service = ?2 AND closed_at IS NULL)`,
		`UPDATE alerts SET fingerprint = ?2 WHERE service = ?1 AND fingerprint = ?1`, // of an alert without its own
	}
	for _, table := range []string{
		"health_checks", "latest", "hours", "cooldown_actions", "events", "notifications", "silences", "alerts",
		"incidents", "incident_dependents",
	} {
		statements = append(statements,
			`UPDATE OR IGNORE `+table+` SET service = ?2 WHERE service = ?1`, `DELETE FROM `+table+` WHERE service = ?1`)
	}
	work := "merge the records of " + other + " with those of " + name
	return s.Update(ctx, func(s *Store) error {
		for _, statement := range statements {
			if err := s.exec(ctx, work, statement, other, name, s.Now()); err != nil {
				return err
			}
		}
		return nil
	})
}

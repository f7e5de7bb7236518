package store

import (
	"context"
	"time"

	"github.com/claudeops/claudeops/check"
)

// Source is where a check result comes from.
type Source string

// The sources.
const (
	Reported Source = "report" // from an agent or a person, by `claudeops report` or in a handoff
	Probed   Source = "probe"  // from the program's own checks
)

// Check is a stored check result. Unknown members of the result are not stored.
type Check struct {
	ID        int64  `json:"id"`
	SessionID *int64 `json:"session_id"` // nil for a check outside any session
	check.Result
	Source    Source    `json:"source"`
	CheckedAt time.Time `json:"checked_at"`
}

// Results returns the check results without their storage details.
func Results(checks []Check) []check.Result {
	results := make([]check.Result, len(checks))
	for i, c := range checks {
		results[i] = c.Result
	}
	return results
}

const (
	// worstOf is the severity of a status, for comparisons.
	worstOf = `CASE status WHEN 'unknown' THEN 0 WHEN 'healthy' THEN 1 WHEN 'degraded' THEN 2 ELSE 3 END`
	// worstStatus is the worst status of a group.
	worstStatus = `CASE max(` + worstOf + `) WHEN 3 THEN 'down' WHEN 2 THEN 'degraded' WHEN 1 THEN 'healthy' ELSE 'unknown' END`
)

const checkColumns = `id, session_id, service, check_type, status, error, response_time_ms, source, checked_at`

// AddChecks stores the results of one report or of one round of checks, all or none. session is 0 outside a session.
func (s *Store) AddChecks(ctx context.Context, source Source, session int64, at time.Time, results []check.Result) error {
	return s.Update(ctx, func(s *Store) error {
		last, err := one[int64](ctx, s, "add check results", `SELECT coalesce(max(id), 0) FROM health_checks`)
		if err != nil {
			return err
		}
		for _, r := range results {
			if err := s.exec(ctx, "add check results", `
				INSERT INTO health_checks (session_id, service, check_type, status, response_time_ms, error, source, checked_at)
				VALUES (nullif(?, 0), ?, ?, ?, ?, ?, ?, ?)`,
				session, r.Service, r.Type, r.Status, r.ResponseTimeMS, r.Error, source, at); err != nil {
				return err
			}
		}
		err = s.exec(ctx, "add up the hour", countHour, last, at, hourOf(at), findingLasts.Milliseconds())
		if err != nil {
			return err
		}
		return s.exec(ctx, "keep the last results", keepLatest, last)
	})
}

// SessionChecks returns all results of a session in the order in which they were stored.
func (s *Store) SessionChecks(ctx context.Context, session int64) ([]Check, error) {
	return list[Check](ctx, s, "read check results", `SELECT `+checkColumns+` FROM health_checks WHERE session_id = ? ORDER BY id`, session)
}

// AskingSince returns, for the services whose last round of the program's own checks has asked for time (check.AsksForTime), since when
// each round has, at or after since.
func (s *Store) AskingSince(ctx context.Context, since time.Time, services ...string) (map[string]time.Time, error) {
	return keyed[string, time.Time](ctx, s, "read which services ask for time", `
		WITH rounds (service, at, asks) AS MATERIALIZED (
			SELECT service, checked_at, max(status = 'degraded' AND error LIKE ?3 || '%') FROM health_checks
			WHERE service IN (SELECT value FROM json_each(?1)) AND source = 'probe' AND checked_at >= ?2 GROUP BY service, checked_at)
		SELECT service, min(at) FROM rounds r
		WHERE at > coalesce((SELECT max(at) FROM rounds l WHERE l.service = r.service AND NOT l.asks), '') GROUP BY service`,
		services, since, check.AsksForTime)
}

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

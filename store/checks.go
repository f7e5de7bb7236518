package store

import (
	"context"
	"errors"
	"time"

	"github.com/claudeops/claudeops/check"
)

// Check is a check result as it was stored. The result's unknown members are not kept.
type Check struct {
	ID        int64  `json:"id"`
	SessionID *int64 `json:"session_id"` // nil for a check outside any session
	check.Result
	CheckedAt time.Time `json:"checked_at"`
}

// Results are the bare check results.
func Results(checks []Check) []check.Result {
	results := make([]check.Result, len(checks))
	for i, c := range checks {
		results[i] = c.Result
	}
	return results
}

const checkColumns = `id, session_id, service, check_type, status, response_time_ms, error, checked_at`

func scanCheck(r row, c *Check) error {
	return r.Scan(&c.ID, &c.SessionID, &c.Service, &c.Type, &c.Status, &c.ResponseTimeMS, &c.Error, readTime{&c.CheckedAt})
}

// AddChecks stores the results of one report or probe run, all or none. session is nil outside any.
func (q queries) AddChecks(ctx context.Context, session *int64, at time.Time, results []check.Result) error {
	const work = "add check results"
	return q.atomically(ctx, func(q queries) (err error) {
		insert, err := q.conn.PrepareContext(ctx, `
			INSERT INTO health_checks (session_id, service, check_type, status, response_time_ms, error, checked_at) VALUES (?, ?, ?, ?, ?, ?, ?)`)
		if err != nil {
			return q.failed(work, err)
		}
		defer func() { err = errors.Join(err, q.failed(work, insert.Close())) }()
		checkedAt, err := q.afterLast(ctx, session, at)
		if err != nil {
			return errors.Join(err, insert.Close())
		}
		for _, r := range results {
			if _, err := insert.ExecContext(ctx, session, r.Service, r.Type, r.Status, r.ResponseTimeMS, r.Error, checkedAt); err != nil {
				return q.failed(work, err)
			}
		}
		return nil
	})
}

// afterLast is the time of a new batch of results: at or, where the clock stood still or was set back since the session's last one,
// just after that.
func (q queries) afterLast(ctx context.Context, session *int64, at time.Time) (string, error) {
	if session == nil {
		return q.orNow(at), nil
	}
	var last *time.Time
	err := q.conn.QueryRowContext(ctx, `SELECT max(checked_at) FROM health_checks WHERE session_id = ?`, session).Scan(readOptional{&last})
	if err != nil {
		return "", q.failed("read the last check results", err)
	}
	if last != nil && !at.After(*last) {
		at = last.Add(time.Millisecond)
	}
	return q.orNow(at), nil
}

// SessionChecks returns all results of a session in the order in which they came.
func (q queries) SessionChecks(ctx context.Context, session int64) ([]Check, error) {
	return list(ctx, q, "read check results", scanCheck, `SELECT `+checkColumns+` FROM health_checks WHERE session_id = ? ORDER BY id`, session)
}

// LatestBySession returns, for each service, the results of its latest report in a session: a later report of a service replaces
// its earlier one (DESIGN.md §4 "Consecutive healthy"). They come in the order in which they were stored.
func (q queries) LatestBySession(ctx context.Context, session int64) ([]Check, error) {
	return list(ctx, q, "read the latest check results", scanCheck, `
		SELECT `+checkColumns+` FROM (
			SELECT *, rank() OVER (PARTITION BY service ORDER BY checked_at DESC) AS age FROM health_checks WHERE session_id = ?)
		WHERE age = 1 ORDER BY id`, session)
}

package store

import (
	"context"
	"time"

	"github.com/claudeops/claudeops/check"
)

// Last is the last result of a service, check type and source; of several of one batch, the worst.
type Last struct {
	Check                  // its ID is 0
	Made      check.Status // of the last check that could be made; empty if none could
	MadeError string
	UnwellAt  *time.Time // when it was last found unwell; nil if it never was
	HealthyAt *time.Time // when it was last found healthy; likewise
}

const (
	latestColumns = `service, check_type, source, session_id, status, error, response_time_ms, checked_at`

	// keepLatest keeps the results with an id above ?1, which are one batch.
	keepLatest = `
		INSERT INTO latest (` + latestColumns + `, made, made_error, unwell_at, healthy_at)
		SELECT ` + latestColumns + `, iif(status = 'unknown', '', status), iif(status = 'unknown', '', error),
			iif(status IN ('degraded', 'down'), checked_at, NULL), iif(status = 'healthy', checked_at, NULL) FROM (
			SELECT *, max(` + worstOf + `) FROM health_checks NOT INDEXED WHERE id > ?1 GROUP BY service, check_type)
		WHERE TRUE
		ON CONFLICT DO UPDATE SET session_id = excluded.session_id, status = excluded.status, error = excluded.error,
			response_time_ms = excluded.response_time_ms, checked_at = excluded.checked_at,
			made = iif(excluded.made = '', latest.made, excluded.made),
			made_error = iif(excluded.made = '', latest.made_error, excluded.made_error),
			unwell_at = coalesce(excluded.unwell_at, latest.unwell_at),
			healthy_at = coalesce(excluded.healthy_at, latest.healthy_at)
		WHERE excluded.checked_at >= latest.checked_at`
)

// Latest returns the last results of all services, by service, type and source.
func (s *Store) Latest(ctx context.Context) ([]Last, error) {
	return list[Last](ctx, s, "read how the services were found", `
		SELECT 0, session_id, service, check_type, status, error, response_time_ms, source, checked_at, made, made_error, unwell_at, healthy_at
		FROM latest ORDER BY service, check_type, source`)
}

// Disbelieve drops from the last results what the agent of a session has called healthy.
func (s *Store) Disbelieve(ctx context.Context, session int64) error {
	return s.exec(ctx, "drop what a tier called healthy", `DELETE FROM latest WHERE session_id = ? AND source = 'report' AND status = 'healthy'`, session)
}

// Observed returns when Tier 1 last began, the first of the cycles since the last one that was neither killed nor interrupted; zero if none
// has.
func (s *Store) Observed(ctx context.Context) (time.Time, error) {
	return one[time.Time](ctx, s, "read when Tier 1 last began", `
		WITH last AS (SELECT started_at, `+cycleEnd+` AS ended_at FROM cycles WHERE outcome <> ? ORDER BY id DESC LIMIT 1)
		SELECT coalesce(
			(SELECT min(started_at) FROM sessions WHERE tier = 1 AND started_at >= coalesce((SELECT ended_at FROM last), '')),
			(SELECT started_at FROM last))`, CycleInterrupted)
}

// LastChecks returns all results of a service's last round of the program's own checks and of its last report, however old.
func (s *Store) LastChecks(ctx context.Context, service string) ([]Check, error) {
	return list[Check](ctx, s, "read how "+service+" was found", `
		SELECT `+checkColumns+` FROM health_checks WHERE service = ?1 AND (source, checked_at) IN (
			SELECT source, max(checked_at) FROM latest WHERE service = ?1 GROUP BY source) ORDER BY id`, service)
}

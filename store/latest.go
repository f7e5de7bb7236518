package store

import (
	"context"
	"time"
)

const (
	latestColumns = `service, check_type, source, session_id, status, error, response_time_ms, checked_at`

	// keepLatest keeps the results with an id above ?1, which are one batch.
	keepLatest = `
		INSERT INTO latest (` + latestColumns + `)
		SELECT ` + latestColumns + ` FROM (
			SELECT *, max(` + worstOf + `) FROM health_checks NOT INDEXED WHERE id > ?1 GROUP BY service, check_type)
		WHERE TRUE
		ON CONFLICT DO UPDATE SET session_id = excluded.session_id, status = excluded.status, error = excluded.error,
			response_time_ms = excluded.response_time_ms, checked_at = excluded.checked_at
		WHERE excluded.checked_at >= latest.checked_at`
)

// Latest returns the last result, at or after since, of each service, check type and source, by service and type. Of several of one batch
// it is the worst. They have no id.
func (s *Store) Latest(ctx context.Context, since time.Time) ([]Check, error) {
	return list[Check](ctx, s, "read how the services were found", `
		SELECT 0, session_id, service, check_type, status, error, response_time_ms, source, checked_at
		FROM latest WHERE checked_at >= ? ORDER BY service, check_type, source`, since)
}

// Standing returns those of the results of Latest that say how their services are: of each service those of the last round of the
// program's own checks or, if there is none, of its last report. A check that is no longer made has no result in it.
func Standing(latest []Check) (standing []Check) {
	last := map[string]Check{} // a result of each service's last round or report
	for _, c := range latest {
		l, known := last[c.Service]
		probed := c.Source == Probed && l.Source != Probed
		if !known || probed || c.Source == l.Source && c.CheckedAt.After(l.CheckedAt) {
			last[c.Service] = c
		}
	}
	for _, c := range latest {
		if l := last[c.Service]; c.Source == l.Source && c.CheckedAt.Equal(l.CheckedAt) {
			standing = append(standing, c)
		}
	}
	return standing
}

// LastChecks returns all results of a service's last round of the program's own checks at or after since or, if there is none, of its last
// report; none if it was not checked.
func (s *Store) LastChecks(ctx context.Context, service string, since time.Time) ([]Check, error) {
	return list[Check](ctx, s, "read how "+service+" was found", `
		SELECT `+checkColumns+` FROM health_checks WHERE service = ?1 AND (source, checked_at) = (
			SELECT source, checked_at FROM latest WHERE service = ?1 AND checked_at >= ?2
			ORDER BY source = 'probe' DESC, checked_at DESC LIMIT 1)`, service, since)
}

package store

import (
	"context"
	"time"
)

// saidBefore is true if an event repeats one of the 10,000 events before it that is later than ?2.
const saidBefore = `EXISTS (
	SELECT 1 FROM events e WHERE e.service = events.service AND e.id BETWEEN events.id - 10000 AND events.id - 1
		AND e.level = events.level AND e.message = events.message AND e.created_at > ?2)`

// foundTheSame is true if the session ?1 found each service as the checks before did.
const foundTheSame = `NOT EXISTS (
	SELECT 1 FROM (
		SELECT service, min(checked_at) AS at, max(` + worstOf + `) AS worst FROM health_checks WHERE session_id = ?1 GROUP BY service) found
	WHERE worst IS NOT (
		SELECT max(` + worstOf + `) FROM health_checks c WHERE c.service = found.service AND checked_at = (
			SELECT max(checked_at) FROM health_checks c WHERE c.service = found.service AND checked_at < at)))`

// QuietSession marks the session of a cycle that only checked as quiet, if it found each service as the checks before and has no events
// above level info but repetitions of those of the last day. Lists leave it out; its log, its events that repeat others and its
// links to incidents are not kept. It reports whether the session is quiet; if not, nothing is changed.
func (s *Store) QuietSession(ctx context.Context, session int64) (quiet bool, err error) {
	const work = "mark a quiet cycle"
	said := []any{session, s.Now().Add(-24 * time.Hour)}
	err = s.Update(ctx, func(s *Store) error {
		rows, err := s.changed(ctx, work, `UPDATE sessions SET quiet = 1, log_path = '' WHERE id = ?1 AND `+foundTheSame+`
			AND NOT EXISTS (SELECT 1 FROM events WHERE session_id = ?1 AND level <> 'info' AND NOT `+saidBefore+`)`, said...)
		if quiet = rows > 0; err != nil || !quiet {
			return err
		}
		err = s.exec(ctx, work, `DELETE FROM incident_sessions WHERE session_id = ? AND findings = '' AND attempted = ''`, session)
		if err != nil {
			return err
		}
		return s.exec(ctx, work, `DELETE FROM events WHERE session_id = ?1 AND `+saidBefore, said...)
	})
	return quiet && err == nil, err
}

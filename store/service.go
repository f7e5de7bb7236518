package store

import (
	"context"
	"time"

	"github.com/claudeops/claudeops/check"
)

// worstOf is how bad a status is, to take the worst of several by: its place in byWorst.
const worstOf = `CASE status WHEN 'unknown' THEN 0 WHEN 'healthy' THEN 1 WHEN 'degraded' THEN 2 ELSE 3 END`

var byWorst = [...]check.Status{check.Unknown, check.Healthy, check.Degraded, check.Down}

// readWorst scans a worstOf into a status.
type readWorst struct{ to *check.Status }

func (r readWorst) Scan(value any) error {
	*r.to = ""
	if n, ok := value.(int64); ok && n >= 0 && n < int64(len(byWorst)) {
		*r.to = byWorst[n]
	}
	return nil
}

// Pace sums up the check results of one type in one slot of time.
type Pace struct {
	Type          check.Type
	At            time.Time // of the first of them
	MeanMS, MaxMS *int64    // nil where none says how long it took
	Worst         check.Status
}

// Paces sums up how long the checks of a service took from a moment on and before another, in so many slots of the same length, by type and
// time. Slots without any check are left out, and types of which none says how long it took.
func (q queries) Paces(ctx context.Context, service string, from, until time.Time, slots int) ([]Pace, error) {
	scan := func(r row, p *Pace) error {
		return r.Scan(&p.Type, &p.At, &p.MeanMS, &p.MaxMS, readWorst{&p.Worst})
	}
	return listBy(ctx, q, "read how long checks took", scan, `
		WITH slots AS (
			SELECT check_type, min(checked_at) AS at, CAST(round(avg(response_time_ms)) AS INTEGER) AS mean, max(response_time_ms) AS most, max(`+worstOf+`) AS worst
			FROM health_checks WHERE service = ?1 AND checked_at >= ?2 AND checked_at < ?3
			GROUP BY check_type, CAST((julianday(checked_at) - julianday(?2)) * ?4 / (julianday(?3) - julianday(?2)) AS INTEGER))
		SELECT check_type, at, mean, most, worst FROM (SELECT *, max(most) OVER (PARTITION BY check_type) AS any FROM slots)
		WHERE any IS NOT NULL ORDER BY check_type, at`, service, timeText(from), timeText(until), slots)
}

// Turns returns the check results, from a moment on, by which a service was found otherwise than by the look of the same type and source
// before, the newest first, at most limit. Of one look, which may have several results of a type, it is the worst that counts. The look before
// the first one is looked for a day back.
func (q queries) Turns(ctx context.Context, service string, from time.Time, limit int) ([]Check, error) {
	return list[Check](ctx, q, "read how a service changed", `
		WITH
			looked AS (
				SELECT id, check_type, source, checked_at, max(`+worstOf+`) AS worst FROM health_checks
				WHERE service = ?1 AND checked_at >= ?2 GROUP BY check_type, source, checked_at),
			turns AS (
				SELECT id, checked_at, worst, lag(worst) OVER (PARTITION BY check_type, source ORDER BY checked_at) AS before FROM looked)
		SELECT `+checkColumns+` FROM health_checks WHERE id IN (
			SELECT id FROM turns WHERE worst <> before AND checked_at >= ?3 ORDER BY checked_at DESC, id DESC LIMIT ?4)
		ORDER BY checked_at DESC, id DESC`, service, timeText(from.Add(-findingLasts)), timeText(from), limit)
}

// ServiceActs returns what was done to a service, the newest first, at most limit.
func (q queries) ServiceActs(ctx context.Context, service string, limit int) ([]Act, error) {
	return list[Act](ctx, q, "read what was done to a service",
		`SELECT `+actColumns+` FROM cooldown_actions WHERE service = ? ORDER BY created_at DESC, id DESC LIMIT ?`, service, limit)
}

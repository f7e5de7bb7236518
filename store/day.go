package store

import (
	"context"
	"time"
)

// Day sums up what happened since a time, for the daily digest.
type Day struct {
	IncidentsOpened    int         `json:"incidents_opened"`
	Remediations       int         `json:"remediations"`
	RemediationsFailed int         `json:"remediations_failed"`
	Tiers              []TierTotal `json:"tiers"` // of the tiers that ran, in order
}

// TierTotal sums up one tier's sessions.
type TierTotal struct {
	Tier     int     `json:"tier"`
	Sessions int     `json:"sessions"`
	Failed   int     `json:"failed"` // failed, timed out or interrupted
	CostUSD  float64 `json:"cost_usd"`
}

// Day sums up the time from since on.
func (q queries) Day(ctx context.Context, since time.Time) (d Day, err error) {
	const work = "sum up a day"
	err = q.conn.QueryRowContext(ctx, `
		SELECT (SELECT count(*) FROM incidents WHERE opened_at >= ?1), count(*), count(*) FILTER (WHERE NOT success)
		FROM cooldown_actions WHERE created_at >= ?1`, timeText(since)).Scan(&d.IncidentsOpened, &d.Remediations, &d.RemediationsFailed)
	if err != nil {
		return d, q.failed(work, err)
	}
	scan := func(r row, t *TierTotal) error { return r.Scan(&t.Tier, &t.Sessions, &t.Failed, &t.CostUSD) }
	d.Tiers, err = list(ctx, q, work, scan, `
		SELECT tier, count(*), count(*) FILTER (WHERE status IN ('failed', 'timed_out', 'interrupted')), total(cost_usd)
		FROM sessions INDEXED BY sessions_started_at WHERE started_at >= ? GROUP BY tier ORDER BY tier`, timeText(since))
	return d, err
}

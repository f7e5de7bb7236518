package store

import (
	"context"
	"time"

	"github.com/claudeops/claudeops/statefile"
)

// Figures are the totals for metrics. They never fall, neither when rows are pruned (the database adds those up as they
// go) nor by corrections within a cycle: sessions are counted once their cycle has ended, and remediations once they
// have an outcome.
type Figures struct {
	Cycles       int64
	Incidents    int64
	Sessions     []SessionTotal
	Remediations []ActTotal
}

// SessionTotal sums up a tier's sessions with one status.
type SessionTotal struct {
	Tier         int     `json:"tier"`
	Status       Status  `json:"status"`
	Sessions     int64   `json:"sessions"`
	CostUSD      float64 `json:"cost_usd"`
	InputTokens  int64   `json:"input_tokens"`
	OutputTokens int64   `json:"output_tokens"`
}

// ActTotal counts remediations of one kind with one outcome.
type ActTotal struct {
	Action  statefile.Action `json:"action_type"`
	Success bool             `json:"success"`
	Acts    int64            `json:"actions"`
}

// Figures counts the totals.
func (s *Store) Figures(ctx context.Context) (f Figures, err error) {
	const work = "count the totals"
	numbered, err := one[struct{ Cycles, Incidents int64 }](ctx, s, work, `
		SELECT coalesce(max(seq) FILTER (WHERE name = 'cycles'), 0),
			coalesce(max(seq) FILTER (WHERE name = 'incidents'), 0) FROM sqlite_sequence`)
	if err != nil {
		return f, err
	}
	f.Cycles, f.Incidents = numbered.Cycles, numbered.Incidents // what has had an id
	// Prometheus takes the smallest decrease of a sum for a restart from zero: see EndSession.
	f.Sessions, err = list[SessionTotal](ctx, s, work, `
		SELECT tier, status, sum(sessions), round(sum(cost_usd), 6), sum(input_tokens), sum(output_tokens) FROM (
			SELECT tier, status, 1 AS sessions, cost_usd, input_tokens, output_tokens FROM sessions
			WHERE status <> 'running' AND started_at <= (SELECT `+cycleEnd+` FROM cycles ORDER BY started_at DESC LIMIT 1)
			UNION ALL
			SELECT tier, status, sessions, cost_usd, input_tokens, output_tokens FROM pruned_sessions)
		GROUP BY tier, status ORDER BY tier, status`)
	if err != nil {
		return f, err
	}
	f.Remediations, err = list[ActTotal](ctx, s, work, `
		SELECT action_type, success, sum(actions) FROM (
			SELECT action_type, success, 1 AS actions FROM cooldown_actions WHERE success OR error <> '`+InProgress+`'
			UNION ALL
			SELECT action_type, success, actions FROM pruned_actions)
		GROUP BY action_type, success ORDER BY action_type, success`)
	return f, err
}

// Totals counts what happened within a time.
type Totals struct {
	Cycles             int64   `json:"cycles"` // completed
	FailedCycles       int64   `json:"failed_cycles"`
	Sessions           int64   `json:"sessions"`           // started
	Escalations        int64   `json:"escalated_sessions"` // of the sessions, those of Tier 2 and 3
	Remediations       int64   `json:"remediations"`
	FailedRemediations int64   `json:"failed_remediations"`
	CostUSD            float64 `json:"cost_usd"`
}

// TotalsSince counts what happened since a time, except what was pruned. A running session is not a failure yet, and its cost is not
// known.
func (s *Store) TotalsSince(ctx context.Context, since time.Time) (Totals, error) {
	return one[Totals](ctx, s, "count what happened lately", `
		SELECT
			(SELECT count(*) FROM cycles WHERE started_at >= ?1),
			(SELECT count(*) FROM cycles WHERE started_at >= ?1 AND outcome = '`+CycleFailed+`'),
			(SELECT count(*) FROM sessions WHERE started_at >= ?1),
			(SELECT count(*) FROM sessions WHERE started_at >= ?1 AND tier > 1),
			(SELECT count(*) FROM cooldown_actions WHERE created_at >= ?1),
			(SELECT count(*) FROM cooldown_actions WHERE created_at >= ?1 AND NOT success AND error <> '`+InProgress+`'),
			(SELECT total(cost_usd) FROM sessions WHERE started_at >= ?1)`, since)
}

// CostByDay returns the cost, in US dollars, of the sessions that started between each moment and the next.
func (s *Store) CostByDay(ctx context.Context, moments []time.Time) ([]float64, error) {
	return list[float64](ctx, s, "sum up costs by day", `
		SELECT (SELECT total(cost_usd) FROM sessions WHERE started_at >= value ->> 0 AND started_at < value ->> 1)
		FROM json_each(?) ORDER BY key`,
		spans(moments))
}

// TierTotal sums up one tier's sessions.
type TierTotal struct {
	Tier     int     `json:"tier"`
	Sessions int     `json:"sessions"`
	Failed   int     `json:"failed"` // failed, timed out or interrupted
	CostUSD  float64 `json:"cost_usd"`
}

// Work counts one tier's actions of one kind on one service.
type Work struct {
	Service string           `json:"service"`
	Action  statefile.Action `json:"action_type"`
	Tier    int              `json:"tier"` // 0 if no agent did it
	// FirstAid is set if no model did it; the tier is that of the session.
	FirstAid bool `json:"first_aid"`
	Times    int  `json:"times"`
	Failed   int  `json:"failed"`
}

// CostByTier sums up the sessions that started since a time, by tier.
func (s *Store) CostByTier(ctx context.Context, since time.Time) ([]TierTotal, error) {
	return list[TierTotal](ctx, s, "sum up costs by tier", `
		SELECT tier, count(*), count(*) FILTER (WHERE status IN ('failed', 'timed_out', 'interrupted')), total(cost_usd)
		FROM sessions INDEXED BY sessions_started_at WHERE started_at >= ? GROUP BY tier ORDER BY tier`, since)
}

// Worked returns what was done to services since a time, without what only an agent claims: failures first, then by frequency.
func (s *Store) Worked(ctx context.Context, since time.Time) ([]Work, error) {
	return list[Work](ctx, s, "sum up remediations", `
		SELECT service, action_type, a.tier AS tier, s.agent IS ? AS aid, count(*) AS times, count(*) FILTER (WHERE NOT success) AS failed
		FROM cooldown_actions a LEFT JOIN sessions s ON s.id = a.session_id
		WHERE a.created_at >= ? AND (a.session_id IS NULL OR a.source = ?) GROUP BY service, action_type, a.tier, aid
		ORDER BY failed DESC, times DESC, service, action_type, a.tier, aid`, FirstAid, since, SourceReserved)
}

// CostSince returns the cost, in US dollars, of the sessions started at a time or later.
func (s *Store) CostSince(ctx context.Context, since time.Time) (float64, error) {
	return one[float64](ctx, s, "sum up costs", `SELECT total(cost_usd) FROM sessions WHERE started_at >= ?`, since)
}

// BudgetFrees returns when the cost of the last 24 h falls below budget: when the session that still keeps it above is a day old. It is
// zero if the cost is below budget now.
func (s *Store) BudgetFrees(ctx context.Context, now time.Time, budget float64) (time.Time, error) {
	last, err := one[time.Time](ctx, s, "find when the budget frees", `
		SELECT max(started_at) FROM (
			SELECT started_at, sum(cost_usd) OVER (ORDER BY started_at DESC) AS spent FROM sessions WHERE started_at >= ?)
		WHERE spent >= ?`, now.Add(-24*time.Hour), budget)
	if last.IsZero() {
		return last, err
	}
	return last.Add(24 * time.Hour), err
}

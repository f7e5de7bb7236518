package store

import (
	"context"
	"time"

	"github.com/claudeops/claudeops/statefile"
)

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

// Worked returns what was done to services since a time: failures first, then by frequency.
func (s *Store) Worked(ctx context.Context, since time.Time) ([]Work, error) {
	return list[Work](ctx, s, "sum up remediations", `
		SELECT service, action_type, a.tier AS tier, s.agent IS ? AS aid, count(*) AS times, count(*) FILTER (WHERE NOT success) AS failed
		FROM cooldown_actions a LEFT JOIN sessions s ON s.id = a.session_id WHERE a.created_at >= ? GROUP BY service, action_type, a.tier, aid
		ORDER BY failed DESC, times DESC, service, action_type, a.tier, aid`, FirstAid, since)
}

// ClosedIncidents returns the incidents closed since a time, longest first.
func (s *Store) ClosedIncidents(ctx context.Context, since time.Time) ([]Incident, error) {
	return list[Incident](ctx, s, "list closed incidents", `
		SELECT `+incidentColumns+` FROM incidents WHERE closed_at >= ? ORDER BY julianday(closed_at) - julianday(opened_at) DESC, service`,
		since)
}

// BudgetFrees returns when the cost of the last 24 h falls below budget: when the session that still keeps it above is a day old. It is
// zero if the cost is below budget now.
func (s *Store) BudgetFrees(ctx context.Context, now time.Time, budget float64) (time.Time, error) {
	last, err := one[*time.Time](ctx, s, "find when the budget frees", `
		SELECT max(started_at) FROM (
			SELECT started_at, sum(cost_usd) OVER (ORDER BY started_at DESC) AS spent FROM sessions WHERE started_at >= ?)
		WHERE spent >= ?`, now.Add(-24*time.Hour), budget)
	if err != nil || last == nil {
		return time.Time{}, err
	}
	return last.Add(24 * time.Hour), nil
}

// Effort is what was done about an incident, oldest first.
type Effort struct {
	Acts     []Act
	Sessions []IncidentSession // with a finding or an attempt
	Above    IncidentWork      // of Tier 2 and 3
}

// IncidentEffort returns what was done about an incident.
func (s *Store) IncidentEffort(ctx context.Context, i Incident) (e Effort, err error) {
	end := s.Now()
	if i.ClosedAt != nil {
		end = *i.ClosedAt
	}
	if e.Acts, err = s.ActsBetween(ctx, i.Service, i.OpenedAt.Truncate(time.Second), end.Add(time.Millisecond)); err != nil {
		return e, err
	}
	if e.Sessions, err = s.IncidentAttempts(ctx, i.ID); err != nil {
		return e, err
	}
	work, err := s.IncidentWork(ctx, []int64{i.ID})
	e.Above = work[i.ID]
	return e, err
}

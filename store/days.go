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

// Asked is an open incident and the content of the messages about it.
type Asked struct {
	Incident Incident
	First    *time.Time // the first request; nil if there was none
	Well     bool       // the last message said that the service is well
}

// askedBefore returns the open incidents with the first and the last request for a human. Requests dated a day or more in the future do
// not count, as in QueueNotification.
const askedBefore = `
	SELECT ` + incidentColumns + `, first, well FROM (
		SELECT i.*, min(n.created_at) FILTER (WHERE n.kind = 'human_attention') AS first,
			max(n.created_at) FILTER (WHERE n.kind = 'human_attention' AND n.created_at < ?2) AS last,
			coalesce(max(n.id) FILTER (WHERE n.kind IN ` + saysWell + `), 0) > coalesce(max(n.id) FILTER (WHERE n.kind IN ` + saysUnwell + `), 0) AS well
		FROM incidents i INDEXED BY incidents_open CROSS JOIN notifications n ON n.incident_id = i.id
		WHERE i.closed_at IS NULL GROUP BY i.id)
	WHERE well OR first IS NOT NULL AND coalesce(last, '') <= ?1 AND acknowledged_at IS NULL ORDER BY id`

// AskedBefore returns the open incidents whose last request is at least 24 h before now and that nobody has acknowledged, or whose last
// message said that the service is well, oldest first.
func (s *Store) AskedBefore(ctx context.Context, now time.Time) ([]Asked, error) {
	return list[Asked](ctx, s, "find whom to remind", askedBefore, now.Add(-repeatAfter), now.Add(repeatAfter))
}

// RecoveriesToTell returns, oldest first, the unsteady incidents (Unsteady) whose recovery has lasted for ReturnWithin and whose last
// message said that the service is unwell.
func (s *Store) RecoveriesToTell(ctx context.Context, now time.Time) ([]Incident, error) {
	lasted := now.Add(-ReturnWithin)
	return list[Incident](ctx, s, "find the recoveries that have lasted", `
		SELECT `+incidentColumns+` FROM incidents i
		WHERE returns >= ?1 AND status = 'healthy' AND closed_at <= ?2 AND closed_at > ?3
			AND id = (SELECT max(id) FROM incidents WHERE service = i.service)
			AND (SELECT max(id) FROM notifications WHERE incident_id = i.id AND +kind IN `+saysUnwell+`) >
				coalesce((SELECT max(id) FROM notifications WHERE incident_id = i.id AND +kind IN `+saysWell+`), 0)
		ORDER BY id`, unsteadyReturns, lasted, lasted.Add(-repeatAfter))
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

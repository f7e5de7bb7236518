package store

import (
	"context"
	"time"

	"github.com/claudeops/claudeops/statefile"
)

// Day sums up what happened since a time, for the daily digest.
type Day struct {
	IncidentsOpened    int         `json:"incidents_opened"`
	IncidentsClosed    int         `json:"incidents_closed"`
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

// Work is what one tier did to one service in one way.
type Work struct {
	Service string           `json:"service"`
	Action  statefile.Action `json:"action_type"`
	Tier    int              `json:"tier"` // 0 where no agent did it
	Times   int              `json:"times"`
	Failed  int              `json:"failed"`
	LastAt  time.Time        `json:"last_at"`
}

// Day sums up the time from since on.
func (q queries) Day(ctx context.Context, since time.Time) (d Day, err error) {
	const work = "sum up a day"
	err = q.row(ctx, `
		SELECT (SELECT count(*) FROM incidents WHERE opened_at >= ?1), (SELECT count(*) FROM incidents WHERE closed_at >= ?1),
			count(*), count(*) FILTER (WHERE NOT success)
		FROM cooldown_actions WHERE created_at >= ?1`, timeText(since)).
		Scan(&d.IncidentsOpened, &d.IncidentsClosed, &d.Remediations, &d.RemediationsFailed)
	if err != nil {
		return d, q.failed(work, err)
	}
	d.Tiers, err = list[TierTotal](ctx, q, work, `
		SELECT tier, count(*), count(*) FILTER (WHERE status IN ('failed', 'timed_out', 'interrupted')), total(`+usd+`)
		FROM sessions INDEXED BY sessions_started_at WHERE started_at >= ? GROUP BY tier ORDER BY tier`, timeText(since))
	return d, err
}

// Worked is what was done to services from since on, what failed first, then what was done most often.
func (q queries) Worked(ctx context.Context, since time.Time) ([]Work, error) {
	return list[Work](ctx, q, "sum up remediations", `
		SELECT service, action_type, tier, count(*) AS times, count(*) FILTER (WHERE NOT success) AS failed, max(created_at)
		FROM cooldown_actions WHERE created_at >= ? GROUP BY service, action_type, tier
		ORDER BY failed DESC, times DESC, service, action_type, tier`, timeText(since))
}

// ClosedIncidents are the incidents that were closed from since on, at most limit, the longest first.
func (q queries) ClosedIncidents(ctx context.Context, since time.Time, limit int) ([]Incident, error) {
	return list[Incident](ctx, q, "list closed incidents", `
		SELECT `+incidentColumns+` FROM incidents WHERE closed_at >= ? ORDER BY julianday(closed_at) - julianday(opened_at) DESC, service LIMIT ?`,
		timeText(since), limit)
}

// LastDigest is when the youngest daily digest that is not younger than now was queued; nil where there is none.
func (q queries) LastDigest(ctx context.Context, now time.Time) (last *time.Time, err error) {
	return one[*time.Time](ctx, q, "read when the last digest was queued",
		`SELECT max(created_at) FROM notifications WHERE kind = 'daily_digest' AND created_at <= ?`, timeText(now))
}

// BudgetFrees is when the sessions that count at now will have cost less than budget within the 24 h before: when the one that still
// makes them so costly is a day old. It is zero where they cost less.
func (q queries) BudgetFrees(ctx context.Context, now time.Time, budget float64) (time.Time, error) {
	since, until := timeText(now.Add(-24*time.Hour)), timeText(now.Add(24*time.Hour))
	found, err := list[time.Time](ctx, q, "find when the budget frees", `
		SELECT max(started_at) FROM (
			SELECT started_at, sum(`+usd+`) OVER (ORDER BY started_at DESC) AS spent FROM sessions WHERE started_at >= ? AND started_at < ?)
		WHERE spent >= ? HAVING count(*) > 0`, since, until, budget)
	if err != nil || len(found) == 0 {
		return time.Time{}, err
	}
	return found[0].Add(24 * time.Hour), nil
}

// Asked is an open incident and what people were told about it.
type Asked struct {
	Incident Incident
	First    *time.Time // when they were first asked; nil where they never were
	Well     bool       // the last that they were told is that it is well
}

// askedBefore are the open incidents with the first and the last request for a human. What is dated a day or more in the future counts
// as little as it does in QueueNotification.
const askedBefore = `
	SELECT ` + incidentColumns + `, first, well FROM (
		SELECT i.*, min(n.created_at) FILTER (WHERE n.kind = 'human_attention') AS first,
			max(n.created_at) FILTER (WHERE n.kind = 'human_attention' AND n.created_at < ?2) AS last,
			coalesce(max(n.id) FILTER (WHERE n.kind IN ` + saysWell + `), 0) > coalesce(max(n.id) FILTER (WHERE n.kind IN ` + saysUnwell + `), 0) AS well
		FROM incidents i INDEXED BY incidents_open CROSS JOIN notifications n ON n.incident_id = i.id
		WHERE i.closed_at IS NULL GROUP BY i.id)
	WHERE well OR first IS NOT NULL AND coalesce(last, '') <= ?1 ORDER BY id`

// AskedBefore are the open incidents of which people were last asked 24 h or longer before now, or last told that they are well, the
// oldest first.
func (q queries) AskedBefore(ctx context.Context, now time.Time) ([]Asked, error) {
	return list[Asked](ctx, q, "find whom to remind", askedBefore, timeText(now.Add(-repeatAfter)), timeText(now.Add(repeatAfter)))
}

// RecoveriesToTell are the incidents that came back so often that their end is told only when it has lasted for ReturnWithin (Unsteady):
// those of which that is so now, and people were last told that they are unwell. The oldest comes first.
func (q queries) RecoveriesToTell(ctx context.Context, now time.Time) ([]Incident, error) {
	lasted := now.Add(-ReturnWithin)
	return list[Incident](ctx, q, "find the recoveries that have lasted", `
		SELECT `+incidentColumns+` FROM incidents i
		WHERE returns >= ?1 AND status = 'healthy' AND closed_at <= ?2 AND closed_at > ?3
			AND id = (SELECT max(id) FROM incidents WHERE service = i.service)
			AND (SELECT max(id) FROM notifications WHERE incident_id = i.id AND +kind IN `+saysUnwell+`) >
				coalesce((SELECT max(id) FROM notifications WHERE incident_id = i.id AND +kind IN `+saysWell+`), 0)
		ORDER BY id`, unsteadyReturns, timeText(lasted), timeText(lasted.Add(-repeatAfter)))
}

// Effort is what was done about an incident.
type Effort struct {
	Acts     []Act   // oldest first
	Sessions int     // of the tiers above the first
	CostUSD  float64 // of these
	Last     int64   // the youngest of these; 0 where there is none
}

// IncidentEffort is what was done about an incident.
func (q queries) IncidentEffort(ctx context.Context, i Incident) (e Effort, err error) {
	end := q.store.Now()
	if i.ClosedAt != nil {
		end = *i.ClosedAt
	}
	if e.Acts, err = q.actsBetween(ctx, i.Service, i.OpenedAt, end); err != nil {
		return e, err
	}
	err = q.row(ctx, `
		SELECT count(*), total(`+usd+`), coalesce(max(id), 0) FROM incident_sessions JOIN sessions ON id = session_id WHERE incident_id = ? AND tier > 1`, i.ID).
		Scan(&e.Sessions, &e.CostUSD, &e.Last)
	return e, q.failed("sum up an incident's sessions", err)
}

package store

import (
	"context"
	"time"
)

// IncidentFilter selects the incidents to list. Zero fields do not restrict.
type IncidentFilter struct {
	Service string
	Session int64 // only those that it worked on
	Open    *bool
	Before  int64 // only those with a lower id: the next page
	Limit   int   // the maximum number
}

// Incidents lists incidents, newest first.
func (s *Store) Incidents(ctx context.Context, want IncidentFilter) ([]Incident, error) {
	var f filter
	f.add(want.Service != "", "service = ?", want.Service)
	f.add(want.Session != 0, "id IN (SELECT incident_id FROM incident_sessions WHERE session_id = ?)", want.Session)
	f.add(want.Open != nil && *want.Open, "closed_at IS NULL")
	f.add(want.Open != nil && !*want.Open, "closed_at IS NOT NULL")
	f.add(want.Before != 0, "id < ?", want.Before)
	query := f.newestFirst(`SELECT `+incidentColumns+` FROM incidents`, want.Limit)
	return list[Incident](ctx, s, "list incidents", query, f.args...)
}

// IncidentWork sums up what Tier 2 and 3 did about an incident.
type IncidentWork struct {
	Sessions int
	CostUSD  float64
	Last     int64 // the latest of those sessions; 0 if there is none
}

// IncidentWork sums up, by incident, the sessions of Tier 2 and 3 that worked on it. Incidents without such sessions are left out.
func (s *Store) IncidentWork(ctx context.Context, incidents []int64) (map[int64]IncidentWork, error) {
	return keyed[int64, IncidentWork](ctx, s, "sum up the work on incidents", `
		SELECT incident_id, count(*), total(cost_usd), max(id) FROM incident_sessions JOIN sessions ON id = session_id
		WHERE incident_id IN (SELECT value FROM json_each(?)) AND tier > 1 GROUP BY incident_id`, incidents)
}

// IncidentLogs returns the sessions that worked on an incident: at most limit, higher tiers first, then newest first.
func (s *Store) IncidentLogs(ctx context.Context, incident int64, limit int) ([]Session, error) {
	return list[Session](ctx, s, "read the logs of an incident", `
		SELECT `+sessionColumns+` FROM incident_sessions JOIN sessions ON id = session_id WHERE incident_id = ?
		ORDER BY tier > 1 DESC, id DESC LIMIT ?`, incident, limit)
}

// LastFault returns the type and error of the last unwell check of a service between two times; empty if there is none.
func (s *Store) LastFault(ctx context.Context, service string, from, until time.Time) (string, error) {
	return one[string](ctx, s, "read what is wrong with a service", `
		SELECT coalesce((SELECT check_type || ': ' || iif(error = '', status, error) FROM health_checks
			WHERE service = ? AND checked_at BETWEEN ? AND ? AND status IN ('degraded', 'down')
			ORDER BY checked_at DESC LIMIT 1), '')`,
		service, from, until)
}

// WorkedServices returns, for each of these sessions, the services of the incidents that it worked on.
func (s *Store) WorkedServices(ctx context.Context, sessions []int64) (map[int64][]string, error) {
	return keyed[int64, []string](ctx, s, "read what sessions worked on", `
		SELECT session_id, json_group_array(service) FROM incident_sessions JOIN incidents ON id = incident_id
		WHERE session_id IN (SELECT value FROM json_each(?)) GROUP BY session_id`, sessions)
}

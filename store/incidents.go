package store

import (
	"context"
	"time"

	"github.com/claudeops/claudeops/check"
)

// IncidentSession is a session that worked on an incident.
type IncidentSession struct {
	Session   Session `json:"session"`
	Findings  string  `json:"findings"`
	Attempted string  `json:"attempted"`
}

const incidentColumns = `id, service, status, fingerprint, opened_at, last_seen_at, closed_at, dead_ends, retry_at, last_chain, hollow_fixes, returns,
	healthy_since, healthy_cycles, unwell_cycles, acknowledged_at, acknowledged_by`

// OpenIncident opens an incident and returns its id. If the service already has an open one, that is an error.
func (s *Store) OpenIncident(ctx context.Context, i Incident) (int64, error) {
	return s.insert(ctx, "open an incident of "+i.Service, `
		INSERT INTO incidents (
			service, status, fingerprint, opened_at, last_seen_at, closed_at, dead_ends, retry_at, last_chain, hollow_fixes, returns,
			healthy_since, healthy_cycles, unwell_cycles)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		i.Service, i.Status, i.Fingerprint, i.OpenedAt, i.LastSeenAt, i.ClosedAt, i.DeadEnds,
		i.RetryAt, i.LastChain, i.HollowFixes, i.Returns, i.HealthySince, i.HealthyCycles, i.UnwellCycles)
}

// SaveIncident writes all mutable fields of an incident: everything except its id, service, opening time and acknowledgement, which a
// person may have given meanwhile. That ends where the incident changes, reopens or is unwell again while it was recovering.
func (s *Store) SaveIncident(ctx context.Context, i Incident) error {
	const same = `closed_at IS NULL AND (?4 IS NOT NULL OR status = ?1 AND fingerprint = ?2 AND (healthy_since IS NULL OR ?10 IS NOT NULL))`
	return s.change(ctx, "incident", i.ID, `
		UPDATE incidents SET status = ?1, fingerprint = ?2, last_seen_at = ?3, closed_at = ?4, dead_ends = ?5, retry_at = ?6, last_chain = ?7,
			hollow_fixes = ?8, returns = ?9, healthy_since = ?10, healthy_cycles = ?11, unwell_cycles = ?12,
			acknowledged_at = iif(`+same+`, acknowledged_at, NULL), acknowledged_by = iif(`+same+`, acknowledged_by, '')
		WHERE id = ?13`,
		i.Status, i.Fingerprint, i.LastSeenAt, i.ClosedAt, i.DeadEnds, i.RetryAt, i.LastChain, i.HollowFixes,
		i.Returns, i.HealthySince, i.HealthyCycles, i.UnwellCycles, i.ID)
}

// AcknowledgeIncident records who took note of an open incident. Of a closed one the error is ErrNotFound.
func (s *Store) AcknowledgeIncident(ctx context.Context, id int64, at time.Time, by string) error {
	return s.change(ctx, "open incident", id, `UPDATE incidents SET acknowledged_at = ?, acknowledged_by = ? WHERE id = ? AND closed_at IS NULL`,
		at, by, id)
}

// lastFirst selects the last incident of a service: the open one or, if there is none, the one closed last. The order of ids does not
// tell, because merged records keep the ids of another name of the service.
const lastFirst = `ORDER BY closed_at IS NOT NULL, closed_at DESC, id DESC LIMIT 1`

// CountFrom makes remediations before a time no longer count for the last incident of a service, because an operator removed some from
// cooldown.json.
func (s *Store) CountFrom(ctx context.Context, service string, at time.Time) error {
	return s.exec(ctx, "count anew for the incident of "+service,
		`UPDATE incidents SET counted_from = ? WHERE id = (SELECT id FROM incidents WHERE service = ? `+lastFirst+`)`, at, service)
}

// ForgetReturns resets the returns of a service's last incident, so that it is no longer flapping.
func (s *Store) ForgetReturns(ctx context.Context, service string) error {
	return s.exec(ctx, "forget the returns of the incident of "+service,
		`UPDATE incidents SET returns = 0 WHERE id = (SELECT id FROM incidents WHERE service = ? `+lastFirst+`)`, service)
}

// OpenIncidents returns the open incidents by service.
func (s *Store) OpenIncidents(ctx context.Context) (map[string]Incident, error) {
	return keyed[string, Incident](ctx, s, "read the open incidents",
		`SELECT service, `+incidentColumns+` FROM incidents WHERE closed_at IS NULL`)
}

// Incident returns one incident, or ErrNotFound.
func (s *Store) Incident(ctx context.Context, id int64) (Incident, error) {
	return find[Incident](ctx, s, "incident", id, `SELECT `+incidentColumns+` FROM incidents WHERE id = ?`)
}

// LinkSession records that a session worked on an incident. What it found and tried replaces the stored text, unless it is empty.
func (s *Store) LinkSession(ctx context.Context, incident, session int64, findings, attempted string) error {
	return s.exec(ctx, "link a session to an incident", `
		INSERT INTO incident_sessions (incident_id, session_id, findings, attempted) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET
			findings  = iif(excluded.findings  = '', findings,  excluded.findings),
			attempted = iif(excluded.attempted = '', attempted, excluded.attempted)`,
		incident, session, findings, attempted)
}

// incidentSessions selects the sessions that worked on an incident.
const incidentSessions = `SELECT ` + sessionColumns + `, findings, attempted FROM incident_sessions JOIN sessions ON id = session_id
	WHERE incident_id = ? `

// IncidentSessions returns the sessions that worked on an incident, oldest first, at most maxTimelineRows.
func (s *Store) IncidentSessions(ctx context.Context, incident int64) ([]IncidentSession, error) {
	return list[IncidentSession](ctx, s, "read an incident's sessions", incidentSessions+`ORDER BY id LIMIT ?`, incident, maxTimelineRows)
}

// IncidentAttempts returns those with a finding or an attempt, oldest first: of ten thousand simultaneous incidents, most
// have none.
func (s *Store) IncidentAttempts(ctx context.Context, incident int64) ([]IncidentSession, error) {
	return list[IncidentSession](ctx, s, "read an incident's sessions",
		incidentSessions+`AND (findings <> '' OR attempted <> '') ORDER BY id`, incident)
}

// Dependent is a service whose trouble belongs to the incident of a service that it depends on.
type Dependent struct {
	Service     string       `json:"service"`
	Status      check.Status `json:"status"` // the last one
	FirstSeenAt time.Time    `json:"first_seen_at"`
	LastSeenAt  time.Time    `json:"last_seen_at"`
}

// AddDependent records, under an incident, the status of a service that depends on the incident's.
func (s *Store) AddDependent(ctx context.Context, incident int64, service string, status check.Status, at time.Time) error {
	return s.exec(ctx, "record "+service+" under an incident", `
		INSERT INTO incident_dependents (incident_id, service, status, first_seen_at, last_seen_at) VALUES (?1, ?2, ?3, ?4, ?4)
		ON CONFLICT DO UPDATE SET status = excluded.status, last_seen_at = excluded.last_seen_at`, incident, service, status, at)
}

// Dependents returns the services whose trouble belongs to an incident, by name.
func (s *Store) Dependents(ctx context.Context, incident int64) ([]Dependent, error) {
	return list[Dependent](ctx, s, "read an incident's dependent services", `
		SELECT service, status, first_seen_at, last_seen_at FROM incident_dependents WHERE incident_id = ? ORDER BY service`, incident)
}

// LiveIncidents returns the open incidents and those that were closed after a time, in the order in which they ended.
func (s *Store) LiveIncidents(ctx context.Context, closedAfter time.Time) ([]Incident, error) {
	return list[Incident](ctx, s, "read the incidents", `
		SELECT `+incidentColumns+` FROM incidents WHERE closed_at IS NULL OR closed_at > ? ORDER BY closed_at, id`, closedAfter)
}

// IncidentFilter selects the incidents to list. Zero fields do not restrict.
type IncidentFilter struct {
	Service string
	Session int64 // only those that it worked on
	Open    *bool
	Closed  time.Time // only those closed at this time or later
	Before  int64     // only those with a lower id: the next page
	Limit   int       // the maximum number
}

// Incidents lists incidents, newest first.
func (s *Store) Incidents(ctx context.Context, want IncidentFilter) ([]Incident, error) {
	var f filter
	f.add(want.Service != "", "service = ?", want.Service)
	f.add(want.Session != 0, "id IN (SELECT incident_id FROM incident_sessions WHERE session_id = ?)", want.Session)
	f.add(want.Open != nil && *want.Open, "closed_at IS NULL")
	f.add(want.Open != nil && !*want.Open, "closed_at IS NOT NULL")
	f.add(!want.Closed.IsZero(), "closed_at >= ?", want.Closed)
	f.add(want.Before != 0, "id < ?", want.Before)
	return listed[Incident](ctx, s, "list incidents", `SELECT `+incidentColumns+` FROM incidents`, f, "id DESC", want.Limit)
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

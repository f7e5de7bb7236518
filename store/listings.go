package store

import (
	"cmp"
	"context"
	"strings"
	"time"
)

// IncidentFilter says which incidents to list. Zero fields ask for nothing.
type IncidentFilter struct {
	Service string
	Open    *bool
	Before  int64 // only those with a lower id: the next page
	Limit   int   // at most so many
}

// FilteredIncidents lists incidents, the newest first.
func (q queries) FilteredIncidents(ctx context.Context, want IncidentFilter) ([]Incident, error) {
	var f filter
	f.add(want.Service != "", "service = ?", want.Service)
	if want.Open != nil {
		f.add(true, "(closed_at IS NULL) = ?", *want.Open)
		if *want.Open {
			f.where = append(f.where, "closed_at IS NULL") // by which the index of open ones is found
		}
	}
	f.add(want.Before != 0, "id < ?", want.Before)
	query := f.newestFirst(`SELECT `+incidentColumns+` FROM incidents`, want.Limit)
	return list(ctx, q, "list incidents", scanIncident, query, f.args...)
}

// IncidentWork is what Tier 2 and 3 did about an incident.
type IncidentWork struct {
	Sessions int
	CostUSD  float64
}

// IncidentWork sums up, by incident, the sessions of Tier 2 and 3 that worked on each; one that none did is not in it.
func (q queries) IncidentWork(ctx context.Context, incidents []int64) (map[int64]IncidentWork, error) {
	if len(incidents) == 0 {
		return nil, nil
	}
	type sum struct {
		id int64
		IncidentWork
	}
	scan := func(r row, s *sum) error { return r.Scan(&s.id, &s.Sessions, &s.CostUSD) }
	sums, err := list(ctx, q, "sum up the work on incidents", scan, `
		SELECT incident_id, count(*), total(`+usd+`) FROM incident_sessions JOIN sessions ON id = session_id
		WHERE incident_id IN (?`+strings.Repeat(", ?", len(incidents)-1)+`) AND tier > 1 GROUP BY incident_id`, anys(incidents)...)
	work := make(map[int64]IncidentWork, len(sums))
	for _, s := range sums {
		work[s.id] = s.IncidentWork
	}
	return work, err
}

func anys(ids []int64) []any {
	all := make([]any, len(ids))
	for i, id := range ids {
		all[i] = id
	}
	return all
}

// SessionIncidents returns the incidents that a session worked on, at most limit, the newest first.
func (q queries) SessionIncidents(ctx context.Context, session int64, limit int) ([]Incident, error) {
	return list(ctx, q, "read a session's incidents", scanIncident, `
		SELECT `+incidentColumns+` FROM incidents WHERE id IN (SELECT incident_id FROM incident_sessions WHERE session_id = ?) ORDER BY id DESC LIMIT ?`,
		session, limit)
}

// FirstSessionChecks returns the first results of a session, at most limit, in the order in which they came, and how many there are in all.
func (q queries) FirstSessionChecks(ctx context.Context, session int64, limit int) (checks []Check, all int, err error) {
	checks, err = list(ctx, q, "read check results", scanCheck,
		`SELECT `+checkColumns+` FROM health_checks WHERE session_id = ? ORDER BY id LIMIT ?`, session, limit)
	if all = len(checks); err != nil || all < limit {
		return checks, all, err
	}
	all, err = q.rowCount(ctx, `SELECT count(*) FROM health_checks WHERE session_id = ?`, session)
	return checks, all, err
}

// FirstSessionEvents returns the first events of a session, at most limit, oldest first, and how many there are in all.
func (q queries) FirstSessionEvents(ctx context.Context, session int64, limit int) (events []Event, all int, err error) {
	events, err = list(ctx, q, "read a session's events", scanEvent,
		`SELECT id, session_id, level, service, message, created_at FROM events WHERE session_id = ? ORDER BY id LIMIT ?`, session, limit)
	if all = len(events); err != nil || all < limit {
		return events, all, err
	}
	all, err = q.rowCount(ctx, `SELECT count(*) FROM events WHERE session_id = ?`, session)
	return events, all, err
}

// FirstSessionActs returns the first acts of a session, at most limit, oldest first.
func (q queries) FirstSessionActs(ctx context.Context, session int64, limit int) ([]Act, error) {
	return list(ctx, q, "read cooldown actions", scanAct,
		`SELECT `+actColumns+` FROM cooldown_actions WHERE session_id = ? ORDER BY created_at, id LIMIT ?`, session, limit)
}

func (q queries) rowCount(ctx context.Context, query string, args ...any) (n int, err error) {
	err = q.conn.QueryRowContext(ctx, query, args...).Scan(&n)
	return n, q.failed("count rows", err)
}

// LogOf says of a session what reading its raw log takes: of its Session the id, the status, when it started, the path of the log and
// the process. It is ErrNotFound where there is none.
func (q queries) LogOf(ctx context.Context, session int64) (Session, error) {
	return find(ctx, q, "session", session, scanLog, `SELECT `+logColumns+` FROM sessions WHERE id = ?`)
}

const logColumns = `id, status, started_at, pid, pid_start, boot_id, log_path`

func scanLog(r row, s *Session) error {
	return r.Scan(&s.ID, &s.Status, readTime{&s.StartedAt}, &s.PID, &s.PIDStart, &s.BootID, &s.LogPath)
}

// IncidentLogs says of the sessions that worked on an incident what reading their logs takes, as LogOf: at most limit, those of
// higher tiers first and of these the newest.
func (q queries) IncidentLogs(ctx context.Context, incident int64, limit int) ([]Session, error) {
	return list(ctx, q, "read the logs of an incident", scanLog, `
		SELECT `+logColumns+` FROM incident_sessions JOIN sessions ON id = session_id WHERE incident_id = ?
		ORDER BY tier > 1 DESC, id DESC LIMIT ?`, incident, limit)
}

// LastFault is what the last check of a service that found it unwell says, from a moment on and up to another: its type and what is wrong.
// It is empty where there is none.
func (q queries) LastFault(ctx context.Context, service string, from, until time.Time) (string, error) {
	scan := func(r row, fault *string) error {
		var typ, status, text string
		err := r.Scan(&typ, &status, &text)
		*fault = typ + ": " + cmp.Or(text, status)
		return err
	}
	found, err := list(ctx, q, "read what is wrong with a service", scan, `
		SELECT check_type, status, error FROM health_checks WHERE service = ? AND checked_at BETWEEN ? AND ? AND status IN ('degraded', 'down')
		ORDER BY checked_at DESC LIMIT 1`, service, timeText(from), timeText(until))
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0], nil
}

// WorkedServices are the services of the incidents that each of these sessions worked on.
func (q queries) WorkedServices(ctx context.Context, sessions []int64) (map[int64][]string, error) {
	worked := map[int64][]string{}
	if len(sessions) == 0 {
		return worked, nil
	}
	type work struct {
		session int64
		service string
	}
	found, err := list(ctx, q, "read what sessions worked on", func(r row, w *work) error { return r.Scan(&w.session, readName(&w.service)) }, `
		SELECT session_id, service FROM incident_sessions JOIN incidents ON id = incident_id
		WHERE session_id IN (?`+strings.Repeat(", ?", len(sessions)-1)+`) LIMIT ?`, append(anys(sessions), mostTold)...)
	for _, w := range found {
		worked[w.session] = append(worked[w.session], w.service)
	}
	return worked, err
}

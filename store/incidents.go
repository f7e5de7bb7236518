package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
)

// Incident is what a service has from its first unhealthy evaluation until it recovered (RULE "Incident"). A service has
// at most one that is open.
type Incident struct {
	ID          int64        `json:"id"`
	Service     string       `json:"service"`
	Status      check.Status `json:"status"`
	Fingerprint string       `json:"fingerprint"` // equal while it is the same trouble
	OpenedAt    time.Time    `json:"opened_at"`
	LastSeenAt  time.Time    `json:"last_seen_at"`
	ClosedAt    *time.Time   `json:"closed_at"`    // nil while it is open
	DeadEnds    int          `json:"dead_ends"`    // chains that ended with a human being asked
	RetryAt     *time.Time   `json:"retry_at"`     // unchanged, it starts no tier before; nil: it may
	LastChain   string       `json:"last_chain"`   // how the last chain ended: empty, solved or attention
	HollowFixes int          `json:"hollow_fixes"` // chains in a row that ended as solved and changed nothing
	Returns     int          `json:"returns"`      // how often its service was unwell again within ReturnWithin of a recovery
	// HealthySince is since when the service's checks find it healthy again; nil where they do not.
	HealthySince  *time.Time `json:"healthy_since"`
	HealthyCycles int        `json:"healthy_cycles"` // in a row that found it healthy since; 0 where only checks after a remediation did
	UnwellCycles  int        `json:"unwell_cycles"`  // that found it unwell since it opened, or came back after a recovery
}

// IncidentState is how far an incident is.
type IncidentState string

// The states there are.
const (
	IncidentOpen       IncidentState = "open"       // the service is unwell, or it is not known
	IncidentRecovering IncidentState = "recovering" // its checks are healthy again, in too few cycles in a row yet
	IncidentClosed     IncidentState = "closed"
)

// State is how far the incident is, for everything that shows it.
func (i Incident) State() IncidentState {
	switch {
	case i.ClosedAt != nil:
		return IncidentClosed
	case i.HealthySince != nil:
		return IncidentRecovering
	}
	return IncidentOpen
}

// shown is the incident as it is shown where its service was last found so: of an open one that cannot be checked now it is unknown.
func (i Incident) shown(found check.Status) Incident {
	if i.State() == IncidentOpen && found == check.Unknown {
		i.Status = check.Unknown
	}
	return i
}

// foundLasts is how long a service counts as it was last found where its incidents are shown.
const foundLasts = 24 * time.Hour

// Shown are incidents as they are shown: the status of one that is open, and whose service's checks cannot be made now, is unknown.
func (s *Store) Shown(ctx context.Context, incidents ...Incident) ([]Incident, error) {
	if !slices.ContainsFunc(incidents, func(i Incident) bool { return i.State() == IncidentOpen }) {
		return incidents, nil
	}
	found, err := s.LastStatuses(ctx, s.Now().Add(-foundLasts))
	if err != nil {
		return nil, err
	}
	shown := make([]Incident, len(incidents))
	for n, i := range incidents {
		shown[n] = i.shown(found[i.Service])
	}
	return shown, nil
}

// Closes says when a recovering incident is closed, in words that follow since when it is healthy.
func (i Incident) Closes() string {
	switch left := statefile.HealthyToReset - i.HealthyCycles; {
	case left <= 0 || i.Fingerprint == "":
		return "closes when its silence, pause or maintenance is over"
	case left == 1:
		return "closes after the next healthy cycle"
	default:
		return fmt.Sprintf("closes after %d healthy cycles", left)
	}
}

const (
	// ReturnWithin is how long an incident that recovered may come back: trouble within that time is the same incident.
	ReturnWithin = 4 * time.Hour
	// FlappingReturns is the return from which a service is flapping: it stays for people to look at.
	FlappingReturns = 3
	// unsteadyReturns is the return from which a recovery is reported only when it has lasted for ReturnWithin.
	unsteadyReturns = 2
)

// Flapping reports whether the service has recovered and failed again so often that no tier is started for it any more.
func (i Incident) Flapping() bool { return i.Returns >= FlappingReturns }

// Unsteady reports whether the service has recovered and failed again so often that another recovery is no news before it has lasted for
// ReturnWithin.
func (i Incident) Unsteady() bool { return i.Returns >= unsteadyReturns }

// IncidentSession is a session that worked on an incident.
type IncidentSession struct {
	Session   Session `json:"session"`
	Findings  string  `json:"findings"`
	Attempted string  `json:"attempted"`
}

// Returned says how often the incident came back, to follow a time: ", returned 3 times (flapping)"; empty where it never did.
func (i Incident) Returned() string {
	switch i.Returns {
	case 0:
		return ""
	case 1:
		return ", returned once"
	}
	text := fmt.Sprintf(", returned %d times", i.Returns)
	if i.Flapping() {
		text += " (flapping)"
	}
	return text
}

const incidentColumns = `id, service, status, fingerprint, opened_at, last_seen_at, closed_at, dead_ends, retry_at, last_chain, hollow_fixes, returns,
	healthy_since, healthy_cycles, unwell_cycles`

// OpenIncident opens an incident and returns its id; that the service has an open one already is an error.
func (s *Store) OpenIncident(ctx context.Context, i Incident) (int64, error) {
	return s.insert(ctx, "open an incident of "+i.Service, `
		INSERT INTO incidents (
			service, status, fingerprint, opened_at, last_seen_at, closed_at, dead_ends, retry_at, last_chain, hollow_fixes, returns,
			healthy_since, healthy_cycles, unwell_cycles)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		i.Service, i.Status, i.Fingerprint, s.orNow(i.OpenedAt), s.orNow(i.LastSeenAt), optionalText(i.ClosedAt), i.DeadEnds,
		optionalText(i.RetryAt), i.LastChain, i.HollowFixes, i.Returns, optionalText(i.HealthySince), i.HealthyCycles, i.UnwellCycles)
}

// SaveIncident writes everything that may change of an incident: all but its id, its service and when it opened.
func (s *Store) SaveIncident(ctx context.Context, i Incident) error {
	return s.change(ctx, "incident", i.ID, `
		UPDATE incidents SET status = ?, fingerprint = ?, last_seen_at = ?, closed_at = ?, dead_ends = ?, retry_at = ?, last_chain = ?, hollow_fixes = ?,
			returns = ?, healthy_since = ?, healthy_cycles = ?, unwell_cycles = ?
		WHERE id = ?`,
		i.Status, i.Fingerprint, s.orNow(i.LastSeenAt), optionalText(i.ClosedAt), i.DeadEnds, optionalText(i.RetryAt), i.LastChain, i.HollowFixes,
		i.Returns, optionalText(i.HealthySince), i.HealthyCycles, i.UnwellCycles, i.ID)
}

// lastFirst picks the last incident of a service: the open one or, where none is, the one closed last. Ids do not say: incidents of
// another name of the service are its own once their records are merged.
const lastFirst = `ORDER BY closed_at IS NOT NULL, closed_at DESC, id DESC LIMIT 1`

// LastIncident returns the last incident of a service, open or closed; known is false where it never had one.
func (s *Store) LastIncident(ctx context.Context, service string) (last Incident, known bool, err error) {
	found, err := first[Incident](ctx, s, "read the last incident of "+service,
		`SELECT `+incidentColumns+` FROM incidents WHERE service = ? `+lastFirst, service)
	if err != nil || found == nil {
		return Incident{}, false, err
	}
	return *found, true, nil
}

// CountFrom has the remediations before a time count no more for the last incident of a service: an operator took some out of
// cooldown.json.
func (s *Store) CountFrom(ctx context.Context, service string, at time.Time) error {
	return s.exec(ctx, "count anew for the incident of "+service,
		`UPDATE incidents SET counted_from = ? WHERE id = (SELECT id FROM incidents WHERE service = ? `+lastFirst+`)`, timeText(at), service)
}

// ForgetReturns has the last incident of a service flap no more.
func (s *Store) ForgetReturns(ctx context.Context, service string) error {
	return s.exec(ctx, "forget the returns of the incident of "+service,
		`UPDATE incidents SET returns = 0 WHERE id = (SELECT id FROM incidents WHERE service = ? `+lastFirst+`)`, service)
}

// OpenIncidents returns the open incident of each service that has one.
func (s *Store) OpenIncidents(ctx context.Context) (map[string]Incident, error) {
	open, err := list[Incident](ctx, s, "read the open incidents", `SELECT `+incidentColumns+` FROM incidents WHERE closed_at IS NULL`)
	byService := make(map[string]Incident, len(open))
	for _, i := range open {
		byService[i.Service] = i
	}
	return byService, err
}

// Incident returns one incident, or ErrNotFound.
func (s *Store) Incident(ctx context.Context, id int64) (Incident, error) {
	return find[Incident](ctx, s, "incident", id, `SELECT `+incidentColumns+` FROM incidents WHERE id = ?`)
}

// Incidents lists incidents, open and closed, the newest first; limit 0 is none.
func (s *Store) Incidents(ctx context.Context, limit int) ([]Incident, error) {
	var f filter
	query := f.newestFirst(`SELECT `+incidentColumns+` FROM incidents`, limit)
	return list[Incident](ctx, s, "list incidents", query, f.args...)
}

// LinkSession records that a session worked on an incident. What it found and tried replaces what is known of it, except where
// it is empty.
func (s *Store) LinkSession(ctx context.Context, incident, session int64, findings, attempted string) error {
	return s.exec(ctx, "link a session to an incident", `
		INSERT INTO incident_sessions (incident_id, session_id, findings, attempted) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET
			findings  = iif(excluded.findings  = '', findings,  excluded.findings),
			attempted = iif(excluded.attempted = '', attempted, excluded.attempted)`,
		incident, session, findings, attempted)
}

// IncidentSessions returns the sessions that worked on an incident, oldest first.
func (s *Store) IncidentSessions(ctx context.Context, incident int64) ([]IncidentSession, error) {
	return s.incidentSessions(ctx, incident, `TRUE`)
}

// IncidentAttempts are those of IncidentSessions that found or did something about it: of ten thousand incidents at once most have none.
func (s *Store) IncidentAttempts(ctx context.Context, incident int64) ([]IncidentSession, error) {
	return s.incidentSessions(ctx, incident, `(findings <> '' OR attempted <> '')`)
}

func (s *Store) incidentSessions(ctx context.Context, incident int64, which string) ([]IncidentSession, error) {
	return list[IncidentSession](ctx, s, "read an incident's sessions", `
		SELECT `+sessionColumns+`, findings, attempted FROM incident_sessions JOIN sessions ON id = session_id
		WHERE incident_id = ? AND `+which+` ORDER BY id`, incident)
}

// Dependent is a service whose trouble belongs to an incident of one that it depends on.
type Dependent struct {
	Service     string       `json:"service"`
	Status      check.Status `json:"status"` // as it was last found
	FirstSeenAt time.Time    `json:"first_seen_at"`
	LastSeenAt  time.Time    `json:"last_seen_at"`
}

// AddDependent records under an incident how a service was found that depends on the incident's.
func (s *Store) AddDependent(ctx context.Context, incident int64, service string, status check.Status, at time.Time) error {
	return s.exec(ctx, "record "+service+" under an incident", `
		INSERT INTO incident_dependents (incident_id, service, status, first_seen_at, last_seen_at) VALUES (?1, ?2, ?3, ?4, ?4)
		ON CONFLICT DO UPDATE SET status = excluded.status, last_seen_at = excluded.last_seen_at`, incident, service, status, s.orNow(at))
}

// Dependents returns the services whose trouble belongs to an incident, by name.
func (s *Store) Dependents(ctx context.Context, incident int64) ([]Dependent, error) {
	return list[Dependent](ctx, s, "read an incident's dependent services", `
		SELECT service, status, first_seen_at, last_seen_at FROM incident_dependents WHERE incident_id = ? ORDER BY service`, incident)
}

package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/claudeops/claudeops/check"
)

// TimelineEntry is one line of an incident's timeline.
type TimelineEntry struct {
	At        time.Time `json:"at"`
	Kind      string    `json:"kind"` // check, dependent, session, finding, attempt, action or notification
	SessionID *int64    `json:"session_id"`
	Text      string    `json:"text"`
	// Status is the result of a check; empty for anything else.
	Status check.Status `json:"-"`
}

// IncidentTimeline lists an incident's entries from its first bad check to its end, in order of time: checks whose status changed,
// sessions with what each found and tried, remediations and messages.
func (s *Store) IncidentTimeline(ctx context.Context, id int64) ([]TimelineEntry, error) {
	incident, err := s.Incident(ctx, id)
	if err != nil {
		return nil, err
	}
	sessions, err := s.incidentWorkers(ctx, id)
	if err != nil {
		return nil, err
	}
	from, to := incident.span(sessions)
	checks, err := s.checksBetween(ctx, incident.Service, from, to)
	if err != nil {
		return nil, err
	}
	acts, err := s.ActsBetween(ctx, incident.Service, from.Truncate(time.Second), to.Add(time.Millisecond)) // its times are in whole seconds
	if err != nil {
		return nil, err
	}
	sent, err := s.IncidentNotifications(ctx, id)
	if err != nil {
		return nil, err
	}
	dependents, err := s.Dependents(ctx, id)
	if err != nil {
		return nil, err
	}
	entries := slices.Concat(sessionEntries(sessions), checkEntries(checks), dependentEntries(dependents), actEntries(acts, sessions), notificationEntries(sent))
	slices.SortStableFunc(entries, func(a, b TimelineEntry) int { return a.At.Compare(b.At) })
	return entries, nil
}

// span returns the time in which records belong to an incident. The checks that opened it are older, and belong to its first session.
func (i Incident) span(sessions []IncidentSession) (from, to time.Time) {
	from = i.OpenedAt
	for _, s := range sessions {
		if s.Session.StartedAt.Before(from) {
			from = s.Session.StartedAt
		}
	}
	if i.ClosedAt != nil {
		return from, *i.ClosedAt
	}
	return from, time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
}

// maxTimelineRows limits the rows of each kind in a timeline to the first ones; a service that is down for years has more.
const maxTimelineRows = 200_000

// incidentWorkers returns the sessions that worked on an incident, oldest first.
func (s *Store) incidentWorkers(ctx context.Context, incident int64) ([]IncidentSession, error) {
	return list[IncidentSession](ctx, s, "read an incident's sessions", `
		SELECT `+sessionColumns+`, findings, attempted FROM incident_sessions JOIN sessions ON id = session_id
		WHERE incident_id = ? ORDER BY id LIMIT ?`, incident, maxTimelineRows)
}

func (s *Store) checksBetween(ctx context.Context, service string, from, to time.Time) ([]Check, error) {
	return list[Check](ctx, s, "read a service's checks", `
		SELECT `+checkColumns+` FROM health_checks WHERE service = ? AND checked_at BETWEEN ? AND ? ORDER BY checked_at, id LIMIT ?`,
		service, timeText(from), timeText(to), maxTimelineRows)
}

func sessionEntries(sessions []IncidentSession) (entries []TimelineEntry) {
	for n, s := range sessions {
		if n > 0 && s.Session.Tier == 1 && s.Session.Status == Completed && s.Findings == "" && s.Attempted == "" {
			continue // another cycle that saw it; its checks are listed
		}
		id, ended := &s.Session.ID, s.Session.StartedAt
		if s.Session.EndedAt != nil {
			ended = *s.Session.EndedAt
		}
		found := ended
		if s.Session.Agent == FirstAid { // it looks before it acts
			found = s.Session.StartedAt
		}
		entries = append(entries, TimelineEntry{At: s.Session.StartedAt, Kind: "session", SessionID: id,
			Text: fmt.Sprintf("session %d: Tier %d (%s), %s", *id, s.Session.Tier, cmp.Or(s.Session.Model, s.Session.Agent), s.Session.Status)})
		if s.Findings != "" {
			entries = append(entries, TimelineEntry{At: found, Kind: "finding", SessionID: id, Text: s.Findings})
		}
		if s.Attempted != "" {
			entries = append(entries, TimelineEntry{At: ended, Kind: "attempt", SessionID: id, Text: s.Attempted})
		}
	}
	return entries
}

func dependentEntries(dependents []Dependent) []TimelineEntry {
	entries := make([]TimelineEntry, len(dependents))
	for i, d := range dependents {
		entries[i] = TimelineEntry{At: d.FirstSeenAt, Kind: "dependent",
			Text: fmt.Sprintf("%s, which depends on it, is %s (last seen %s)", d.Service, d.Status, d.LastSeenAt.Format(time.RFC3339))}
	}
	return entries
}

// look is the combined result of one type's checks at one time.
type look struct {
	first  Check
	status check.Status // the worst
	errors []string     // distinct errors
	count  int          // consecutive equal results
	last   time.Time
}

// checkEntries returns, for each check type, the results that changed, with the number of repetitions.
func checkEntries(checks []Check) []TimelineEntry {
	var shown []*look
	current := map[check.Type]*look{}
	for _, l := range looks(checks) {
		now := current[l.first.Type]
		if now == nil || !now.same(l) {
			current[l.first.Type] = l
			shown = append(shown, l)
			continue
		}
		now.count, now.last = now.count+1, l.last
	}
	entries := make([]TimelineEntry, len(shown))
	for i, l := range shown {
		text := fmt.Sprintf("%s check: %s", l.first.Type, l.status)
		if len(l.errors) > 0 {
			text += ": " + strings.Join(l.errors, "; ")
		}
		if l.count > 1 {
			text += fmt.Sprintf(" (%d times, last at %s)", l.count, l.last.Format(time.RFC3339))
		}
		entries[i] = TimelineEntry{At: l.first.CheckedAt, Kind: "check", SessionID: l.first.SessionID, Text: text, Status: l.status}
	}
	return entries
}

// looks combines simultaneous checks of one type, in the order of the first.
func looks(checks []Check) (all []*look) {
	type moment struct {
		at  time.Time
		typ check.Type
	}
	at := map[moment]*look{}
	for _, c := range checks {
		m := moment{c.CheckedAt, c.Type}
		l := at[m]
		if l == nil {
			l = &look{first: c, status: c.Status, count: 1, last: c.CheckedAt}
			at[m] = l
			all = append(all, l)
		}
		if c.Status.Worse(l.status) {
			l.status = c.Status
		}
		if c.Error != "" && !slices.Contains(l.errors, c.Error) {
			l.errors = append(l.errors, c.Error)
		}
	}
	return all
}

// same reports whether two results are equal, ignoring numbers.
func (l *look) same(other *look) bool {
	return l.status == other.status && slices.EqualFunc(l.errors, other.errors, func(x, y string) bool { return gist(x) == gist(y) })
}

// gist returns an error without parts that vary between occurrences: its numbers, except an HTTP status code.
func gist(text string) string {
	code := ""
	if _, behind, found := strings.Cut(text, "HTTP "); found && len(behind) >= 3 {
		code = behind[:3]
	}
	return code + strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, text)
}

func actEntries(acts []Act, sessions []IncidentSession) (entries []TimelineEntry) {
	for _, a := range acts {
		text := string(a.Action)
		if a.ByFirstAid(sessions) {
			text += " by first aid"
		} else if a.Tier > 0 {
			text += fmt.Sprintf(" by Tier %d", a.Tier)
		}
		at := a.CreatedAt // in whole seconds: perhaps before its session
		for _, s := range sessions {
			if a.SessionID != nil && *a.SessionID == s.Session.ID && at.Before(s.Session.StartedAt) {
				at = s.Session.StartedAt
			}
		}
		entries = append(entries, TimelineEntry{At: at, Kind: "action", SessionID: a.SessionID, Text: text + ": " + a.Outcome()})
	}
	return entries
}

func notificationEntries(sent []Notification) (entries []TimelineEntry) {
	for _, n := range sent {
		state := "not delivered yet"
		if n.DeliveredAt != nil {
			state = "delivered " + n.DeliveredAt.Format(time.RFC3339)
		}
		entries = append(entries, TimelineEntry{At: n.CreatedAt, Kind: "notification", Text: fmt.Sprintf("%s: %s (%s)", n.Kind, n.Title, state)})
	}
	return entries
}

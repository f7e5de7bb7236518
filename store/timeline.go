package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
)

// TimelineEntry is one line of an incident's story.
type TimelineEntry struct {
	At        time.Time `json:"at"`
	Kind      string    `json:"kind"` // check, dependent, session, finding, attempt, action or notification
	SessionID *int64    `json:"session_id"`
	Text      string    `json:"text"`
}

// IncidentTimeline tells an incident from its first bad check to its end, in order of time: checks where a status changed, the
// sessions with what each found and tried, the remediations, and what people were told.
func (q queries) IncidentTimeline(ctx context.Context, id int64) ([]TimelineEntry, error) {
	incident, err := q.Incident(ctx, id)
	if err != nil {
		return nil, err
	}
	sessions, err := q.IncidentSessions(ctx, id)
	if err != nil {
		return nil, err
	}
	from, to := incident.span(sessions)
	checks, err := q.checksBetween(ctx, incident.Service, from, to)
	if err != nil {
		return nil, err
	}
	acts, err := q.actsBetween(ctx, incident.Service, from, to)
	if err != nil {
		return nil, err
	}
	told, err := q.IncidentNotifications(ctx, id)
	if err != nil {
		return nil, err
	}
	dependents, err := q.Dependents(ctx, id)
	if err != nil {
		return nil, err
	}
	entries := slices.Concat(sessionEntries(sessions), checkEntries(checks), dependentEntries(dependents), actEntries(acts), notificationEntries(told))
	slices.SortStableFunc(entries, func(a, b TimelineEntry) int { return a.At.Compare(b.At) })
	return entries, nil
}

// span is the time in which things belong to an incident. It opens after the checks that opened it, which belong to its first session.
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

func (q queries) checksBetween(ctx context.Context, service string, from, to time.Time) ([]Check, error) {
	return list(ctx, q, "read a service's checks", scanCheck, `
		SELECT `+checkColumns+` FROM health_checks WHERE service = ? AND checked_at BETWEEN ? AND ? ORDER BY checked_at, id`,
		service, timeText(from), timeText(to))
}

func (q queries) actsBetween(ctx context.Context, service string, from, to time.Time) ([]Act, error) {
	return list(ctx, q, "read a service's cooldown actions", scanAct, `
		SELECT `+actColumns+` FROM cooldown_actions WHERE service = ? AND created_at BETWEEN ? AND ? ORDER BY created_at, id`,
		service, timeText(from), timeText(to))
}

func sessionEntries(sessions []IncidentSession) (entries []TimelineEntry) {
	for _, s := range sessions {
		id, ended := &s.Session.ID, s.Session.StartedAt
		if s.Session.EndedAt != nil {
			ended = *s.Session.EndedAt
		}
		entries = append(entries, TimelineEntry{s.Session.StartedAt, "session", id,
			fmt.Sprintf("session %d: Tier %d (%s), %s", *id, s.Session.Tier, cmp.Or(s.Session.Model, s.Session.Agent), s.Session.Status)})
		if s.Findings != "" {
			entries = append(entries, TimelineEntry{ended, "finding", id, s.Findings})
		}
		if s.Attempted != "" {
			entries = append(entries, TimelineEntry{ended, "attempt", id, s.Attempted})
		}
	}
	return entries
}

func dependentEntries(dependents []Dependent) []TimelineEntry {
	entries := make([]TimelineEntry, len(dependents))
	for i, d := range dependents {
		entries[i] = TimelineEntry{d.FirstSeenAt, "dependent", nil,
			fmt.Sprintf("%s, which depends on it, is %s (last seen %s)", d.Service, d.Status, d.LastSeenAt.Format(time.RFC3339))}
	}
	return entries
}

// worstAtOnce keeps of several checks of one type that were made at once the worst.
func worstAtOnce(checks []Check) (worst []Check) {
	type batch struct {
		at  time.Time
		typ check.Type
	}
	place := map[batch]int{}
	for _, c := range checks {
		b := batch{c.CheckedAt, c.Type}
		i, known := place[b]
		switch {
		case !known:
			place[b] = len(worst)
			worst = append(worst, c)
		case c.Status.Worse(worst[i].Status):
			worst[i] = c
		}
	}
	return worst
}

// checkEntries keeps of each check type the results where the status changed, with the number of those that only repeated it.
func checkEntries(checks []Check) []TimelineEntry {
	type run struct {
		first Check
		count int
		last  time.Time
	}
	var runs []*run
	current := map[check.Type]*run{}
	for _, c := range worstAtOnce(checks) {
		r := current[c.Type]
		if r == nil || r.first.Status != c.Status {
			r = &run{first: c}
			current[c.Type] = r
			runs = append(runs, r)
		}
		r.count, r.last = r.count+1, c.CheckedAt
	}
	entries := make([]TimelineEntry, len(runs))
	for i, r := range runs {
		text := fmt.Sprintf("%s check: %s", r.first.Type, r.first.Status)
		if r.first.Error != "" {
			text += ": " + r.first.Error
		}
		if r.count > 1 {
			text += fmt.Sprintf(" (%d times, last at %s)", r.count, r.last.Format(time.RFC3339))
		}
		entries[i] = TimelineEntry{r.first.CheckedAt, "check", r.first.SessionID, text}
	}
	return entries
}

func actEntries(acts []Act) (entries []TimelineEntry) {
	for _, a := range acts {
		text := string(a.Action)
		if a.Tier > 0 {
			text += fmt.Sprintf(" by Tier %d", a.Tier)
		}
		switch {
		case a.Success:
			text += ": succeeded"
		case a.Error != "":
			text += ": failed: " + a.Error
		default:
			text += ": failed"
		}
		entries = append(entries, TimelineEntry{a.CreatedAt, "action", a.SessionID, text})
	}
	return entries
}

func notificationEntries(told []Notification) (entries []TimelineEntry) {
	for _, n := range told {
		state := "not delivered yet"
		if n.DeliveredAt != nil {
			state = "delivered " + n.DeliveredAt.Format(time.RFC3339)
		}
		entries = append(entries, TimelineEntry{n.CreatedAt, "notification", nil, fmt.Sprintf("%s: %s (%s)", n.Kind, n.Title, state)})
	}
	return entries
}

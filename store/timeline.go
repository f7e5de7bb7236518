package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
)

// TimelineEntry is one line of an incident's timeline.
type TimelineEntry struct {
	At time.Time `json:"at"`
	// Kind is check, dependent, session, finding, attempt, action or notification. Package dashboard adds granted,
	// refused, missing (that some of these cannot be read), opened and recovered.
	Kind      string       `json:"kind"`
	SessionID *int64       `json:"session_id"`
	Status    check.Status `json:"status"` // of a check; otherwise empty
	Text      string       `json:"text"`
	Reason    string       `json:"reason"` // of a refusal

	Deed, Command string `json:"-"` // the parts of Text, of a granted or refused call
}

// IncidentTimeline lists an incident's entries from its first bad check to its end, in order of time: checks whose status changed,
// what each of its sessions found and tried, remediations and messages.
func (s *Store) IncidentTimeline(ctx context.Context, incident Incident, sessions []IncidentSession) ([]TimelineEntry, error) {
	// The checks that opened it are older than it, and belong to its first session.
	from, to := incident.OpenedAt, time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	if len(sessions) > 0 && sessions[0].Session.StartedAt.Before(from) {
		from = sessions[0].Session.StartedAt
	}
	if incident.ClosedAt != nil {
		to = *incident.ClosedAt
	}
	turns, err := s.Turns(ctx, incident.Service, from, to, 0, maxTimelineRows)
	if err != nil {
		return nil, err
	}
	acts, err := s.ActsBetween(ctx, incident.Service, from.Truncate(time.Second), to.Add(time.Millisecond)) // its times are in whole seconds
	if err != nil {
		return nil, err
	}
	told, err := s.Told(ctx, []int64{incident.ID})
	if err != nil {
		return nil, err
	}
	dependents, err := s.Dependents(ctx, incident.ID)
	if err != nil {
		return nil, err
	}
	entries := slices.Concat(sessionEntries(sessions), checkEntries(turns), dependentEntries(dependents),
		actEntries(acts, sessions), notificationEntries(told[incident.ID].Said))
	slices.SortStableFunc(entries, func(a, b TimelineEntry) int { return a.At.Compare(b.At) })
	return entries, nil
}

// maxTimelineRows limits the rows of each kind in a timeline to the first ones; a service that is down for years has more.
const maxTimelineRows = 200_000

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

func checkEntries(turns []Check) (entries []TimelineEntry) {
	for _, c := range slices.Backward(turns) {
		text := strings.TrimSuffix(fmt.Sprintf("%s check: %s: %s", c.Type, c.Status, c.Error), ": ")
		entries = append(entries, TimelineEntry{At: c.CheckedAt, Kind: "check", SessionID: c.SessionID, Text: text, Status: c.Status})
	}
	return entries
}

func actEntries(acts []Act, sessions []IncidentSession) (entries []TimelineEntry) {
	for _, a := range acts {
		text := string(a.Action)
		if a.FirstAid {
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

// notificationEntries takes what people were told newest first.
func notificationEntries(sent []Notification) (entries []TimelineEntry) {
	for _, n := range slices.Backward(sent) {
		state := "not delivered yet"
		if n.DeliveredAt != nil {
			state = "delivered " + n.DeliveredAt.Format(time.RFC3339)
		}
		entries = append(entries, TimelineEntry{At: n.CreatedAt, Kind: "notification", Text: fmt.Sprintf("%s: %s (%s)", n.Kind, n.Title, state)})
	}
	return entries
}

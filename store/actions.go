package store

import (
	"context"
	"strings"
	"time"

	"github.com/claudeops/claudeops/statefile"
)

// Act is what was done to a service: a record of cooldown.json with additional details or, if its action is statefile.Other, no such record.
// (A guard.Act is any effect of a command, counted or not.)
type Act struct {
	ID        string           `json:"id"` // also of the record in cooldown.json
	SessionID *int64           `json:"session_id"`
	Service   string           `json:"service"`
	Action    statefile.Action `json:"action_type"`
	Success   bool             `json:"success"`
	Error     string           `json:"error"`
	Tier      int              `json:"tier"`   // 0 if no agent did it
	Source    string           `json:"source"` // who reported it
	ToolUseID string           `json:"tool_use_id"`
	Detail    string           `json:"detail"` // the command, or the name of the operator's action
	CreatedAt time.Time        `json:"created_at"`
	ClearedAt *time.Time       `json:"cleared_at"` // when it ceased to count: by a recovery, a reset or an operator's edit
	FirstAid  bool             `json:"first_aid"`  // no model did it; the tier is that of its session
}

// Claimed is the outcome of an act that only an agent claims.
const Claimed = "claimed by the agent"

// Outcome returns how the act ended, as people read it: "succeeded", "failed", "in progress" while it is not known, or
// Claimed.
func (a Act) Outcome() string {
	if a.OnlyClaimed() {
		return Claimed
	}
	return OutcomeOf(a.Success, a.Error)
}

// OnlyClaimed reports whether an agent says so, while the broker has run no such thing in its session.
func (a Act) OnlyClaimed() bool {
	return a.SessionID != nil && a.Source != SourceReserved
}

// OutcomeOf is Act.Outcome for a record of cooldown.json.
func OutcomeOf(success bool, fault string) string {
	switch {
	case success:
		return "succeeded"
	case fault == InProgress:
		return InProgress
	}
	return strings.TrimSuffix("failed: "+fault, ": ")
}

// Sources of an act: who reported it.
const (
	SourceReserved = "guard"  // reserved by the broker before it ran; the word dates from versions in which the guard did that
	SourceRecord   = "record" // claudeops cooldown record
	SourceFile     = "file"   // a record added to cooldown.json by other means
)

// InProgress is the error of a reserved act without an outcome yet.
const InProgress = "in progress"

// Pending reports whether the act has no outcome yet.
func (a Act) Pending() bool { return OutcomeOf(a.Success, a.Error) == InProgress }

const (
	storedActColumns = `id, session_id, service, action_type, success, error, tier, source, tool_use_id, detail, created_at, cleared_at`

	byFirstAid = `EXISTS (SELECT 1 FROM sessions s WHERE s.id = session_id AND s.agent = '` + FirstAid + `')`
	actColumns = storedActColumns + `, ` + byFirstAid
)

// PutAct adds an act, or replaces the one with its id.
func (s *Store) PutAct(ctx context.Context, a Act) error {
	return s.exec(ctx, "put a cooldown action", `INSERT OR REPLACE INTO cooldown_actions (`+storedActColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		a.ID, a.SessionID, a.Service, a.Action, a.Success, a.Error, a.Tier, a.Source, a.ToolUseID, a.Detail, a.CreatedAt, a.ClearedAt)
}

// FinishAct sets the outcome of an act.
func (s *Store) FinishAct(ctx context.Context, id string, success bool, fault string) error {
	return s.exec(ctx, "finish a cooldown action", `UPDATE cooldown_actions SET success = ?, error = ? WHERE id = ?`, success, fault, id)
}

// ActsSince returns the acts after since that still count in cooldown.json, oldest first.
func (s *Store) ActsSince(ctx context.Context, since time.Time) ([]Act, error) {
	return list[Act](ctx, s, "read cooldown actions",
		`SELECT `+actColumns+` FROM cooldown_actions WHERE created_at > ? AND cleared_at IS NULL AND action_type <> 'action' ORDER BY created_at, id`, since)
}

// SessionActs returns the acts of one session, oldest first.
func (s *Store) SessionActs(ctx context.Context, session int64) ([]Act, error) {
	return list[Act](ctx, s, "read cooldown actions",
		`SELECT `+actColumns+` FROM cooldown_actions WHERE session_id = ? ORDER BY created_at, id`, session)
}

// ActsBetween returns the acts on a service from one time on and before another, oldest first, at most maxTimelineRows.
func (s *Store) ActsBetween(ctx context.Context, service string, from, to time.Time) ([]Act, error) {
	return list[Act](ctx, s, "read a service's cooldown actions", `
		SELECT `+actColumns+` FROM cooldown_actions
		WHERE service = ? AND created_at >= ? AND created_at < ? ORDER BY created_at, id LIMIT ?`, service, from, to, maxTimelineRows)
}

// CarriedActs returns the acts that count although they were cleared, oldest first: a recovery does not clear acts for
// an incident that is open or may still return (RULE "Incident").
func (s *Store) CarriedActs(ctx context.Context) ([]Act, error) {
	now := s.Now()
	return list[Act](ctx, s, "read cooldown actions", carriedActs, now.Add(-statefile.PruneAfter), now.Add(-ReturnWithin))
}

// carriedActs starts with recently cleared acts, which are few; incidents are kept for a month. Act times are in whole seconds.
const carriedActs = `
	SELECT a.id, a.session_id, a.service, action_type, success, error, tier, source, tool_use_id, detail, created_at, cleared_at, ` + byFirstAid + `
	FROM cooldown_actions a INDEXED BY cooldown_actions_created_at
	CROSS JOIN incidents i ON i.id = (SELECT id FROM incidents WHERE service = a.service ` + lastFirst + `)
	WHERE created_at > ?1 AND cleared_at IS NOT NULL AND created_at >= coalesce(counted_from, substr(opened_at, 1, 19))
		AND (closed_at IS NULL OR i.status = 'healthy' AND closed_at > ?2)
	ORDER BY created_at, a.id`

// ClearActs marks all acts of a service so far as no longer counting.
func (s *Store) ClearActs(ctx context.Context, service string, at time.Time) error {
	return s.exec(ctx, "clear cooldown actions",
		`UPDATE cooldown_actions SET cleared_at = ? WHERE service = ? AND cleared_at IS NULL`, at, service)
}

// ClearAct marks one act as no longer counting. An unknown id is not an error.
func (s *Store) ClearAct(ctx context.Context, id string, at time.Time) error {
	return s.exec(ctx, "clear a cooldown action",
		`UPDATE cooldown_actions SET cleared_at = ? WHERE id = ? AND cleared_at IS NULL`, at, id)
}

// LoseCount records that it is not known which acts were done in the 24 h before a time.
func (s *Store) LoseCount(ctx context.Context, at time.Time) error {
	return s.exec(ctx, "record that a count is lost", `INSERT INTO lost_counts (lost_at) VALUES (?)`, at)
}

// CountLost returns the last time, after since, of LoseCount. It is zero if nothing was lost, or if a person has accepted the loss.
func (s *Store) CountLost(ctx context.Context, since time.Time) (time.Time, error) {
	return one[time.Time](ctx, s, "ask whether a count is lost",
		`SELECT max(lost_at) FROM lost_counts WHERE accepted_at IS NULL AND lost_at > ?`, since)
}

// AcceptLostCounts records that a person permits remediation although a count was lost in the last 24 h; without one,
// accepted is false.
func (s *Store) AcceptLostCounts(ctx context.Context, at time.Time) (accepted bool, err error) {
	row, err := first[int64](ctx, s, "accept that a count is lost",
		`UPDATE lost_counts SET accepted_at = ? WHERE accepted_at IS NULL AND lost_at > ? RETURNING rowid`,
		at, at.Add(-24*time.Hour))
	return row != nil, err
}

// SkipSessions makes the id of the first session higher than last. Once there was a session, it does nothing.
func (s *Store) SkipSessions(ctx context.Context, last int64) error {
	return s.exec(ctx, "skip ids of sessions", `
		INSERT INTO sqlite_sequence (name, seq) SELECT 'sessions', ?
		WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'sessions')`, last)
}

// ActsAfter returns all acts after a time, oldest first. Cleared ones are included: a recovery does not lower the count for the day's
// ceiling (RULE "A recovery resets, a day does not").
func (s *Store) ActsAfter(ctx context.Context, since time.Time) ([]Act, error) {
	return list[Act](ctx, s, "read cooldown actions",
		`SELECT `+actColumns+` FROM cooldown_actions WHERE created_at > ? ORDER BY created_at, id`, since)
}

// ServiceActs returns the acts of a service, newest first, at most limit.
func (s *Store) ServiceActs(ctx context.Context, service string, limit int) ([]Act, error) {
	return list[Act](ctx, s, "read what was done to a service",
		`SELECT `+actColumns+` FROM cooldown_actions WHERE service = ? ORDER BY created_at DESC, id DESC LIMIT ?`, service, limit)
}

// Record returns the record of an act in cooldown.json.
func (a Act) Record() statefile.Record {
	return statefile.Record{
		Timestamp: statefile.At(a.CreatedAt), Success: a.Success, Error: a.Error, Tier: a.Tier, ActionDetail: a.Detail, ID: a.ID,
	}
}

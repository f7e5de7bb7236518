package store

import (
	"cmp"
	"context"
	"fmt"
	"time"
)

// Status is the state or outcome of a session.
type Status string

// A session is running until EndSession; escalated means that its handoff started the next tier.
const (
	Running     Status = "running"
	Completed   Status = "completed"
	Escalated   Status = "escalated"
	Failed      Status = "failed"
	TimedOut    Status = "timed_out"
	Interrupted Status = "interrupted"
)

// FirstAid is the agent of a session without a model, which applied the remedy of one service.
const FirstAid = "first-aid"

// Approved is the agent of a session without a model, which runs a call that a person has approved.
const Approved = "approved"

// Operator is the agent of a session in which a person runs a command as an agent would.
const Operator = "operator"

// Session is one run of a tier. Its figures are its own, not those of its chain (SPEC-0016 "Per-Tier Cost Attribution").
type Session struct {
	ID           int64      `json:"id"`
	ParentID     *int64     `json:"parent_session_id"` // the session whose handoff started it; nil for Tier 1
	RootID       int64      `json:"-"`                 // the first session of its chain, which may be itself
	Tier         int        `json:"tier"`
	Model        string     `json:"model"`
	Agent        string     `json:"agent"`
	PromptFile   string     `json:"prompt_file"`
	Trigger      string     `json:"trigger"` // one of Triggers, or escalation
	Status       Status     `json:"status"`
	StartedAt    time.Time  `json:"started_at"`
	EndedAt      *time.Time `json:"ended_at"`
	ExitCode     *int       `json:"exit_code"` // nil while it runs, and if a signal ended it
	CostUSD      float64    `json:"cost_usd"`
	NumTurns     int        `json:"num_turns"`
	DurationMS   int64      `json:"duration_ms"`
	InputTokens  int64      `json:"input_tokens"`
	OutputTokens int64      `json:"output_tokens"`
	Response     string     `json:"response"`
	Error        string     `json:"error"`
	HandoffJSON  string     `json:"handoff_json"`
	LogPath      string     `json:"log_path"`
	CLISessionID string     `json:"cli_session_id"`
	PID          int        `json:"pid"`
	PIDStart     int64      `json:"pid_start"` // clock ticks between boot and start, as in /proc/PID/stat
	BootID       string     `json:"boot_id"`
	RunToken     string     `json:"-"`        // identifies the session's processes
	Quiet        bool       `json:"quiet"`    // it found the same as the cycle before (QuietSession)
	Question     string     `json:"question"` // the operator's, answered by Response; empty for none
}

const (
	sessionColumns = `id, parent_session_id, root_id, ` + tierColumns + `, response, error, handoff_json, ` + processColumns + `, question`

	tierColumns = `tier, model, agent, prompt_file, trigger, status, started_at, ended_at, exit_code, cost_usd, num_turns, duration_ms,
		input_tokens, output_tokens`
	processColumns = `log_path, cli_session_id, pid, pid_start, boot_id, run_token, quiet`
)

// AddSession records a session that is about to start, and returns its id. Ids are never reused.
func (s *Store) AddSession(ctx context.Context, added Session) (id int64, err error) {
	return s.insert(ctx, "add a session", `
		INSERT INTO sessions (
			parent_session_id, tier, model, agent, prompt_file, trigger, status, started_at, log_path, cli_session_id, run_token, question)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		added.ParentID, added.Tier, added.Model, added.Agent, added.PromptFile, added.Trigger, added.Status,
		cmp.Or(added.StartedAt, s.Now()), added.LogPath, added.CLISessionID, added.RunToken, added.Question)
}

// SetSessionProcess records the process of a session's agent.
func (s *Store) SetSessionProcess(ctx context.Context, id int64, pid int, pidStart int64, bootID string) error {
	return s.change(ctx, "session", id, `UPDATE sessions SET pid = ?, pid_start = ?, boot_id = ? WHERE id = ?`, pid, pidStart, bootID, id)
}

// EndSession records how a running session ended; without EndedAt now. If it has already ended, nothing is changed and an
// error is returned. Costs are kept to the millionth of a dollar: rounded alike, their sums are the same in any order.
func (s *Store) EndSession(ctx context.Context, id int64, end Session) error {
	return s.change(ctx, "running session", id, `
		UPDATE sessions SET status = ?, ended_at = ?, exit_code = ?, cost_usd = round(?, 6), num_turns = ?, duration_ms = ?,
			input_tokens = ?, output_tokens = ?, response = ?, error = ?
		WHERE id = ? AND status = 'running'`,
		end.Status, cmp.Or(end.EndedAt, new(s.Now())), end.ExitCode, end.CostUSD, end.NumTurns, end.DurationMS,
		end.InputTokens, end.OutputTokens, end.Response, end.Error, id)
}

// SetSessionStatus changes the status of an ended session to escalated.
func (s *Store) SetSessionStatus(ctx context.Context, id int64, status Status) error {
	return s.change(ctx, "session", id, `UPDATE sessions SET status = ? WHERE id = ?`, status, id)
}

// SetSessionHandoff stores a session's handoff unchanged.
func (s *Store) SetSessionHandoff(ctx context.Context, id int64, raw string) error {
	return s.change(ctx, "session", id, `UPDATE sessions SET handoff_json = ? WHERE id = ?`, raw, id)
}

// SetSessionLog records the path of a session's raw log.
func (s *Store) SetSessionLog(ctx context.Context, id int64, path string) error {
	return s.change(ctx, "session", id, `UPDATE sessions SET log_path = ? WHERE id = ?`, path, id)
}

// RunningSessions returns the sessions that have not ended, oldest first. While no cycle holds the lock, they belong to a killed cycle.
func (s *Store) RunningSessions(ctx context.Context) ([]Session, error) {
	return list[Session](ctx, s, "read the running sessions",
		`SELECT `+sessionColumns+` FROM sessions WHERE status = 'running' ORDER BY id`)
}

// Session returns one session, or ErrNotFound.
func (s *Store) Session(ctx context.Context, id int64) (Session, error) {
	return find[Session](ctx, s, "session", id, `SELECT `+sessionColumns+` FROM sessions WHERE id = ?`)
}

// Sessions lists sessions, newest first.
func (s *Store) Sessions(ctx context.Context, want SessionFilter) ([]Session, error) {
	// In the order of an index; the ids of a chain follow each other.
	return listed[Session](ctx, s, "list sessions", `SELECT `+sessionColumns+` FROM sessions s`, want.conditions(),
		"root_id DESC, id DESC", want.Limit)
}

// Chain returns all sessions of the chain that id belongs to, root first (SPEC-0016 "Full escalation chain queryable"), or ErrNotFound.
func (s *Store) Chain(ctx context.Context, id int64) ([]Session, error) {
	chain, err := list[Session](ctx, s, fmt.Sprintf("read the chain of session %d", id),
		`SELECT `+sessionColumns+` FROM sessions WHERE root_id = (SELECT root_id FROM sessions WHERE id = ?) ORDER BY id`, id)
	if err == nil && len(chain) == 0 {
		err = fmt.Errorf("session %d: %w", id, ErrNotFound)
	}
	return chain, err
}

// SessionFilter selects sessions, or chains of which one session matches. Zero fields do not restrict.
type SessionFilter struct {
	Status  Status
	Tier    int
	Agent   string
	Trigger string    // of the chain's root; or escalation, of the session itself
	Service string    // a service that the session worked on, according to an incident, a remediation or an event
	From    time.Time // started at this time or later
	Until   time.Time // started before this time
	Loud    bool      // only those that are not quiet
	Before  int64     // only chains whose root has a lower id
	Limit   int       // the maximum number
}

// Link is a session in its chain, without long texts: its response, error, handoff and question are empty.
type Link struct {
	Session
	Matches bool // the session itself matches the filter
}

// conditions returns the filter's conditions on a session s.
func (want SessionFilter) conditions() (f filter) {
	f.add(want.Status != "", "s.status = ?", want.Status)
	f.add(want.Tier != 0, "s.tier = ?", want.Tier)
	f.add(want.Agent != "", "s.agent = ?", want.Agent)
	f.add(want.Before != 0, "s.root_id < ?", want.Before)
	f.add(!want.From.IsZero(), "s.started_at >= ?", want.From)
	f.add(!want.Until.IsZero(), "s.started_at < ?", want.Until)
	// Later chains have higher ids: these end the search where no session can match.
	f.add(!want.From.IsZero(), "s.root_id >= (SELECT root_id FROM sessions WHERE started_at >= ? ORDER BY started_at LIMIT 1)", want.From)
	f.add(!want.Until.IsZero(), "s.root_id <= (SELECT root_id FROM sessions WHERE started_at < ? ORDER BY started_at DESC LIMIT 1)", want.Until)
	f.add(want.Loud, "s.quiet = 0")
	f.add(want.Trigger != "", `(s.trigger = ?
		OR s.trigger = 'escalation' AND (SELECT trigger FROM sessions r WHERE r.id = s.root_id) = ?)`, want.Trigger, want.Trigger)
	f.add(want.Service != "", `s.id IN (
		SELECT session_id FROM incident_sessions WHERE incident_id IN (SELECT id FROM incidents WHERE service = ?)
		UNION SELECT session_id FROM cooldown_actions WHERE service = ? AND session_id IS NOT NULL
		UNION SELECT session_id FROM events WHERE service = ? AND session_id IS NOT NULL)`, want.Service, want.Service, want.Service)
	return f
}

// ChainRoots lists the roots of chains with a matching session, newest first, and reports whether there are more.
func (s *Store) ChainRoots(ctx context.Context, want SessionFilter) (roots []int64, more bool, err error) {
	limit := max(want.Limit, 1)
	roots, err = listed[int64](ctx, s, "list chains", `SELECT DISTINCT s.root_id FROM sessions s`, want.conditions(),
		"s.root_id DESC", limit+1)
	return roots[:min(len(roots), limit)], len(roots) > limit, err
}

// Links returns the sessions of the chains with these roots: the chain with the newest root first, each in the order of ids.
func (s *Store) Links(ctx context.Context, roots []int64, want SessionFilter) ([]Link, error) {
	f := want.conditions()
	return list[Link](ctx, s, "read chains", `
		SELECT id, parent_session_id, root_id, `+tierColumns+`, '', '', '', `+processColumns+`, '', TRUE`+f.where+`
		FROM sessions s WHERE root_id IN (SELECT value FROM json_each(?)) ORDER BY root_id DESC, id`, append(f.args, roots)...)
}

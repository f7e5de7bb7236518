package store

import (
	"context"
	"time"

	"github.com/claudeops/claudeops/statefile"
)

// CycleRow is one completed cycle.
type CycleRow struct {
	Trigger    string    `json:"trigger"` // one of Triggers
	Outcome    string    `json:"outcome"` // completed, failed (a tier failed, or could not start) or interrupted
	StartedAt  time.Time `json:"started_at"`
	DurationMS int64     `json:"duration_ms"`
}

// Triggers are what starts a cycle.
func Triggers() []string {
	return []string{"manual", "cron", "systemd", "kubernetes", ByAlert, ByApproval}
}

// The triggers of cycles that are started outside of the schedule, by a running cron.
const (
	ByAlert    = "alert"
	ByApproval = "approval"
)

// Woken reports whether the cycle was started by an alert or an approval: that one ran does not show that the schedule's do.
func (c CycleRow) Woken() bool { return c.Trigger == ByAlert || c.Trigger == ByApproval }

// The outcomes of a cycle.
const (
	CycleCompleted   = "completed"
	CycleFailed      = "failed"
	CycleInterrupted = "interrupted"
)

// EndedAt returns when the cycle ended.
func (c CycleRow) EndedAt() time.Time {
	return c.StartedAt.Add(time.Duration(c.DurationMS) * time.Millisecond)
}

// AddCycle records a cycle that ended. From then on its sessions are included in Figures.
func (s *Store) AddCycle(ctx context.Context, c CycleRow) error {
	return s.exec(ctx, "add a cycle", `INSERT INTO cycles (trigger, outcome, started_at, duration_ms) VALUES (?, ?, ?, ?)`,
		c.Trigger, c.Outcome, s.orNow(c.StartedAt), c.DurationMS)
}

// LastCycle returns the cycle that ended last; nil if there is none.
func (s *Store) LastCycle(ctx context.Context) (*CycleRow, error) { return s.oneCycle(ctx, "", "id") }

// LastUnwoken returns the cycle that ended last of those that were not Woken; nil if there is none.
func (s *Store) LastUnwoken(ctx context.Context) (*CycleRow, error) {
	return s.oneCycle(ctx, "WHERE trigger NOT IN ('"+ByAlert+"', '"+ByApproval+"')", "id")
}

// LastGoodCycle returns the start time of the last successful cycle that began after since; nil if there is none.
func (s *Store) LastGoodCycle(ctx context.Context, since time.Time) (began *time.Time, err error) {
	return one[*time.Time](ctx, s, "find the last good cycle",
		`SELECT max(started_at) FROM cycles WHERE started_at > ? AND outcome = 'completed'`, timeText(since))
}

// oneCycle returns the cycle with the highest value of a column; nil if there is none.
func (s *Store) oneCycle(ctx context.Context, where, by string) (*CycleRow, error) {
	return first[CycleRow](ctx, s, "read the last cycle",
		`SELECT trigger, outcome, started_at, duration_ms FROM cycles `+where+` ORDER BY `+by+` DESC LIMIT 1`)
}

// Figures are the totals for metrics. They never fall, neither when rows are pruned nor by corrections within a cycle: sessions are counted
// once their cycle has ended, and remediations once their session has.
type Figures struct {
	LastCycle    *CycleRow // that was not Woken; nil if there is none
	Cycles       int64
	Sessions     []SessionTotal
	Incidents    int64
	Remediations []ActTotal
}

// SessionTotal sums up a tier's sessions with one status.
type SessionTotal struct {
	Tier         int     `json:"tier"`
	Status       Status  `json:"status"`
	Sessions     int64   `json:"sessions"`
	CostUSD      float64 `json:"cost_usd"`
	InputTokens  int64   `json:"input_tokens"`
	OutputTokens int64   `json:"output_tokens"`
}

// ActTotal counts remediations of one kind with one outcome.
type ActTotal struct {
	Action  statefile.Action `json:"action_type"`
	Success bool             `json:"success"`
	Acts    int64            `json:"actions"`
}

// Figures counts the totals, all at the same moment.
func (s *Store) Figures(ctx context.Context) (f Figures, err error) {
	err = s.Update(ctx, func(s *Store) (err error) {
		f = Figures{}
		if f.LastCycle, err = s.LastUnwoken(ctx); err != nil {
			return err
		}
		for _, count := range []func(context.Context, *Figures) error{s.sessionFigures, s.actFigures, s.numbered} {
			if err := count(ctx, &f); err != nil {
				return err
			}
		}
		return nil
	})
	return f, err
}

// Sums are in whole millionths of a dollar, so that the order of adding does not matter: Prometheus takes the smallest decrease for a
// restart from zero. Impossible values are capped, so that no sum overflows.
const (
	microUSD = `CAST(round(min(cost_usd, 1e6) * 1e6) AS INTEGER)`
	tokensIn = `min(max(input_tokens, 0), 1000000000000)`
	tokenOut = `min(max(output_tokens, 0), 1000000000000)`

	sessionSums = `count(*) AS sessions, sum(` + microUSD + `) AS micro, sum(` + tokensIn + `) AS tokens_in, sum(` + tokenOut + `) AS tokens_out`
)

func (s *Store) sessionFigures(ctx context.Context, f *Figures) error {
	last, err := s.oneCycle(ctx, "", "started_at")
	if err != nil {
		return err
	}
	until := "" // no session
	if last != nil {
		until = timeText(last.EndedAt())
	}
	f.Sessions, err = list[SessionTotal](ctx, s, "count sessions", `
		SELECT tier, status, sum(sessions), sum(micro) / 1e6, sum(tokens_in), sum(tokens_out) FROM (
			SELECT tier, status, `+sessionSums+` FROM sessions WHERE status <> 'running' AND started_at <= ? GROUP BY tier, status
			UNION ALL
			SELECT tier, status, sessions, CAST(round(cost_usd * 1e6) AS INTEGER), input_tokens, output_tokens FROM pruned_sessions)
		GROUP BY tier, status ORDER BY tier, status`, until)
	return err
}

// actCounts counts the remediations with a final outcome: an agent may still report one while its session runs.
const actCounts = `
	SELECT action_type, success, count(*) AS actions FROM cooldown_actions
	WHERE (success OR error <> '` + InProgress + `')
		AND coalesce(session_id, 0) NOT IN (SELECT id FROM sessions WHERE status = 'running')`

func (s *Store) actFigures(ctx context.Context, f *Figures) (err error) {
	f.Remediations, err = list[ActTotal](ctx, s, "count remediations", `
		SELECT action_type, success, sum(actions) FROM (
			SELECT * FROM (`+actCounts+` GROUP BY action_type, success)
			UNION ALL
			SELECT action_type, success, actions FROM pruned_actions)
		GROUP BY action_type, success ORDER BY action_type, success`)
	return err
}

// numbered counts what has had an id.
func (s *Store) numbered(ctx context.Context, f *Figures) error {
	err := s.row(ctx, `
		SELECT
			coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'cycles'), 0),
			coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'incidents'), 0)`).Scan(&f.Cycles, &f.Incidents)
	if err != nil {
		return s.failed("count cycles and incidents", err)
	}
	return nil
}

// Totals counts what happened within a time.
type Totals struct {
	Cycles             int64   `json:"cycles"` // completed
	FailedCycles       int64   `json:"failed_cycles"`
	Sessions           int64   `json:"sessions"`           // started
	Escalations        int64   `json:"escalated_sessions"` // of the sessions, those of Tier 2 and 3
	Remediations       int64   `json:"remediations"`
	FailedRemediations int64   `json:"failed_remediations"`
	CostUSD            float64 `json:"cost_usd"`
}

// TotalsSince counts what happened since a time, except what was pruned. A running session is not a failure yet, and its cost is not
// known.
func (s *Store) TotalsSince(ctx context.Context, since time.Time) (t Totals, err error) {
	err = s.row(ctx, `
		SELECT
			(SELECT count(*) FROM cycles WHERE started_at >= ?1),
			(SELECT count(*) FROM cycles WHERE started_at >= ?1 AND outcome = '`+CycleFailed+`'),
			(SELECT count(*) FROM sessions WHERE started_at >= ?1),
			(SELECT count(*) FROM sessions WHERE started_at >= ?1 AND tier > 1),
			(SELECT count(*) FROM cooldown_actions WHERE created_at >= ?1),
			(SELECT count(*) FROM cooldown_actions WHERE created_at >= ?1 AND NOT success AND error <> '`+InProgress+`')`, timeText(since)).
		Scan(&t.Cycles, &t.FailedCycles, &t.Sessions, &t.Escalations, &t.Remediations, &t.FailedRemediations)
	if err != nil {
		return t, s.failed("count what happened lately", err)
	}
	t.CostUSD, err = s.CostSince(ctx, since)
	return t, err
}

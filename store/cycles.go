package store

import (
	"context"
	"time"
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
		c.Trigger, c.Outcome, c.StartedAt, c.DurationMS)
}

const (
	cycleColumns = `trigger, outcome, started_at, duration_ms`
	cycleEnd     = `strftime('%Y-%m-%dT%H:%M:%fZ', started_at, (duration_ms / 1000.0) || ' seconds')`
)

// LastCycle returns the cycle that ended last; nil if there is none.
func (s *Store) LastCycle(ctx context.Context) (*CycleRow, error) {
	return first[CycleRow](ctx, s, "read the last cycle", `SELECT `+cycleColumns+` FROM cycles ORDER BY id DESC LIMIT 1`)
}

// LastUnwoken returns the cycle that ended last of those that no alert or approval started, as that one of these ran does
// not show that the schedule's do; nil if there is none.
func (s *Store) LastUnwoken(ctx context.Context) (*CycleRow, error) {
	return first[CycleRow](ctx, s, "read the last cycle of the schedule",
		`SELECT `+cycleColumns+` FROM cycles WHERE trigger NOT IN ('`+ByAlert+`', '`+ByApproval+`') ORDER BY id DESC LIMIT 1`)
}

// LastGoodCycle returns the start time of the last successful cycle that began after since; nil if there is none.
func (s *Store) LastGoodCycle(ctx context.Context, since time.Time) (began *time.Time, err error) {
	return one[*time.Time](ctx, s, "find the last good cycle",
		`SELECT max(started_at) FROM cycles WHERE started_at > ? AND outcome = 'completed'`, since)
}

// Unfinished returns, oldest first, the Tier 1 sessions at or after since of the killed or interrupted cycles that
// followed the last complete one.
func (s *Store) Unfinished(ctx context.Context, since time.Time) ([]int64, error) {
	return list[int64](ctx, s, "read the sessions of interrupted cycles", `
		SELECT id FROM sessions WHERE tier = 1 AND started_at >= ?1 AND started_at >= coalesce((
			SELECT `+cycleEnd+` FROM cycles WHERE outcome <> ?2 ORDER BY id DESC LIMIT 1), '') ORDER BY id`, since, CycleInterrupted)
}

// Package hooks is claude-hooks: a circuit breaker for the hooks of Claude Code. A hook that fails, is shown to the agent, gets an answer
// and fails again is switched off for a while, so that the loop does not cost money until somebody notices it.
//
// breaker.go is the state machine, hook.go what it decides for one hook, state.go the file that all hooks share. run.go runs a hook behind
// it, verdict.go says what failed, settings.go and install.go put it in front of the hooks of a settings.json, commands.go is the
// command line.
package hooks

import "time"

// State is the state of a circuit (ANTI-LOOP "Circuit Breaker Pattern").
type State string

// The states. The zero value means Closed.
const (
	Closed   State = "closed"    // the hook runs
	Open     State = "open"      // it is skipped
	HalfOpen State = "half_open" // it runs as a trial, one at a time
)

// Circuit is a circuit with its counters. The first ten fields are those of ANTI-LOOP. The zero value is a circuit without any calls.
// Times are in whole seconds, UTC; nil means never.
type Circuit struct {
	State                State      `json:"state"`
	FailureCount         int64      `json:"failure_count"` // since the circuit last closed
	ConsecutiveFailures  int64      `json:"consecutive_failures"`
	ConsecutiveSuccesses int64      `json:"consecutive_successes"`
	FirstFailure         *time.Time `json:"first_failure"` // of those in FailureCount
	LastFailure          *time.Time `json:"last_failure"`
	LastSuccess          *time.Time `json:"last_success"`
	LastError            string     `json:"last_error"`
	DisabledAt           *time.Time `json:"disabled_at"`
	RetryAfter           *time.Time `json:"retry_after"` // while a trial runs: when another one may start

	Generation int64 `json:"generation,omitzero"` // counts the changes of State: earlier results are stale
	Openings   int64 `json:"openings,omitzero"`   // in a row, since the circuit was last closed
	Executions int64 `json:"executions,omitzero"` // ever
	Failures   int64 `json:"failures,omitzero"`   // ever
}

// Rules configure the circuits of a hook. A threshold of 0 means 1.
type Rules struct {
	FailureThreshold   int64
	SuccessThreshold   int64
	StopBlockThreshold int64 // blocks in a row that open the session's own circuit; 0 never does
	Cooldown           time.Duration
	MaxCooldown        time.Duration // up to which each opening in a row doubles the cooldown; 0 keeps it constant
	Excluded           bool          // the hook always runs: it is counted, but its circuit never opens
}

// Admission is a circuit's decision on a call.
type Admission int

// The admissions.
const (
	Execute Admission = iota
	Trial             // execute, and let the result decide
	Skip
)

// Result is the result of a call, for its circuit.
type Result struct {
	Failed     bool
	Error      string
	Generation int64 // the circuit's when the call was admitted
	Trial      bool  // it was admitted as a trial
}

// Admit decides on a call at now. An open circuit whose cooldown is over becomes half open, and the call a trial. A trial that never ends,
// because it was killed, holds up the next one for a cooldown.
func (c *Circuit) Admit(now time.Time, r Rules) Admission {
	switch {
	case c.known() == Closed:
		return Execute
	case r.Excluded:
		c.close()
		return Execute
	case c.waits(now, r):
		return Skip
	}
	if c.State == Open {
		c.become(HalfOpen)
		c.ConsecutiveSuccesses = 0
	}
	c.RetryAfter = stampUp(now.Add(r.Cooldown))
	return Trial
}

// waits reports whether RetryAfter is ahead. One that is further ahead than any cooldown comes of a clock that was wrong.
func (c *Circuit) waits(now time.Time, r Rules) bool {
	if c.RetryAfter == nil {
		return false
	}
	left := c.RetryAfter.Sub(now)
	return left > 0 && left <= max(r.Cooldown, r.MaxCooldown)+time.Second
}

// Record counts the result of a call that ended at now, and changes the state if the result belongs to the current generation (RULE
// "Circuit breaker").
func (c *Circuit) Record(now time.Time, r Rules, res Result) {
	stale := res.Generation != c.Generation || c.State == HalfOpen && !res.Trial
	c.count(now, res, stale)
	switch {
	case stale, c.State == Open, r.Excluded:
	case c.State == HalfOpen && res.Failed:
		c.open(now, r)
	case c.State == HalfOpen:
		c.RetryAfter = nil // the next trial may start
		if c.ConsecutiveSuccesses >= max(1, r.SuccessThreshold) {
			c.close()
		}
	case c.ConsecutiveFailures >= max(1, r.FailureThreshold):
		c.open(now, r)
	}
}

func (c *Circuit) count(now time.Time, res Result, stale bool) {
	c.Executions++
	if !res.Failed {
		c.LastSuccess = stamp(now)
		if !stale {
			c.ConsecutiveSuccesses++
			c.ConsecutiveFailures = 0
		}
		return
	}
	c.Failures++
	c.FailureCount++
	c.LastFailure = stamp(now)
	c.LastError = res.Error
	if c.FirstFailure == nil {
		c.FirstFailure = c.LastFailure
	}
	if !stale {
		c.ConsecutiveFailures++
		c.ConsecutiveSuccesses = 0
	}
}

func (c *Circuit) become(s State) {
	c.State = s
	c.Generation++
}

func (c *Circuit) open(now time.Time, r Rules) {
	c.become(Open)
	c.Openings++
	c.DisabledAt = stamp(now)
	c.RetryAfter = stampUp(now.Add(c.cooldown(r)))
}

// cooldown doubles with each opening in a row, and grows with the share of all calls that failed.
func (c *Circuit) cooldown(r Rules) time.Duration {
	most := max(r.Cooldown, r.MaxCooldown)
	d := r.Cooldown
	for n := int64(1); n < c.Openings && d < most; n++ {
		d *= 2
	}
	d += time.Duration(float64(d) * float64(c.Failures) / float64(max(1, c.Executions)))
	return min(d, most)
}

func (c *Circuit) close() {
	c.become(Closed)
	c.Openings = 0
	c.FailureCount, c.ConsecutiveFailures, c.FirstFailure = 0, 0, nil
	c.DisabledAt, c.RetryAfter = nil, nil
}

// known returns the state; anything unknown means Closed.
func (c *Circuit) known() State {
	if c.State == Open || c.State == HalfOpen {
		return c.State
	}
	return Closed
}

// stamp returns t as stored in the state file: whole seconds, UTC.
func stamp(t time.Time) *time.Time {
	t = t.UTC().Truncate(time.Second)
	return &t
}

// stampUp is stamp, rounded up: no trial comes too early.
func stampUp(t time.Time) *time.Time { return stamp(t.Add(time.Second - 1)) }

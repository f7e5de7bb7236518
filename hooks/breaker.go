// Package hooks is a circuit breaker for Claude Code hooks: a hook that fails, is shown to the agent, is answered and fails again
// is switched off for a while instead of burning money until somebody looks.
//
// It hides the state file, which every run of every hook reads and writes at the same time, the settings and the log. It promises that
// no count is lost, and that no configuration, however wrong, switches it off. Package wrapper runs a hook behind it.
//
// This file is the machine: what a circuit is and how it changes, as functions of (state, now).
package hooks

import (
	"math"
	"time"
)

// State is what a circuit is in (ANTI-LOOP "Circuit Breaker Pattern").
type State string

// The states. The zero value means Closed.
const (
	Closed   State = "closed"    // the hook runs
	Open     State = "open"      // it is skipped
	HalfOpen State = "half_open" // it runs on trial, one at a time
)

// Circuit is one circuit with its counters. The first ten fields are the document's; the zero value is a circuit that has seen
// nothing. Times are whole seconds, UTC; nil is never.
type Circuit struct {
	State                State      `json:"state"`
	FailureCount         int64      `json:"failure_count"` // since it last closed
	ConsecutiveFailures  int64      `json:"consecutive_failures"`
	ConsecutiveSuccesses int64      `json:"consecutive_successes"`
	FirstFailure         *time.Time `json:"first_failure"` // of those counted
	LastFailure          *time.Time `json:"last_failure"`
	LastSuccess          *time.Time `json:"last_success"`
	LastError            string     `json:"last_error"`
	DisabledAt           *time.Time `json:"disabled_at"`
	RetryAfter           *time.Time `json:"retry_after"`

	Generation int64 `json:"generation,omitzero"` // counts the changes of State: a result of an earlier one is stale
	// DisabledMS is what DisabledAt and RetryAfter, in whole seconds, leave out: milliseconds.
	DisabledMS int64 `json:"disabled_ms,omitzero"`
	Openings   int64 `json:"openings,omitzero"` // in a row, since it was last closed: the exponent of the back-off
	// Trials that passed and failed, the older ones counting less: what the adaptive delay learns from.
	TrialsPassed float64 `json:"trials_passed,omitzero"`
	TrialsFailed float64 `json:"trials_failed,omitzero"`

	Others Others `json:",embed"`
}

// Rules are what a circuit is judged by. A FailureThreshold or SuccessThreshold of 0 means 1.
type Rules struct {
	FailureThreshold int64
	SuccessThreshold int64
	Cooldown         time.Duration
	Backoff          Backoff
	Excluded         bool // it always executes: counted, never opened
}

// Backoff changes the cooldown from one opening to the next. The zero value changes nothing: the cooldown is exact.
type Backoff struct {
	Factor   float64       // each opening in a row waits so many times as long as the one before; 0 and 1 are off
	Jitter   float64       // up to this part of the delay, at random, is taken off; 0 to 1
	Adaptive bool          // the odds against a trial that passes, as the hook's history suggests, multiply the delay
	Min, Max time.Duration // bounds of what any of the three makes of the cooldown
}

// Admission is what a circuit says to a call.
type Admission int

// The admissions.
const (
	Execute Admission = iota
	Trial             // execute, and the result decides
	Skip
)

// Result is how a call ended, for its circuit.
type Result struct {
	Failed     bool
	Error      string
	Generation int64   // of the circuit when the call was admitted
	Trial      bool    // it was admitted as one
	Random     float64 // in [0, 1), for the jitter
}

// Admit decides on a call at now. An open circuit whose time has come becomes half open by it. trialRunning says that a trial of
// this circuit has not ended yet.
func (c *Circuit) Admit(now time.Time, r Rules, trialRunning bool) Admission {
	if r.Excluded {
		if c.State != Closed {
			c.close()
		}
		return Execute
	}
	switch c.State {
	case Open:
		if now.Before(c.retryAt(now, r)) {
			return Skip
		}
		c.become(HalfOpen)
		c.ConsecutiveSuccesses = 0
		return Trial
	case HalfOpen:
		if trialRunning {
			return Skip
		}
		return Trial
	default:
		return Execute
	}
}

// Record counts the result of a call that ended at now, and changes the state where the result belongs to the present one
// (RULE "Circuit breaker").
func (c *Circuit) Record(now time.Time, r Rules, res Result) {
	stale := res.Generation != c.Generation || c.State == HalfOpen && !res.Trial
	c.count(now, res, stale)
	if stale {
		return
	}
	switch c.State {
	case Open:
	case HalfOpen:
		c.learn(res.Failed)
		if res.Failed {
			c.open(now, r, res.Random)
		} else if c.ConsecutiveSuccesses >= max(1, r.SuccessThreshold) {
			c.close()
		}
	default:
		if !r.Excluded && c.ConsecutiveFailures >= max(1, r.FailureThreshold) {
			c.open(now, r, res.Random)
		}
	}
}

func (c *Circuit) count(now time.Time, res Result, stale bool) {
	at := stamp(now)
	if !res.Failed {
		c.LastSuccess = &at
		if !stale {
			c.ConsecutiveSuccesses++
			c.ConsecutiveFailures = 0
		}
		return
	}
	if c.FirstFailure == nil {
		c.FirstFailure = &at
	}
	c.LastFailure = &at
	c.LastError = res.Error
	c.FailureCount++
	if !stale {
		c.ConsecutiveFailures++
		c.ConsecutiveSuccesses = 0
	}
}

func (c *Circuit) become(s State) {
	c.State = s
	c.Generation++
}

func (c *Circuit) open(now time.Time, r Rules, random float64) {
	c.become(Open)
	c.Openings++
	at := stamp(now)
	retry := stampUp(at.Add(r.delay(c.Openings, c.Chance(), random)))
	c.DisabledAt, c.RetryAfter, c.DisabledMS = &at, &retry, now.Sub(at).Milliseconds()
}

func (c *Circuit) close() {
	c.become(Closed)
	c.Openings = 0
	c.FailureCount, c.ConsecutiveFailures, c.FirstFailure = 0, 0, nil
	c.DisabledAt, c.RetryAfter, c.DisabledMS = nil, nil, 0
}

// retryAt is when an open circuit may be tried again. Where the clock was set back behind the opening, the wait begins anew at now:
// otherwise it would last as long as the clock was wrong.
func (c *Circuit) retryAt(now time.Time, r Rules) time.Time {
	if c.RetryAfter == nil {
		if c.DisabledAt == nil {
			return now
		}
		retry := c.DisabledAt.Add(r.Cooldown)
		c.RetryAfter = &retry
	}
	if c.DisabledAt != nil && c.DisabledAt.After(now) {
		at := stamp(now)
		retry := at.Add(c.RetryAfter.Sub(*c.DisabledAt))
		c.DisabledAt, c.RetryAfter = &at, &retry
	}
	return c.RetryAfter.Add(time.Duration(c.DisabledMS) * time.Millisecond)
}

// forget is the weight that each trial leaves to those before it: what matters is the hook as it is now.
const forget = 0.9

func (c *Circuit) learn(failed bool) {
	c.TrialsPassed *= forget
	c.TrialsFailed *= forget
	if failed {
		c.TrialsFailed++
	} else {
		c.TrialsPassed++
	}
}

// Chance estimates how likely the next trial passes: the mean of a Beta distribution over the trials so far, which is 0.5 where
// there was none.
func (c *Circuit) Chance() float64 {
	return (1 + c.TrialsPassed) / (2 + c.TrialsPassed + c.TrialsFailed)
}

// delay is how long a circuit stays open at its openings-th opening in a row.
func (r Rules) delay(openings int64, chance, random float64) time.Duration {
	b := r.Backoff
	if b.Factor <= 1 && !b.Adaptive && b.Jitter <= 0 {
		return r.Cooldown
	}
	d := float64(r.Cooldown)
	if b.Factor > 1 {
		d *= math.Pow(b.Factor, float64(openings-1))
	}
	if b.Adaptive {
		d *= (1 - chance) / chance
	}
	d = math.Min(d, float64(max(b.Max, r.Cooldown)))
	d *= 1 - b.Jitter*random
	return time.Duration(math.Max(d, float64(min(b.Min, r.Cooldown))))
}

// stamp is t as state files hold it.
func stamp(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// stampUp is stamp that never comes too early.
func stampUp(t time.Time) time.Time {
	s := stamp(t)
	if s.Before(t) {
		s = s.Add(time.Second)
	}
	return s
}

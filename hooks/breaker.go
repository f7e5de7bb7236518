// Package hooks is a circuit breaker for Claude Code hooks. A hook that fails, is shown to the agent, gets an answer and fails again is
// switched off for a while, so that the loop does not cost money until somebody notices it.
//
// The package hides the state file, which every run of every hook updates concurrently, and the settings and the log. No count is lost,
// and no invalid configuration switches the breaker off. Package wrapper runs a hook behind it.
//
// This file is the state machine: circuits and their transitions, as functions of (state, now).
package hooks

import (
	"math"
	"time"
)

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
	RetryAfter           *time.Time `json:"retry_after"`

	Generation int64 `json:"generation,omitzero"` // counts the changes of State; a result from an earlier generation is stale
	// DisabledMS holds the milliseconds that DisabledAt and RetryAfter leave out.
	DisabledMS int64 `json:"disabled_ms,omitzero"`
	Openings   int64 `json:"openings,omitzero"` // consecutive, since the circuit was last closed: the exponent of the back-off
	// Passed and failed trials, older ones weighted less. The adaptive delay is computed from them.
	TrialsPassed float64 `json:"trials_passed,omitzero"`
	TrialsFailed float64 `json:"trials_failed,omitzero"`

	Others Others `json:",embed"`
}

// Rules configure a circuit. A FailureThreshold or SuccessThreshold of 0 means 1.
type Rules struct {
	FailureThreshold int64
	SuccessThreshold int64
	Cooldown         time.Duration
	Backoff          Backoff
	Excluded         bool // the hook always runs: it is counted, but its circuit never opens
}

// Backoff varies the cooldown from one opening to the next. The zero value does not: the cooldown is exact.
type Backoff struct {
	Factor   float64       // each consecutive opening waits this many times longer; 0 and 1 disable it
	Jitter   float64       // up to this fraction of the delay is randomly subtracted; 0 to 1
	Adaptive bool          // the delay is multiplied by the estimated odds that the next trial fails
	Min, Max time.Duration // limits of the result of the other three
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
	Generation int64   // the circuit's when the call was admitted
	Trial      bool    // it was admitted as a trial
	Random     float64 // in [0, 1), for the jitter
}

// Admit decides on a call at now. An open circuit whose delay is over becomes half open. trialRunning means that a trial of this circuit
// has not ended yet.
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

// Record counts the result of a call that ended at now, and changes the state if the result belongs to the current generation (RULE
// "Circuit breaker").
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

// retryAt returns when an open circuit may be tried again. If the clock was set back before the opening, the delay starts again at now.
// Otherwise it would last as long as the clock was wrong.
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

// forget is the factor by which each trial reduces the weight of those before it: only the hook's recent behaviour matters.
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

// Chance estimates the probability that the next trial passes: the mean of a Beta distribution over the trials so far, which is 0.5 if
// there were none.
func (c *Circuit) Chance() float64 {
	return (1 + c.TrialsPassed) / (2 + c.TrialsPassed + c.TrialsFailed)
}

// delay returns how long a circuit stays open at its openings-th consecutive opening.
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

// stamp returns t as stored in state files: whole seconds, UTC.
func stamp(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// stampUp is like stamp, but rounds up.
func stampUp(t time.Time) time.Time {
	s := stamp(t)
	if s.Before(t) {
		s = s.Add(time.Second)
	}
	return s
}

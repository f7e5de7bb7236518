package hooks

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var (
	noon     = time.Date(2026, 2, 10, 12, 0, 0, 0, time.UTC)
	defaults = Rules{FailureThreshold: 3, SuccessThreshold: 2, Cooldown: 5 * time.Minute}
)

// once makes a call that is admitted at now and ends at once.
func (c *Circuit) once(now time.Time, r Rules, failed bool) Admission {
	a := c.Admit(now, r, false)
	if a != Skip {
		c.Record(now, r, Result{Failed: failed, Error: "broken", Generation: c.Generation, Trial: a == Trial})
	}
	return a
}

func TestANTILOOP_CircuitBreakerStateTransitions(t *testing.T) {
	type step struct {
		after  time.Duration // since the previous step
		failed bool
		admits Admission
		then   State
	}
	const minute = time.Minute
	for name, tt := range map[string]struct {
		rules Rules
		steps []step
	}{
		"the third failure in a row opens": {defaults, []step{{0, true, Execute, Closed}, {0, true, Execute, Closed}, {0, true, Execute, Open}, {0, true, Skip, Open}}},
		"a success between them starts the count again": {defaults, []step{
			{0, true, Execute, Closed}, {0, true, Execute, Closed}, {0, false, Execute, Closed}, {0, true, Execute, Closed}, {0, true, Execute, Closed}, {0, true, Execute, Open},
		}},
		"two trials that pass close it": {defaults, []step{
			{0, true, Execute, Closed}, {0, true, Execute, Closed}, {0, true, Execute, Open},
			{5*minute - time.Second, false, Skip, Open}, {time.Second, false, Trial, HalfOpen}, {0, false, Trial, Closed}, {0, true, Execute, Closed},
		}},
		"a trial that fails opens at once": {defaults, []step{
			{0, true, Execute, Closed}, {0, true, Execute, Closed}, {0, true, Execute, Open},
			{5 * minute, false, Trial, HalfOpen}, {0, true, Trial, Open}, {5*minute - 1, true, Skip, Open}, {1, false, Trial, HalfOpen}, {0, false, Trial, Closed},
		}},
		"thresholds of nothing are one":      {Rules{}, []step{{0, true, Execute, Open}, {0, false, Trial, Closed}}},
		"what is excluded is never switched": {Rules{FailureThreshold: 1, Excluded: true}, []step{{0, true, Execute, Closed}, {0, true, Execute, Closed}}},
	} {
		t.Run(name, func(t *testing.T) {
			c, now := &Circuit{}, noon
			for i, s := range tt.steps {
				now = now.Add(s.after)
				if a := c.once(now, tt.rules, s.failed); a != s.admits {
					t.Fatalf("step %d: admission %v, want %v", i, a, s.admits)
				}
				if c.State != s.then && (c.State != "" || s.then != Closed) {
					t.Fatalf("step %d: %s, want %s", i, c.State, s.then)
				}
			}
		})
	}
}

// The example state file of ANTI-LOOP: three failures, and two failed trials.
func TestANTILOOP_FailureSuccessCounting(t *testing.T) {
	c, now := &Circuit{State: Closed}, noon
	for range 3 {
		c.once(now, defaults, true)
	}
	for range 2 {
		now = now.Add(5 * time.Minute)
		c.once(now, defaults, true)
	}
	first, retry := noon, now.Add(5*time.Minute)
	want := Circuit{
		State: Open, FailureCount: 5, ConsecutiveFailures: 5, FirstFailure: &first, LastFailure: &now, LastError: "broken", DisabledAt: &now, RetryAfter: &retry,
		Generation: 5, Openings: 3, TrialsFailed: 1.9,
	}
	if diff := cmp.Diff(want, *c); diff != "" {
		t.Error(diff)
	}
	now = retry
	c.once(now, defaults, false)
	c.once(now, defaults, false)
	if c.State != Closed || c.FailureCount != 0 || c.ConsecutiveFailures != 0 || c.ConsecutiveSuccesses != 2 || c.DisabledAt != nil || c.LastError != "broken" {
		t.Errorf("after two trials that passed: %+v", c)
	}
}

func TestAStaleResultIsCountedAndChangesNothing(t *testing.T) {
	for name, tt := range map[string]struct {
		circuit Circuit
		result  Result
	}{
		"of the time before it opened":     {Circuit{State: Open, Generation: 1}, Result{Failed: true}},
		"of an earlier closed time":        {Circuit{State: Closed, Generation: 3, ConsecutiveFailures: 2}, Result{Failed: true}},
		"of an earlier trial":              {Circuit{State: HalfOpen, Generation: 4, ConsecutiveSuccesses: 1}, Result{Generation: 2, Trial: true}},
		"of a call that was no trial":      {Circuit{State: HalfOpen, Generation: 4}, Result{Generation: 4, Failed: true}},
		"a success for what opened since":  {Circuit{State: Open, Generation: 1, ConsecutiveFailures: 3}, Result{}},
		"a success in a later closed time": {Circuit{State: Closed, Generation: 3, ConsecutiveFailures: 2}, Result{}},
	} {
		t.Run(name, func(t *testing.T) {
			c := tt.circuit
			c.Record(noon, defaults, tt.result)
			if tt.result.Failed != (c.FailureCount == 1) || tt.result.Failed != (c.LastFailure != nil) || tt.result.Failed == (c.LastSuccess != nil) {
				t.Errorf("not counted: %+v", c)
			}
			if c.State != tt.circuit.State || c.Generation != tt.circuit.Generation || c.ConsecutiveFailures != tt.circuit.ConsecutiveFailures ||
				c.ConsecutiveSuccesses != tt.circuit.ConsecutiveSuccesses {
				t.Errorf("changed: %+v", c)
			}
		})
	}
}

func TestRetryTimes(t *testing.T) {
	at := func(d time.Duration) *time.Time { x := noon.Add(d); return &x }
	for name, tt := range map[string]struct {
		circuit Circuit
		free    time.Duration // after noon
	}{
		"as the file says":                       {Circuit{DisabledAt: at(0), RetryAfter: at(time.Hour)}, time.Hour},
		"no time to retry: the cooldown":         {Circuit{DisabledAt: at(-time.Minute)}, 4 * time.Minute},
		"no times at all: now":                   {Circuit{}, 0},
		"the clock was set back: the wait anew":  {Circuit{DisabledAt: at(24 * time.Hour), RetryAfter: at(24*time.Hour + 5*time.Minute)}, 5 * time.Minute},
		"set back, with the cooldown from rules": {Circuit{DisabledAt: at(24 * time.Hour)}, 5 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			tt.circuit.State = Open
			if c := tt.circuit; tt.free > 0 {
				if c.Admit(noon, defaults, false) != Skip || c.Admit(noon.Add(tt.free-1), defaults, false) != Skip {
					t.Error("it was tried too early")
				}
			}
			c := tt.circuit
			if tt.free > 0 {
				c.Admit(noon, defaults, false)
			}
			if c.Admit(noon.Add(tt.free), defaults, false) != Trial {
				t.Error("it was not tried in time")
			}
		})
	}
}

func TestACooldownIsNeverShorterThanConfigured(t *testing.T) {
	c, now := &Circuit{}, noon.Add(999*time.Millisecond) // the file holds whole seconds
	for range 3 {
		c.once(now, defaults, true)
	}
	if wait := c.RetryAfter.Sub(*c.DisabledAt); wait != 5*time.Minute {
		t.Errorf("the file says %v", wait)
	}
	if c.Admit(now.Add(5*time.Minute-time.Millisecond), defaults, false) != Skip {
		t.Error("it was tried too early")
	}
	if c.Admit(now.Add(5*time.Minute), defaults, false) != Trial {
		t.Error("it was not tried in time")
	}
}

func TestANTILOOP_BackoffStrategies(t *testing.T) {
	const minute = time.Minute
	base := Rules{Cooldown: 5 * minute}
	with := func(b Backoff) Rules { r := base; r.Backoff = b; return r }
	for name, tt := range map[string]struct {
		rules          Rules
		openings       int
		chance, random float64
		want           time.Duration
	}{
		"off: exact":                          {base, 7, 0.1, 0.9, 5 * minute},
		"exponential: first":                  {with(Backoff{Factor: 2, Max: time.Hour}), 1, 0.5, 0, 5 * minute},
		"exponential: third":                  {with(Backoff{Factor: 2, Max: time.Hour}), 3, 0.5, 0, 20 * minute},
		"exponential: bounded":                {with(Backoff{Factor: 2, Max: time.Hour}), 2000, 0.5, 0, time.Hour},
		"bounds do not shorten the cooldown":  {with(Backoff{Factor: 2, Max: minute}), 3, 0.5, 0, 5 * minute},
		"jitter takes off":                    {with(Backoff{Jitter: 0.2}), 1, 0.5, 0.5, 270 * time.Second},
		"adaptive: nothing known":             {with(Backoff{Adaptive: true, Min: minute, Max: time.Hour}), 1, 0.5, 0, 5 * minute},
		"adaptive: unlikely to pass, longer":  {with(Backoff{Adaptive: true, Min: minute, Max: time.Hour}), 1, 0.25, 0, 15 * minute},
		"adaptive: likely to pass, shorter":   {with(Backoff{Adaptive: true, Min: minute, Max: time.Hour}), 1, 0.75, 0, 100 * time.Second},
		"adaptive: bounded below":             {with(Backoff{Adaptive: true, Min: minute, Max: time.Hour}), 1, 0.99, 0, minute},
		"adaptive: bounded above":             {with(Backoff{Adaptive: true, Min: minute, Max: time.Hour}), 1, 0.01, 0, time.Hour},
		"bounds do not lengthen the cooldown": {with(Backoff{Jitter: 0.5, Min: time.Hour}), 1, 0.5, 0, 5 * minute},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tt.rules.delay(int64(tt.openings), tt.chance, tt.random); got.Round(time.Millisecond) != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}

func TestANTILOOP_SmartRecovery_ChanceFollowsTheTrials(t *testing.T) {
	c := &Circuit{}
	if c.Chance() != 0.5 {
		t.Errorf("with no trial: %v", c.Chance())
	}
	for range 50 {
		before := c.Chance()
		c.learn(true)
		if c.Chance() >= before {
			t.Fatalf("a trial failed and the chance went from %v to %v", before, c.Chance())
		}
	}
	for i := range 10 {
		if c.Chance() > 0.5 {
			if i > 7 {
				t.Fatalf("it took %d trials to forget 50", i)
			}
			return
		}
		c.learn(false)
	}
	t.Errorf("after 10 trials that passed: %v", c.Chance())
}

// Properties that hold for any sequence of calls.
func TestMachineProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Rules{
			FailureThreshold: rapid.Int64Range(0, 5).Draw(t, "failures"), SuccessThreshold: rapid.Int64Range(0, 4).Draw(t, "successes"),
			Cooldown: time.Duration(rapid.Int64Range(0, 600).Draw(t, "cooldown")) * time.Second,
			Backoff: Backoff{
				Factor: rapid.Float64Range(0, 3).Draw(t, "factor"), Jitter: rapid.Float64Range(0, 1).Draw(t, "jitter"),
				Adaptive: rapid.Bool().Draw(t, "adaptive"), Min: 30 * time.Second, Max: time.Hour,
			},
		}
		c, now := &Circuit{State: Closed}, noon
		var running []Result // admitted calls
		var failures, trials int64
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.Int64Range(0, 400).Draw(t, "later")) * time.Second)
			before := *c
			if len(running) > 0 && rapid.Bool().Draw(t, "ends") {
				i := rapid.IntRange(0, len(running)-1).Draw(t, "which")
				res := running[i]
				running = append(running[:i:i], running[i+1:]...)
				res.Failed, res.Random = rapid.Bool().Draw(t, "fails"), rapid.Float64Range(0, 0.999).Draw(t, "random")
				if res.Failed {
					failures++
				}
				if res.Trial && res.Generation == c.Generation {
					trials--
				}
				c.Record(now, r, res)
				stale := res.Generation != before.Generation
				switch {
				case stale && c.State != before.State:
					t.Fatalf("a stale result changed %s to %s", before.State, c.State)
				case before.State == HalfOpen && !stale && res.Failed && c.State != Open:
					t.Fatalf("half open, and a trial failed: %s", c.State)
				case before.State == Closed && c.State == Open && c.ConsecutiveFailures < max(1, r.FailureThreshold):
					t.Fatalf("open after %d failures in a row", c.ConsecutiveFailures)
				case before.State == Open && c.State != Open:
					t.Fatalf("a result changed an open circuit to %s", c.State)
				}
			} else {
				a := c.Admit(now, r, trials > 0)
				if a != Skip {
					running = append(running, Result{Generation: c.Generation, Trial: a == Trial})
				}
				if a == Trial {
					trials++
				}
				if before.State == Open && a != Skip && now.Before(*before.RetryAfter) {
					t.Fatal("an open circuit was tried before its time")
				}
			}
			if c.Generation != before.Generation {
				trials = 0
				if c.State == HalfOpen {
					trials = 1
				}
			}
			if trials > 1 {
				t.Fatal("two trials at a time")
			}
			if c.State == Open {
				wait := c.RetryAfter.Sub(*c.DisabledAt)
				if longest := max(r.Cooldown, time.Hour) + time.Second; wait < 0 || wait > longest {
					t.Fatalf("open for %v", wait)
				}
			}
			if c.FailureCount > failures || c.FailureCount < 0 {
				t.Fatalf("%d failures counted of %d", c.FailureCount, failures)
			}
		}
	})
}

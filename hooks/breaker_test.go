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
	a := c.Admit(now, r)
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
	opens := []step{{0, true, Execute, Closed}, {0, true, Execute, Closed}, {0, true, Execute, Open}}
	for name, tt := range map[string]struct {
		rules Rules
		steps []step
	}{
		"the third failure in a row opens": {defaults, append(opens[:3:3], step{0, true, Skip, Open})},
		"a success between them starts the count again": {defaults, append([]step{
			{0, true, Execute, Closed}, {0, true, Execute, Closed}, {0, false, Execute, Closed},
		}, opens...)},
		"two trials that pass close it, one does not": {defaults, append(opens[:3:3],
			step{5*minute - time.Second, false, Skip, Open}, step{time.Second, false, Trial, HalfOpen},
			step{0, false, Trial, Closed}, step{0, true, Execute, Closed},
		)},
		"a trial that fails opens at once": {defaults, append(opens[:3:3],
			step{5 * minute, false, Trial, HalfOpen}, step{0, true, Trial, Open},
			step{5*minute - 1, true, Skip, Open}, step{1, false, Trial, HalfOpen}, step{0, false, Trial, Closed},
		)},
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
				if c.known() != s.then {
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
	first, last, retry := noon, now, now.Add(5*time.Minute)
	want := Circuit{
		State: Open, FailureCount: 5, ConsecutiveFailures: 5, FirstFailure: &first, LastFailure: &last, LastError: "broken",
		DisabledAt: &last, RetryAfter: &retry, Generation: 5, Openings: 3, Executions: 5, Failures: 5,
	}
	if diff := cmp.Diff(want, *c); diff != "" {
		t.Error(diff)
	}
	now = retry
	c.once(now, defaults, false)
	c.once(now, defaults, false)
	want = Circuit{
		State: Closed, ConsecutiveSuccesses: 2, LastFailure: want.LastFailure, LastSuccess: &now, LastError: "broken",
		Generation: 7, Executions: 7, Failures: 5,
	}
	if diff := cmp.Diff(want, *c); diff != "" {
		t.Errorf("after two trials that passed: %s", diff)
	}
}

func TestOneTrialAtATime(t *testing.T) {
	retry := noon
	c := &Circuit{State: Open, RetryAfter: &retry}
	if a := c.Admit(noon, defaults); a != Trial {
		t.Fatalf("after the cooldown: %v", a)
	}
	if a := c.Admit(noon.Add(5*time.Minute-time.Second), defaults); a != Skip {
		t.Errorf("while a trial runs: %v", a)
	}
	if a := c.Admit(noon.Add(5*time.Minute), defaults); a != Trial {
		t.Errorf("a cooldown after a trial that never ended: %v", a)
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
			was, c := tt.circuit, tt.circuit
			c.Record(noon, defaults, tt.result)
			if c.Executions != 1 || tt.result.Failed != (c.FailureCount == 1) || tt.result.Failed == (c.LastSuccess != nil) {
				t.Errorf("not counted: %+v", c)
			}
			if c.State != was.State || c.Generation != was.Generation || c.ConsecutiveFailures != was.ConsecutiveFailures ||
				c.ConsecutiveSuccesses != was.ConsecutiveSuccesses {
				t.Errorf("changed: %+v", c)
			}
		})
	}
}

func TestRetryTimes(t *testing.T) {
	at := func(d time.Duration) *time.Time { x := noon.Add(d); return &x }
	for name, tt := range map[string]struct {
		retry *time.Time
		want  Admission
	}{
		"ahead": {at(time.Second), Skip},
		"now":   {at(0), Trial},
		"over":  {at(-time.Hour), Trial},
		"none":  {nil, Trial},
		"further ahead than any cooldown: the clock was wrong": {at(time.Hour), Trial},
	} {
		c := Circuit{State: Open, RetryAfter: tt.retry}
		if a := c.Admit(noon, defaults); a != tt.want {
			t.Errorf("%s: %v, want %v", name, a, tt.want)
		}
	}
}

func TestACooldownIsNeverShorterThanConfigured(t *testing.T) {
	c, now := &Circuit{}, noon.Add(999*time.Millisecond) // the file holds whole seconds
	for range 3 {
		c.once(now, defaults, true)
	}
	if c.Admit(now.Add(5*time.Minute-time.Millisecond), defaults) != Skip {
		t.Error("it was tried too early")
	}
	if c.Admit(now.Add(5*time.Minute+time.Second), defaults) != Trial {
		t.Error("it was not tried in time")
	}
}

func TestANTILOOP_BackoffStrategies(t *testing.T) {
	const minute = time.Minute
	for name, tt := range map[string]struct {
		most                         time.Duration
		openings, failures, executed int64
		want                         time.Duration
	}{
		"no maximum: as it is":            {0, 7, 7, 7, 5 * minute},
		"first":                           {time.Hour, 1, 0, 100, 5 * minute},
		"doubled twice":                   {time.Hour, 3, 0, 100, 20 * minute},
		"up to the maximum":               {time.Hour, 2000, 0, 100, time.Hour},
		"a maximum does not shorten it":   {minute, 3, 0, 100, 5 * minute},
		"longer, the more calls failed":   {time.Hour, 1, 50, 100, 7*minute + 30*time.Second},
		"twice as long where all of them": {time.Hour, 1, 3, 3, 10 * minute},
	} {
		c := Circuit{Openings: tt.openings, Failures: tt.failures, Executions: tt.executed}
		if got := c.cooldown(Rules{Cooldown: 5 * minute, MaxCooldown: tt.most}); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

// Properties that hold for any sequence of calls.
func TestMachineProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Rules{
			FailureThreshold: rapid.Int64Range(0, 5).Draw(t, "failures"),
			SuccessThreshold: rapid.Int64Range(0, 4).Draw(t, "successes"),
			Cooldown:         time.Duration(rapid.Int64Range(0, 600).Draw(t, "cooldown")) * time.Second,
			MaxCooldown:      time.Duration(rapid.Int64Range(0, 3600).Draw(t, "most")) * time.Second,
		}
		c, now := &Circuit{State: Closed}, noon
		var running []Result // admitted calls
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.Int64Range(0, 400).Draw(t, "later")) * time.Second)
			before := *c
			if len(running) > 0 && rapid.Bool().Draw(t, "ends") {
				i := rapid.IntRange(0, len(running)-1).Draw(t, "which")
				res := running[i]
				running = append(running[:i:i], running[i+1:]...)
				res.Failed = rapid.Bool().Draw(t, "fails")
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
			} else if a := c.Admit(now, r); a != Skip {
				running = append(running, Result{Generation: c.Generation, Trial: a == Trial})
				if before.State != Closed && before.RetryAfter != nil && now.Before(*before.RetryAfter) {
					t.Fatalf("%s, and tried before its time", before.State)
				}
			}
			if c.State == Open {
				longest := max(r.Cooldown, r.MaxCooldown) + 2*time.Second
				if wait := c.RetryAfter.Sub(*c.DisabledAt); wait < r.Cooldown || wait > longest {
					t.Fatalf("open for %v", wait)
				}
			}
			if c.FailureCount > c.Failures || c.Failures > c.Executions {
				t.Fatalf("%d failures counted since it closed, %d ever, of %d", c.FailureCount, c.Failures, c.Executions)
			}
		}
	})
}

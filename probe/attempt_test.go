package probe

import (
	"context"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/claudeops/claudeops/check"
)

// findings returns a Try that returns these findings in turn, and a count of its calls.
func findings(list ...check.Result) (try Try, asked *int) {
	asked = new(int)
	return func(context.Context) check.Result {
		*asked++
		return list[min(*asked, len(list))-1]
	}, asked
}

func TestAttempts(t *testing.T) {
	down := func(text string) check.Result { return check.Result{Status: check.Down, Error: text} }
	degraded := check.Result{Status: check.Degraded, Error: "slow"}
	final := impossible("final")
	well := check.Result{Status: check.Healthy, Error: "OK - all is well"}
	for _, c := range []struct {
		name     string
		attempts int
		findings []check.Result
		status   check.Status
		text     string
		asked    int
	}{
		{"healthy at once", 3, []check.Result{well}, check.Healthy, "", 1},
		{"the first healthy one counts", 3, []check.Result{down("a"), well}, check.Healthy, "", 2},
		{"else the last", 3, []check.Result{down("a"), down("b"), degraded}, check.Degraded, "slow", 3},
		{"a final one is the last", 3, []check.Result{down("a"), final, well}, check.Unknown, "final", 2},
		{"no attempts are one", 0, []check.Result{down("a"), well}, check.Down, "a", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				try, asked := findings(c.findings...)
				r, made := examineTry(t.Context(), c.attempts, try)
				if !made || r.Status != c.status || r.Error != c.text || *asked != c.asked {
					t.Errorf("%+v (made: %t) after %d attempts; want %s %q after %d", r, made, *asked, c.status, c.text, c.asked)
				}
			})
		})
	}
}

func examineTry(ctx context.Context, attempts int, try Try) (check.Result, bool) {
	k := &Check{Type: check.HTTP, Timeout: 10 * time.Second, Attempts: attempts, Options: &HTTP{URL: "http://a/"}}
	return examine(ctx, "web", k, func() Try { return try }, Settings{})
}

// Each attempt has the whole timeout, and there is a pause between two attempts.
func TestAttemptsHaveTheirTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		r, made := examineTry(t.Context(), 3, hang)
		if took, want := time.Since(began), 3*10*time.Second+2*time.Second; took != want || !made || r.Error != "no answer" {
			t.Errorf("%+v (made: %t) after %s; want %s", r, made, took, want)
		}
	})
}

// The end of ctx ends an attempt, and the pause between two, without a result.
func TestAttemptsEndWithTheirContext(t *testing.T) {
	for name, after := range map[string]time.Duration{"within an attempt": 5 * time.Second, "in the pause": 10*time.Second + 500*time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), after)
				defer cancel()
				began := time.Now()
				if r, made := examineTry(ctx, 3, hang); made {
					t.Errorf("a result: %+v", r)
				}
				if took := time.Since(began); took != after {
					t.Errorf("it took %s, want %s", took, after)
				}
			})
		})
	}
}

// An attempt that does not end is abandoned, and not repeated.
func TestAnAttemptThatIgnoresItsTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		var asked atomic.Int32
		began := time.Now()
		r, made := examineTry(t.Context(), 3, func(context.Context) check.Result { asked.Add(1); <-release; return check.Result{} })
		if took := time.Since(began); took != 12*time.Second || asked.Load() != 1 {
			t.Errorf("%d attempts in %s, want one in 12s", asked.Load(), took)
		}
		if want := "did not end within 10s, nor 2s after it was stopped"; !made || r.Status != check.Down || r.Error != want {
			t.Errorf("%+v (made: %t), want down: %s", r, made, want)
		}
	})
}

func TestAPanicIsAFinding(t *testing.T) {
	k := &Check{Type: check.HTTP, Timeout: time.Second, Attempts: 1, Options: &HTTP{URL: "http://u:s3cr3t-pw@a/"}}
	for name, prepare := range map[string]func() Try{
		"in the attempt":      func() Try { return func(context.Context) check.Result { panic("s3cr3t-pw is wrong") } },
		"before it":           func() Try { panic("s3cr3t-pw is wrong") },
		"no attempt":          func() Try { return nil },
		"its goroutine's end": func() Try { return func(context.Context) check.Result { runtime.Goexit(); return check.Result{} } },
	} {
		r, made := examine(t.Context(), "web", k, prepare, Settings{})
		if !made || r.Status != check.Unknown || !strings.HasPrefix(r.Error, "the check ") || strings.Contains(r.Error, "s3cr3t") {
			t.Errorf("%s: %+v (made: %t)", name, r, made)
		}
	}
}

func TestSlowAnswersAreDegraded(t *testing.T) {
	k := Check{Type: check.HTTP, DegradedAfter: time.Second, Options: &HTTP{URL: "http://u:hunter2@a/b"}}
	for _, c := range []struct {
		found  check.Result
		status check.Status
		text   string
		ms     int64
	}{
		{check.Result{Status: check.Healthy, ResponseTimeMS: milliseconds(999 * time.Millisecond)}, check.Healthy, "", 999},
		{check.Result{Status: check.Healthy, ResponseTimeMS: milliseconds(time.Second)}, check.Degraded, "http://u:***@a/b answered in 1s, slower than 1s", 1000},
		{check.Result{Status: check.Healthy, ResponseTimeMS: milliseconds(1324 * time.Millisecond)}, check.Degraded,
			"http://u:***@a/b answered in 1.32s, slower than 1s", 1324},
		{check.Result{Status: check.Down, Error: "HTTP 500", ResponseTimeMS: milliseconds(2 * time.Second)}, check.Down, "HTTP 500", 2000},
		{check.Result{Status: check.Degraded, Error: "its certificate", ResponseTimeMS: milliseconds(2 * time.Second)}, check.Degraded, "its certificate", 2000},
		{check.Result{Status: check.Down, ResponseTimeMS: milliseconds(time.Nanosecond)}, check.Down, "http://u:***@a/b is down; the check did not say why", 1},
	} {
		r := resultOf("web", &k, c.found, Settings{})
		if r.Status != c.status || r.Error != c.text || r.ResponseTimeMS == nil || *r.ResponseTimeMS != c.ms {
			t.Errorf("%+v: got %+v", c.found, r)
		}
	}
	if r := resultOf("web", &k, check.Result{Status: check.Healthy}, Settings{}); r.ResponseTimeMS != nil {
		t.Errorf("a time that was not measured is %d ms", *r.ResponseTimeMS)
	}
}

func TestBrief(t *testing.T) {
	for d, want := range map[time.Duration]string{
		1324 * time.Millisecond: "1.32s", 13*time.Second + 240*time.Millisecond: "13.2s", 132456 * time.Microsecond: "132ms",
		1500 * time.Microsecond: "1.5ms", 90 * time.Second: "1m30s", 125 * time.Second: "2m5s", 0: "0s",
	} {
		if got := brief(d); got != want {
			t.Errorf("%d: got %s, want %s", d, got, want)
		}
	}
}

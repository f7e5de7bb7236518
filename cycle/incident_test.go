package cycle

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

var noon = time.Date(2026, 2, 16, 12, 0, 0, 0, time.UTC)

func TestDeadEndsWaitOneHourThenDoubleToADay(t *testing.T) {
	i := store.Incident{}
	for n, hours := range []float64{1, 2, 4, 8, 16, 24, 24, 24} {
		i = i.DeadEnd(noon)
		if got := i.RetryAt.Sub(noon).Hours(); got != hours {
			t.Errorf("dead end %d waits %v h, want %v", n+1, got, hours)
		}
	}
}

func TestDeadEndWaitIsBoundedAndNeverShrinks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i := store.Incident{DeadEnds: rapid.IntRange(0, 1<<40).Draw(t, "dead ends")}
		wait := i.DeadEnd(noon).RetryAt.Sub(noon)
		again := i.DeadEnd(noon).DeadEnd(noon).RetryAt.Sub(noon)
		if wait < store.FirstWait || wait > store.MaxWait || again < wait {
			t.Fatalf("after %d dead ends: %v, then %v", i.DeadEnds, wait, again)
		}
	})
}

func TestWaitsUntil(t *testing.T) {
	at := noon.Add(time.Hour)
	for name, test := range map[string]struct {
		retryAt *time.Time
		now     time.Time
		waits   bool
	}{
		"no dead end":            {nil, noon, false},
		"before":                 {&at, noon, true},
		"one nanosecond before":  {&at, at.Add(-1), true},
		"at the very moment":     {&at, at, false},
		"a clock that ran ahead": {ahead(noon, store.MaxWait+1), noon, false},
		"after":                  {&at, at.Add(time.Minute), false},
	} {
		if _, waits := (store.Incident{RetryAt: test.retryAt}).WaitsUntil(test.now); waits != test.waits {
			t.Errorf("%s: waits %t, want %t", name, waits, test.waits)
		}
	}
}

func ahead(t time.Time, d time.Duration) *time.Time {
	t = t.Add(d)
	return &t
}

func TestChangedIncidentStartsAnew(t *testing.T) {
	i := store.Incident{Fingerprint: "a"}.DeadEnd(noon)
	same, stuck := seenUnhealthy(i, check.Down, "a", noon)
	if stuck || same.RetryAt == nil || same.DeadEnds != 1 {
		t.Errorf("unchanged: %+v, stuck %t; it must go on waiting", same, stuck)
	}
	changed, stuck := seenUnhealthy(i, check.Degraded, "b", noon)
	if stuck || changed.RetryAt != nil || changed.DeadEnds != 0 || changed.Fingerprint != "b" || changed.Status != check.Degraded {
		t.Errorf("changed: %+v, stuck %t; it must start anew", changed, stuck)
	}
}

// solved is an incident after a chain that ended as solved.
func solved(i store.Incident) store.Incident {
	i.LastChain = chainSolved
	return i
}

func TestSecondHollowFixIsADeadEnd(t *testing.T) {
	i := solved(store.Incident{Fingerprint: "a"})
	i, stuck := seenUnhealthy(i, check.Down, "a", noon)
	if stuck || i.RetryAt != nil {
		t.Fatalf("the first chain that claims success and changes nothing must not be a dead end yet: %+v", i)
	}
	if again, _ := seenUnhealthy(i, check.Down, "a", noon); again.HollowFixes != i.HollowFixes {
		t.Fatalf("a cycle without a chain counted as a hollow fix: %+v", again)
	}
	i, stuck = seenUnhealthy(solved(i), check.Down, "a", noon)
	if !stuck || i.RetryAt == nil || i.DeadEnds != 1 {
		t.Fatalf("the second one must be: %+v, stuck %t", i, stuck)
	}
}

func TestHealthyInBetweenBreaksTheRowOfHollowFixes(t *testing.T) {
	i, _ := seenUnhealthy(solved(store.Incident{Fingerprint: "a"}), check.Down, "a", noon)
	i = seenHealthy(solved(i), 1, noon)
	if _, stuck := seenUnhealthy(i, check.Down, "a", noon); stuck {
		t.Error("a service that was healthy in between is stuck")
	}
}

// New words start a tier at once only after the first dead end: a service may say something else each time.
func TestNewWordsStartNoTierForEver(t *testing.T) {
	says := func(words string, status check.Status) string {
		return fingerprint([]check.Result{{Type: check.HTTP, Status: status, Error: words}})
	}
	i := store.Incident{Fingerprint: says("alpha", check.Down)}.DeadEnd(noon)
	i, _ = seenUnhealthy(i, check.Down, says("bravo", check.Down), noon)
	if i.RetryAt != nil || i.DeadEnds != 1 {
		t.Errorf("after one dead end: %+v", i)
	}
	i, _ = seenUnhealthy(i.DeadEnd(noon), check.Down, says("charlie", check.Down), noon)
	if i.RetryAt == nil || i.DeadEnds != 2 || i.Fingerprint != says("charlie", check.Down) {
		t.Errorf("after two: %+v", i)
	}
	solved, stuck := store.Incident{Fingerprint: says("alpha", check.Down)}, false
	for !stuck && solved.UnwellCycles < 2*wordsCycles {
		solved.LastChain = chainSolved
		solved, stuck = seenUnhealthy(solved, check.Down, says([]string{"alpha", "bravo"}[solved.UnwellCycles%2], check.Down), noon)
	}
	if cycles := solved.UnwellCycles; cycles != wordsCycles+2 {
		t.Errorf("new words in each cycle started a tier in %d cycles", cycles)
	}
	if i, _ = seenUnhealthy(i, check.Degraded, says("charlie", check.Degraded), noon); i.RetryAt != nil || i.DeadEnds != 0 {
		t.Errorf("with another status: %+v", i)
	}
}

func TestFingerprintSeesThroughNumbersTimesAndHexadecimal(t *testing.T) {
	print := func(text string) string {
		return fingerprint([]check.Result{{Type: check.HTTP, Status: check.Down, Error: text}})
	}
	base := print("GET /health: 502 Bad Gateway after 31 ms at 2026-02-16T12:00:00Z, request deadbeefcafe")
	for text, same := range map[string]bool{
		"GET /health: 502 Bad Gateway after 42 ms at 2026-02-17T09:30:11Z, request feedfacebeef": true,
		"GET /health: 503 bad gateway after 31 ms at 2026-02-16T12:00:00Z, request 0123abcd":     true,
		"connection refused":           false,
		"GET /health: 502 Bad Gateway": false,
	} {
		if got := print(text) == base; got != same {
			t.Errorf("%q: same %t, want %t", text, got, same)
		}
	}
}

func TestFingerprintOfChecks(t *testing.T) {
	http := check.Result{Type: check.HTTP, Status: check.Down, Error: "x"}
	dns := check.Result{Type: check.DNS, Status: check.Degraded, Error: "y"}
	fine := check.Result{Type: check.Container, Status: check.Healthy}
	if fingerprint([]check.Result{http, dns}) != fingerprint([]check.Result{dns, fine, http, http}) {
		t.Error("order, healthy results or repeats changed the fingerprint")
	}
	if fingerprint([]check.Result{http}) == fingerprint([]check.Result{{Type: check.HTTP, Status: check.Degraded, Error: "x"}}) {
		t.Error("another status has the same fingerprint")
	}
	alert := check.Result{Type: state.ByAlert, Status: check.Down, Error: "z"}
	if !onlyWords(fingerprint([]check.Result{http}), fingerprint([]check.Result{http, alert})) {
		t.Error("an alert beside a check of ours counts for more than words, so that one that comes and goes starts a tier each time")
	}
	if onlyWords(fingerprint(nil), fingerprint([]check.Result{alert})) {
		t.Error("an alert alone is no trouble of its own")
	}
}

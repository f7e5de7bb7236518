package store

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/check"
	"github.com/google/go-cmp/cmp"
)

func TestDeadEndsWaitOneHourThenDoubleToADay(t *testing.T) {
	i := Incident{}
	for n, hours := range []float64{1, 2, 4, 8, 16, 24, 24, 24} {
		i = i.DeadEnd(noon)
		if got := i.RetryAt.Sub(noon).Hours(); got != hours {
			t.Errorf("dead end %d waits %v h, want %v", n+1, got, hours)
		}
	}
}

func TestDeadEndWaitIsBoundedAndNeverShrinks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i := Incident{DeadEnds: rapid.IntRange(0, 1<<40).Draw(t, "dead ends")}
		wait := i.DeadEnd(noon).RetryAt.Sub(noon)
		again := i.DeadEnd(noon).DeadEnd(noon).RetryAt.Sub(noon)
		if wait < FirstWait || wait > MaxWait || again < wait {
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
		"a clock that ran ahead": {ahead(noon, MaxWait+1), noon, false},
		"after":                  {&at, at.Add(time.Minute), false},
	} {
		if _, waits := (Incident{RetryAt: test.retryAt}).WaitsUntil(test.now); waits != test.waits {
			t.Errorf("%s: waits %t, want %t", name, waits, test.waits)
		}
	}
}

func ahead(t time.Time, d time.Duration) *time.Time {
	t = t.Add(d)
	return &t
}

func TestChangedIncidentStartsAnew(t *testing.T) {
	i := Incident{Fingerprint: "a"}.DeadEnd(noon)
	same, stuck := i.Unwell(check.Down, "a", noon)
	if stuck || same.RetryAt == nil || same.DeadEnds != 1 {
		t.Errorf("unchanged: %+v, stuck %t; it must go on waiting", same, stuck)
	}
	changed, stuck := i.Unwell(check.Degraded, "b", noon)
	if stuck || changed.RetryAt != nil || changed.DeadEnds != 0 || changed.Fingerprint != "b" || changed.Status != check.Degraded {
		t.Errorf("changed: %+v, stuck %t; it must start anew", changed, stuck)
	}
}

// solved is an incident after a chain that ended as solved.
func solved(i Incident) Incident {
	i.LastChain = ChainSolved
	return i
}

func TestSecondHollowFixIsADeadEnd(t *testing.T) {
	i := solved(Incident{Fingerprint: "a"})
	i, stuck := i.Unwell(check.Down, "a", noon)
	if stuck || i.RetryAt != nil {
		t.Fatalf("the first chain that claims success and changes nothing must not be a dead end yet: %+v", i)
	}
	if again, _ := i.Unwell(check.Down, "a", noon); again.HollowFixes != i.HollowFixes {
		t.Fatalf("a cycle without a chain counted as a hollow fix: %+v", again)
	}
	i, stuck = solved(i).Unwell(check.Down, "a", noon)
	if !stuck || i.RetryAt == nil || i.DeadEnds != 1 {
		t.Fatalf("the second one must be: %+v, stuck %t", i, stuck)
	}
}

func TestHealthyInBetweenBreaksTheRowOfHollowFixes(t *testing.T) {
	i, _ := solved(Incident{Fingerprint: "a"}).Unwell(check.Down, "a", noon)
	i = solved(i).Healthy(1, noon)
	if _, stuck := i.Unwell(check.Down, "a", noon); stuck {
		t.Error("a service that was healthy in between is stuck")
	}
}

// New words start a tier at once only after the first dead end: a service may say something else each time.
func TestNewWordsStartNoTierForEver(t *testing.T) {
	says := func(words string, status check.Status) string {
		return check.Fingerprint([]check.Result{{Type: check.HTTP, Status: status, Error: words}})
	}
	i := Incident{Fingerprint: says("alpha", check.Down)}.DeadEnd(noon)
	i, _ = i.Unwell(check.Down, says("bravo", check.Down), noon)
	if i.RetryAt != nil || i.DeadEnds != 1 {
		t.Errorf("after one dead end: %+v", i)
	}
	i, _ = i.DeadEnd(noon).Unwell(check.Down, says("charlie", check.Down), noon)
	if i.RetryAt == nil || i.DeadEnds != 2 || i.Fingerprint != says("charlie", check.Down) {
		t.Errorf("after two: %+v", i)
	}
	solved, stuck := Incident{Fingerprint: says("alpha", check.Down)}, false
	for !stuck && solved.UnwellCycles < 2*wordsCycles {
		solved.LastChain = ChainSolved
		solved, stuck = solved.Unwell(check.Down, says([]string{"alpha", "bravo"}[solved.UnwellCycles%2], check.Down), noon)
	}
	if cycles := solved.UnwellCycles; cycles != wordsCycles+2 {
		t.Errorf("new words in each cycle started a tier in %d cycles", cycles)
	}
	if i, _ = i.Unwell(check.Degraded, says("charlie", check.Degraded), noon); i.RetryAt != nil || i.DeadEnds != 0 {
		t.Errorf("with another status: %+v", i)
	}
}

func TestAnIncidentComesBackWithinFourHoursOfItsRecovery(t *testing.T) {
	for name, tt := range map[string]struct {
		last Incident
		back bool
	}{
		"open":                         {Incident{Status: check.Down}, false},
		"recovered just now":           {Incident{Status: check.Healthy, ClosedAt: ahead(noon, 0)}, true},
		"recovered almost 4 h ago":     {Incident{Status: check.Healthy, ClosedAt: ahead(noon, -ReturnWithin+1)}, true},
		"recovered 4 h ago":            {Incident{Status: check.Healthy, ClosedAt: ahead(noon, -ReturnWithin)}, false},
		"recovered by a fast clock":    {Incident{Status: check.Healthy, ClosedAt: ahead(noon, time.Hour)}, true},
		"recovered by a wrong clock":   {Incident{Status: check.Healthy, ClosedAt: ahead(noon, ReturnWithin)}, false},
		"closed by an operator, down":  {Incident{Status: check.Down, ClosedAt: ahead(noon, -time.Minute)}, false},
		"closed by an operator, worse": {Incident{Status: check.Degraded, ClosedAt: ahead(noon, -time.Minute)}, false},
	} {
		if got := tt.last.ComesBack(noon); got != tt.back {
			t.Errorf("%s: comes back is %t, want %t", name, got, tt.back)
		}
	}
}

func TestAReturnedIncidentKnowsWhatItKnew(t *testing.T) {
	was := Incident{ID: 7, Fingerprint: "a", OpenedAt: noon, Returns: 1}.DeadEnd(noon)
	was.Status, was.ClosedAt = check.Healthy, ahead(noon, time.Minute)
	same := was.Back(check.Down, "a", noon.Add(2*time.Minute))
	if same.ID != 7 || same.ClosedAt != nil || same.Returns != 2 || same.DeadEnds != 1 || same.RetryAt == nil || same.Status != check.Down || !same.OpenedAt.Equal(noon) {
		t.Errorf("unchanged: %+v", same)
	}
	if changed := was.Back(check.Down, "b", noon.Add(2*time.Minute)); changed.Returns != 2 || changed.DeadEnds != 0 || changed.RetryAt != nil {
		t.Errorf("with another fault: %+v", changed)
	}
}

func TestAnIncidentInASilence(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	dead := Incident{Status: check.Down, Fingerprint: "f", DeadEnds: 2, RetryAt: &at, LastChain: ChainAttention}
	if diff := cmp.Diff(dead, dead.UnwellQuietly()); diff != "" {
		t.Errorf("a dead end stays one, -want +got:\n%s", diff)
	}
	if got := (Incident{Fingerprint: "f", LastChain: ChainSolved, HollowFixes: 1}).UnwellQuietly(); got.LastChain != ChainNone || got.HollowFixes != 1 {
		t.Errorf("after a chain that ended as solved it is %+v", got)
	}
	after, stuck := dead.RecoveredQuietly().Unwell(check.Down, "f", at)
	if stuck || after.DeadEnds != 0 || after.RetryAt != nil {
		t.Errorf("the same trouble after a recovery is %+v", after)
	}
}

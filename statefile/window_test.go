package statefile_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/statefile"
)

func TestCount(t *testing.T) {
	const restart, redeployment = statefile.Restart, statefile.Redeployment
	for _, tc := range []struct {
		name   string
		action statefile.Action
		ages   []time.Duration
		used   int
		frees  time.Duration // from noon; 0 if permitted now
	}{
		{"nothing", restart, nil, 0, 0},
		{"one", restart, []time.Duration{0}, 1, 0},
		{"two: the older one frees the place", restart, []time.Duration{time.Hour, 3 * time.Hour}, 2, time.Hour},
		{"two at once", restart, []time.Duration{time.Hour, time.Hour}, 2, 3 * time.Hour},
		{"three: two must leave", restart, []time.Duration{3 * time.Hour, 2 * time.Hour, time.Hour}, 3, 2 * time.Hour},
		{"exactly as old as the window", restart, []time.Duration{4 * time.Hour, time.Hour}, 1, 0},
		{"a second younger than the window", restart, []time.Duration{4*time.Hour - time.Second, time.Hour}, 2, time.Second},
		{"the future counts as now", restart, []time.Duration{-time.Hour, time.Hour}, 2, 3 * time.Hour},
		{"two in the future", restart, []time.Duration{-time.Hour, -48 * time.Hour}, 2, 4 * time.Hour},
		{"one redeployment", redeployment, []time.Duration{6 * time.Hour}, 1, 18 * time.Hour},
		{"an old redeployment", redeployment, []time.Duration{24 * time.Hour}, 0, 0},
		{"two redeployments", redeployment, []time.Duration{20 * time.Hour, 4 * time.Hour}, 2, 20 * time.Hour},
		{"centuries ago", restart, []time.Duration{1 << 62, 1 << 62}, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := with("x", tc.action, tc.ages...)
			got := statefile.Count(s.Service("x").Records(tc.action), tc.action, noon)
			want := statefile.Position{Action: tc.action, Used: tc.used, Limit: tc.action.Limit()}
			if tc.frees > 0 {
				want.FreesAt = noon.Add(tc.frees)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if got.Permitted() != (tc.frees == 0) {
				t.Errorf("permitted %v with %d of %d", got.Permitted(), got.Used, got.Limit)
			}
		})
	}
}

func TestCountUnreadable(t *testing.T) {
	got := statefile.Count([]statefile.Record{{}, done(time.Hour)}, statefile.Restart, noon)
	if got.Used != 2 || !got.FreesAt.Equal(noon.Add(3*time.Hour)) {
		t.Errorf("%+v, want the record without a time to count as now", got)
	}
}

func TestUnknownActionIsNeverPermitted(t *testing.T) {
	s := statefile.New()
	s.Add("x", "reboot", done(0))
	if p := statefile.Count(s.Service("x").Records("reboot"), "reboot", noon); p.Permitted() || !p.FreesAt.IsZero() {
		t.Errorf("%+v, want never", p)
	}
}

func TestServiceOfNobody(t *testing.T) {
	s := statefile.New()
	if got := s.Service("x"); got == nil || len(s.Services) != 0 {
		t.Errorf("%v: %v, want an empty service that is not kept", s, got)
	}
}

func TestTidyDropsWhatIsOld(t *testing.T) {
	s := with("x", statefile.Restart, 48*time.Hour, 48*time.Hour-time.Second, 0, -time.Hour)
	s.Add("x", statefile.Redeployment, done(50*time.Hour))
	s.Add("x", statefile.Restart, statefile.Record{})
	s.Tidy(noon)
	if got := s.Service("x"); len(got.Restarts) != 4 || len(got.Redeployments) != 0 {
		t.Errorf("%d restarts and %d redeployments, want 4 and 0", len(got.Restarts), len(got.Redeployments))
	}
}

func TestTidyDatesTheFutureNow(t *testing.T) {
	s := parse(t, `{"services":{
		"b":{"restarts":[{"timestamp":"2025-06-15T12:00:01Z"},{"timestamp":null},{"timestamp":"2025-06-15T11:59:59Z"}]},
		"a":{"redeployments":[{"success":true}]}}, "last_run":"2030-01-01T00:00:00Z", "last_daily_digest":"2030-01-01T00:00:00Z"}`)
	s.Tidy(noon.Add(900 * time.Millisecond))
	times := []time.Time{*s.LastRun, *s.LastDailyDigest, s.Service("a").Redeployments[0].Timestamp}
	for _, r := range s.Service("b").Restarts {
		times = append(times, r.Timestamp)
	}
	if diff := cmp.Diff([]time.Time{noon, noon, noon, noon, noon, noon.Add(-time.Second)}, times); diff != "" {
		t.Error(diff)
	}
}

func TestFutureDigestCountsAsNow(t *testing.T) {
	s := parse(t, `{"last_daily_digest":"2030-01-01T00:00:00Z"}`)
	if s.DigestDue(noon) {
		t.Error("a digest is due right after one in the future")
	}
	s.Tidy(noon)
	if !s.DigestDue(noon.Add(24*time.Hour + time.Second)) {
		t.Error("a clock that was wrong once holds up digests")
	}
}

// recordsOf draws records around noon, with whole seconds, some in the future and some without a time.
func recordsOf(t *rapid.T, label string) []statefile.Record {
	draw := rapid.Custom(func(t *rapid.T) statefile.Record {
		if rapid.IntRange(0, 9).Draw(t, "readable") == 0 {
			return statefile.Record{}
		}
		return statefile.Record{Timestamp: statefile.At(noon.Add(ageOf(t)))}
	})
	return rapid.SliceOfN(draw, 0, 8).Draw(t, label)
}

func ageOf(t *rapid.T) time.Duration {
	near := rapid.SampledFrom([]time.Duration{0, -4 * time.Hour, -24 * time.Hour, -48 * time.Hour}).Draw(t, "near")
	spread := rapid.SampledFrom([]int{1, 2, 3600, 4 * 3600}).Draw(t, "spread")
	return near + time.Duration(rapid.IntRange(-spread, spread).Draw(t, "seconds"))*time.Second
}

func actionOf(t *rapid.T) statefile.Action {
	actions := statefile.Actions()
	return rapid.SampledFrom(actions[:]).Draw(t, "action")
}

func TestPropertyFreesAtIsTheFirstMomentPermitted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, a := statefile.New(), actionOf(t)
		s.Ensure("x").SetRecords(a, recordsOf(t, "records"))
		p := statefile.Count(s.Service("x").Records(a), a, noon)
		s.Tidy(noon)
		if straight := statefile.Count(s.Service("x").Records(a), a, noon); straight != p {
			t.Fatalf("position %+v became %+v by tidying", p, straight)
		}
		at := func(when time.Time) bool { return statefile.Count(s.Service("x").Records(a), a, when).Permitted() }
		switch {
		case p.Permitted() != p.FreesAt.IsZero():
			t.Fatalf("%+v: a moment exactly where it is not permitted", p)
		case p.Permitted():
		case !p.FreesAt.After(noon) || p.FreesAt.Sub(noon) > a.Window():
			t.Fatalf("frees at %v, which is not within the window from now", p.FreesAt)
		case at(p.FreesAt.Add(-1)):
			t.Fatalf("permitted before %v", p.FreesAt)
		case !at(p.FreesAt):
			t.Fatalf("not permitted at %v", p.FreesAt)
		}
	})
}

func TestPropertyUsedIsWhatTheWindowHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, records := actionOf(t), recordsOf(t, "records")
		want := 0
		for _, r := range records {
			// The reverse of the code's condition: a record counts until its window has passed.
			if r.Timestamp.IsZero() || r.Timestamp.Add(a.Window()).After(noon) {
				want++
			}
		}
		if got := statefile.Count(records, a, noon).Used; got != want {
			t.Fatalf("used %d, want %d", got, want)
		}
	})
}

// A program that only acts when permitted never exceeds the limit in any window, at any start and across any number of files.
func TestPropertyNoWindowHoldsMoreThanTheLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, a, now := statefile.New(), actionOf(t), noon
		var acted []time.Time
		for range rapid.IntRange(1, 60).Draw(t, "attempts") {
			now = now.Add(time.Duration(rapid.IntRange(0, 3*3600).Draw(t, "seconds later")) * time.Second)
			if !statefile.Count(s.Service("x").Records(a), a, now).Permitted() {
				continue
			}
			s.Add("x", a, statefile.Record{Timestamp: statefile.At(now)})
			acted = append(acted, now)
			s.Tidy(now)
			text, err := s.Marshal()
			if err != nil {
				t.Fatal(err)
			}
			if s, err = statefile.Parse(text); err != nil {
				t.Fatal(err)
			}
		}
		for i := a.Limit(); i < len(acted); i++ {
			if acted[i].Sub(acted[i-a.Limit()]) < a.Window() {
				t.Fatalf("%d acts within %v: %v", a.Limit()+1, acted[i].Sub(acted[i-a.Limit()]), acted)
			}
		}
	})
}

func TestPropertyTidyChangesNoPosition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, a := statefile.New(), actionOf(t)
		s.Ensure("x").SetRecords(a, recordsOf(t, "records"))
		before := statefile.Count(s.Service("x").Records(a), a, noon)
		s.Tidy(noon)
		if after := statefile.Count(s.Service("x").Records(a), a, noon); after != before {
			t.Fatalf("%+v became %+v", before, after)
		}
	})
}

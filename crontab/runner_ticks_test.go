package crontab

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/claudeops/claudeops/schedule"
)

// newest returns the last tick that going from tick to tick with next reaches.
func TestNewestIsWhereTheTicksLead(t *testing.T) {
	begin := time.Date(2026, 10, 20, 0, 0, 0, 0, time.UTC)
	for _, text := range []string{
		"* * * * *", "*/7 * * * *", "30 2 * * *", "CRON_TZ=Europe/Berlin 30 2 * * *", "CRON_TZ=Europe/Berlin */20 * * * *", "0 9-17 * * 1-5",
		"CRON_TZ=America/New_York 15 1 * * *", "@every 17m", "@every 26h", "0 0 29 2 *",
	} {
		b := beat{expression(t, text), begin.Add(-time.Hour)}
		for range 50 {
			until := begin.Add(rand.N(20 * 24 * time.Hour))
			from := until.Add(-48 * time.Hour)
			want := time.Time{}
			for at := b.next(from); !at.IsZero() && !at.After(until); at = b.next(at) {
				want = at
			}
			got := b.newest(until)
			if !got.After(from) {
				got = time.Time{} // before the range that the loop covered
			}
			if !got.Equal(want) {
				t.Fatalf("%s until %v: %v, want %v", text, until, got, want)
			}
		}
	}
}

func TestTheNewestTickMayBeYearsAgo(t *testing.T) {
	b := beat{expression(t, "0 0 29 2 *"), time.Time{}}
	if got, want := b.newest(time.Date(2027, 6, 1, 0, 0, 0, 0, time.UTC)), time.Date(2024, 2, 29, 0, 0, 0, 0, time.Local); !got.Equal(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestUnanswered(t *testing.T) {
	day := func(hour, minute int) time.Time { return time.Date(2026, 11, 21, hour, minute, 0, 0, time.UTC) }
	for name, test := range map[string]struct {
		schedules string
		last, now time.Time
		due       string // empty for none
	}{
		"as the schedule asks for":             {"CRON_TZ=UTC 0 * * * *", day(10, 5), day(11, 50), ""},
		"the run may still be on":              {"CRON_TZ=UTC 0 * * * *", day(10, 5), day(11, 59), ""},
		"it should have ended":                 {"CRON_TZ=UTC 0 * * * *", day(10, 5), day(12, 1), "11:00"},
		"the newest of several":                {"CRON_TZ=UTC */10 * * * *", day(10, 5), day(13, 5), "12:00"},
		"a weekend without runs":               {"CRON_TZ=UTC 0 9-17 * * 1-5", day(10, 0).AddDate(0, 0, -1).Add(8 * time.Hour), day(20, 0), ""},
		"an interval is counted from the last": {"@every 30m", day(10, 5), day(11, 30), ""},
		"an interval without a run":            {"@every 30m", day(10, 5), day(11, 36), "10:35"},
	} {
		due, found := Unanswered([]schedule.Expression{expression(t, test.schedules)}, test.last, test.now, time.Hour)
		got := ""
		if found {
			got = due.UTC().Format("15:04")
		}
		if got != test.due {
			t.Errorf("%s: %q is unanswered, want %q", name, got, test.due)
		}
	}
}

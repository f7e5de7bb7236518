package schedule

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robfig/cron/v3"
	"pgregory.net/rapid"
)

// changes are zones with the days on which their clock is set forward or back.
func changes() map[string][]string {
	return map[string][]string{
		"Europe/Berlin":       {"2026-03-29", "2026-10-25"},
		"America/New_York":    {"2026-03-08", "2026-11-01"},
		"Australia/Lord_Howe": {"2026-10-04", "2026-04-05"}, // by half an hour
		"America/Santiago":    {"2026-09-06", "2026-04-05"}, // at midnight
		"America/Asuncion":    {"2023-10-01", "2024-03-24"}, // at midnight
		"Africa/Casablanca":   {"2026-02-15", "2026-03-22"}, // for a month
		"Pacific/Apia":        {"2011-12-30", "2011-09-24"}, // a missing day; at three
		"UTC":                 {"2026-03-29"},
	}
}

func day(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// A daily run occurs once on each date of the zone, whatever its time.
func TestDailyRunsAreNeitherSkippedNorDoubled(t *testing.T) {
	for zone, days := range changes() {
		for _, text := range days {
			change := day(t, text)
			location := must(t, "CRON_TZ="+zone+" @daily").Location()
			begin := time.Date(change.Year(), change.Month(), change.Day()-2, 0, 0, 0, 0, location)
			end := time.Date(change.Year(), change.Month(), change.Day()+3, 0, 0, 0, 0, location)
			var want []string
			for at := begin; at.Before(end); at = at.Add(15 * time.Minute) {
				if date := at.Format(time.DateOnly); !slices.Contains(want, date) {
					want = append(want, date)
				}
			}
			for at := range 24 * 60 {
				e := must(t, fmt.Sprintf("CRON_TZ=%s %d %d * * *", zone, at%60, at/60))
				var got []string
				for at := e.Next(begin.Add(-1)); at.Before(end); at = e.Next(at) {
					got = append(got, at.Format(time.DateOnly))
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%s runs on %s, want %s", e, got, want)
				}
			}
		}
	}
}

func TestTimesAroundChanges(t *testing.T) {
	for _, c := range []struct{ expression, after, want string }{ // in UTC
		{"CRON_TZ=Europe/Berlin 30 2 * * *", "2026-03-28T12:00", "29T01:30 30T00:30"}, // 3:30
		{"CRON_TZ=Europe/Berlin 30 2 * * *", "2026-10-24T12:00", "25T00:30 26T01:30"},
		{"CRON_TZ=Europe/Berlin 30 2 * * *", "2026-10-25T00:30", "26T01:30"},
		{"CRON_TZ=Europe/Berlin 30 2 * * *", "2026-10-25T01:10", "26T01:30"},
		{"CRON_TZ=Europe/Berlin 30 3 * * *", "2026-03-28T12:00", "29T01:30 30T01:30"},
		{"CRON_TZ=Europe/Berlin 30 2,3 * * *", "2026-03-28T12:00", "29T01:30 30T00:30 30T01:30"}, // both are the same moment
		{"CRON_TZ=Europe/Berlin 0 2 29 3 *", "2026-03-28T12:00", "29T01:00"},
		{"CRON_TZ=Europe/Berlin 0 * * * *", "2026-03-28T23:30", "29T00:00 29T01:00 29T02:00"},
		{"CRON_TZ=Europe/Berlin 0 * * * *", "2026-10-24T23:30", "25T00:00 25T01:00 25T02:00 25T03:00"},
		{"CRON_TZ=Europe/Berlin 0 0-23 * * *", "2026-10-24T23:30", "25T00:00 25T01:00 25T02:00 25T03:00"},
		{"CRON_TZ=Europe/Berlin */30 * * * *", "2026-10-25T00:15", "25T00:30 25T01:00 25T01:30 25T02:00"},
		{"CRON_TZ=Europe/Berlin 0 */2 * * *", "2026-10-24T23:30", "25T00:00 25T03:00"},
		{"CRON_TZ=Europe/Berlin 0 */2 * * *", "2026-03-28T23:30", "29T01:00 29T02:00 29T04:00"},
		{"CRON_TZ=Europe/Berlin */30 2 * * *", "2026-10-24T23:30", "25T00:00 25T00:30 26T01:00"},
		{"CRON_TZ=Australia/Lord_Howe 15 2 * * *", "2026-10-03T12:00", "03T15:45 04T15:15"},
		{"CRON_TZ=Australia/Lord_Howe 45 1 * * *", "2026-04-04T12:00", "04T14:45 05T15:15"},
		{"CRON_TZ=Australia/Lord_Howe 15 2 * * *", "2026-04-04T12:00", "04T15:45 05T15:45"},
		{"CRON_TZ=Australia/Lord_Howe */20 * * * *", "2026-10-03T15:00", "03T15:10 03T15:40 03T16:00"},
		{"CRON_TZ=America/Santiago 0 0 * * 0", "2026-09-05T12:00", "06T04:00 13T03:00"},
		{"CRON_TZ=America/Santiago 30 23 * * *", "2026-04-04T12:00", "05T02:30 06T03:30"},
		{"CRON_TZ=Pacific/Apia 0 12 30 12 *", "2011-12-28T00:00", "30T22:00 29T22:00"}, // on the missing date, a day after the 29th
		{"CRON_TZ=Pacific/Apia 0 12 * * *", "2011-12-28T23:00", "29T22:00 30T22:00 31T22:00"},
	} {
		e := must(t, c.expression)
		at, err := time.Parse("2006-01-02T15:04", c.after)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range strings.Fields(c.want) {
			if at = e.Next(at); at.Format("02T15:04") != want || at.Location() != time.UTC {
				t.Errorf("%s after %s: run %d is at %s, want %s", c.expression, c.after, i+1, at, want)
				break
			}
		}
	}
}

// A result is in the zone of the argument; zero if there is none.
func TestNext(t *testing.T) {
	new := time.FixedZone("", 3600)
	if next := must(t, "TZ=Asia/Kolkata 0 6 * * *").Next(time.Date(2026, 1, 1, 0, 0, 0, 0, new)); next.Location() != new || next.Hour() != 1 || next.Minute() != 30 {
		t.Errorf("%s", next)
	}
	leap := must(t, "TZ=Europe/Berlin 0 0 29 2 *")
	if next := leap.Next(day(t, "2024-03-01")); next.Format(time.DateTime) != "2028-02-28 23:00:00" {
		t.Errorf("the next leap day is %s", next)
	}
	if next := leap.Next(day(t, "2096-03-01")); !next.IsZero() {
		t.Errorf("within five years comes %s", next)
	}
}

// For the last day of a leap year after 2037, the time package reports no end of the zone's offset.
func TestNextGoesOnAfter2037(t *testing.T) {
	for zone := range changes() {
		e := must(t, "CRON_TZ="+zone+" 30 12 1 1,7 *")
		at := time.Date(2036, 12, 1, 0, 0, 0, 0, e.Location())
		for year := 2037; year < 2060; year++ {
			for _, month := range []time.Month{time.January, time.July} {
				want := time.Date(year, month, 1, 12, 30, 0, 0, e.Location())
				if at = e.Next(at); !at.Equal(want) {
					t.Fatalf("%s comes at %s, want %s", e, at, want)
				}
			}
		}
		for _, year := range []int{2040, 2044} {
			last := time.Date(year, 12, 31, 15, 0, 0, 0, e.Location())
			if got, want := must(t, "CRON_TZ="+zone+" 0 16 31 12 *").Next(last), last.Add(time.Hour); !got.Equal(want) {
				t.Errorf("%s: %s follows %s", zone, got, last)
			}
		}
	}
}

// drawn draws an expression, mostly with times in the early hours.
func drawn(t *rapid.T, zone string) Expression {
	text := "CRON_TZ=" + zone + " " +
		rapid.SampledFrom([]string{"*", "0", "30", "*/15", "*/20", "5/10", "59", "0-30/10,45"}).Draw(t, "minute") + " " +
		rapid.SampledFrom([]string{"*", "0", "1", "2", "3", "0-23", "*/2", "1-3", "23,0", "22/1"}).Draw(t, "hour") + " " +
		rapid.SampledFrom([]string{"*", "1", "29", "1-31/2", "25-31", "5,6", "30"}).Draw(t, "day") + " " +
		rapid.SampledFrom([]string{"*", "*", "3,4,9-12"}).Draw(t, "month") + " " +
		rapid.SampledFrom([]string{"*", "0", "6", "1-5", "5-7"}).Draw(t, "weekday")
	e, err := Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return e
}

// matches reports whether the fields match a wall clock.
func matches(e Expression, wall time.Time) bool {
	minute, hour, dom, month, dow := e.Fields()
	has := func(f Field, value int) bool { return f.Bits>>value&1 == 1 }
	date := has(dom, wall.Day()) || has(dow, int(wall.Weekday()))
	if dom.Any || dow.Any {
		date = has(dom, wall.Day()) && has(dow, int(wall.Weekday()))
	}
	return wall.Second() == 0 && has(minute, wall.Minute()) && has(hour, wall.Hour()) && has(month, int(wall.Month())) && date
}

// times returns the times of an expression from begin on and before end, by trying every reading of the wall clock.
func times(e Expression, begin, end time.Time, shown bool) []time.Time {
	_, hour, _, _, _ := e.Fields()
	each := hour.Bits == everyHour
	found := map[time.Time]bool{}
	for wall := begin.Add(-26 * time.Hour).Truncate(time.Minute); wall.Before(end.Add(26 * time.Hour)); wall = wall.Add(time.Minute) {
		if !matches(e, wall) {
			continue
		}
		var at []time.Time
		for _, near := range []time.Duration{-27 * time.Hour, 27 * time.Hour} {
			_, offset := wall.Add(near).In(e.Location()).Zone()
			instant := wall.Add(-time.Duration(offset) * time.Second)
			if _, really := instant.In(e.Location()).Zone(); really == offset {
				at = append(at, instant)
			}
		}
		slices.SortFunc(at, time.Time.Compare)
		switch {
		case len(at) == 0 && (shown || !each):
			_, before := wall.Add(-27 * time.Hour).In(e.Location()).Zone()
			at = []time.Time{wall.Add(-time.Duration(before) * time.Second)}
		case len(at) > 1 && !shown && !each:
			at = at[:1]
		}
		for _, instant := range at {
			found[instant] = !instant.Before(begin) && instant.Before(end)
		}
	}
	var all []time.Time
	for instant, within := range found {
		if within {
			all = append(all, instant)
		}
	}
	slices.SortFunc(all, time.Time.Compare)
	return all
}

// Next finds the same times as trying all, around each change and from any start.
func TestNextFindsAllTimes(t *testing.T) {
	var where [][2]string
	for zone, days := range changes() {
		for _, change := range days {
			where = append(where, [2]string{zone, change})
		}
	}
	slices.SortFunc(where, func(a, b [2]string) int { return strings.Compare(a[0]+a[1], b[0]+b[1]) })
	rapid.Check(t, func(r *rapid.T) {
		place := rapid.SampledFrom(where).Draw(r, "where")
		e := drawn(r, place[0])
		begin := day(t, place[1]).Add(-48*time.Hour + time.Duration(rapid.Int64Range(0, int64(72*time.Hour)).Draw(r, "begin")))
		end := begin.Add(48 * time.Hour)
		for _, shown := range []bool{false, true} {
			next := e.Next
			if shown {
				next = e.NextShown
			}
			var got []time.Time
			for at := next(begin.Add(-1)); !at.IsZero() && at.Before(end); at = next(at) {
				if len(got) > 0 && !at.After(got[len(got)-1]) {
					r.Fatalf("%s: %s follows %s", e, at, got[len(got)-1])
				}
				got = append(got, at)
			}
			if want := times(e, begin, end, shown); !slices.EqualFunc(got, want, time.Time.Equal) {
				r.Fatalf("%s from %s (shown %v):\n%s\nwant\n%s", e, begin, shown, got, want)
			}
		}
	})
}

// A later argument never has an earlier result, and there are no times between an argument and its result.
func TestNextIsMonotone(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		e := drawn(r, rapid.SampledFrom([]string{"UTC", "Europe/Berlin", "Australia/Lord_Howe", "America/Santiago", "Africa/Casablanca"}).Draw(r, "zone"))
		at := time.Unix(rapid.Int64Range(1262304000, 2524608000).Draw(r, "at"), rapid.Int64Range(0, 999999999).Draw(r, "ns")).UTC()
		next := e.Next(at)
		if next.IsZero() {
			return // there may be no leap day within five years
		}
		if !next.After(at) {
			r.Fatalf("%s: %s comes after %s", e, next, at)
		}
		between := at.Add(time.Duration(rapid.Int64Range(0, int64(next.Sub(at))-1).Draw(r, "between")))
		if again := e.Next(between); !again.Equal(next) {
			r.Fatalf("%s: %s after %s, and %s after %s", e, next, at, again, between)
		}
	})
}

// Where no clock changes, an expression has the same meaning as in robfig's parser, and so in Kubernetes.
func TestWithoutChangesNextIsRobfigs(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		e := drawn(r, rapid.SampledFrom([]string{"UTC", "Asia/Kolkata", "Etc/GMT+9", "Asia/Kathmandu"}).Draw(r, "zone"))
		plain := e.Plain()
		foreign, err := cron.ParseStandard("CRON_TZ=" + e.Zone() + " " + strings.Join(plain, " "))
		if err != nil {
			r.Fatal(err)
		}
		at := time.Unix(rapid.Int64Range(1262304000, 2524608000).Draw(r, "at"), 0).UTC()
		for range 50 {
			got, want := e.Next(at), foreign.Next(at)
			if !got.Equal(want) {
				r.Fatalf("%s after %s: %s, want %s", e, at, got, want)
			}
			if at = got; at.IsZero() {
				return
			}
		}
	})
}

package inventory

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/schedule"
)

// instant parses a time in RFC 3339 format.
func instant(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// window returns the window of a services file.
func window(t testing.TB, text string) Window {
	t.Helper()
	return mustParse(t, "services: [{name: a, maintenance: [{"+text+"}]}]").Services[0].Maintenance[0]
}

// inZone sets the machine's zone for one test.
func inZone(t testing.TB, name string) {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	was := time.Local
	time.Local = zone
	t.Cleanup(func() { time.Local = was })
}

// Each row is a window, a time, and the end of the window at that time; a dash if the time is outside. The machine is in New York,
// independent of the zone of the time.
func TestUntil(t *testing.T) {
	inZone(t, "America/New_York")
	for _, c := range []struct{ window, now, end string }{
		{"from: 2026-11-21T22:00:00Z, to: 2026-11-21T23:00:00Z", "2026-11-21T21:59:59.999999999Z", "-"},
		{"from: 2026-11-21T22:00:00Z, to: 2026-11-21T23:00:00Z", "2026-11-21T22:00:00Z", "2026-11-21T23:00:00Z"},
		{"from: 2026-11-21T22:00:00Z, to: 2026-11-21T23:00:00Z", "2026-11-21T22:59:59.999999999Z", "2026-11-21T23:00:00Z"},
		{"from: 2026-11-21T22:00:00Z, to: 2026-11-21T23:00:00Z", "2026-11-21T23:00:00Z", "-"},
		{"from: '2026-11-21T23:00:00+01:00', to: '2026-11-22T00:00:00+01:00'", "2026-11-21T22:30:00Z", "2026-11-21T23:00:00Z"},
		{"from: 2026-11-21 22:00:00Z, to: 2026-11-21 22:00:00.5Z", "2026-11-21T22:00:00.4Z", "2026-11-21T22:00:00.5Z"},

		{"schedule: CRON_TZ=UTC 0 3 * * *, for: 2h", "2026-11-21T02:59:59.999999999Z", "-"},
		{"schedule: CRON_TZ=UTC 0 3 * * *, for: 2h", "2026-11-21T03:00:00Z", "2026-11-21T05:00:00Z"},
		{"schedule: CRON_TZ=UTC 0 3 * * *, for: 2h", "2026-11-21T04:59:59.999999999Z", "2026-11-21T05:00:00Z"},
		{"schedule: CRON_TZ=UTC 0 3 * * *, for: 2h", "2026-11-21T05:00:00Z", "-"},
		{"schedule: TZ=UTC 0 3 * * *, for: 1500ms", "2026-11-21T03:00:01.499999999Z", "2026-11-21T03:00:01.5Z"},

		// Without a zone, a schedule is in the machine's zone, not in that of the time.
		{"schedule: 0 3 * * *, for: 1h", "2026-11-21T08:30:00Z", "2026-11-21T09:00:00Z"},
		{"schedule: 0 3 * * *, for: 1h", "2026-11-21T03:30:00Z", "-"},
		{"schedule: 0 3 * * *, for: 1h", "2026-07-21T07:30:00Z", "2026-07-21T08:00:00Z"},
		{"schedule: CRON_TZ=Asia/Kolkata @daily, for: 1h", "2026-11-21T18:45:00Z", "2026-11-21T19:30:00Z"},

		// Across the end of a day, a week, a month and a year.
		{"schedule: TZ=UTC 0 23 * * 6, for: 3h", "2026-11-22T01:59:00Z", "2026-11-22T02:00:00Z"},
		{"schedule: TZ=UTC 0 22 31 12 *, for: 12h", "2027-01-01T09:59:00Z", "2027-01-01T10:00:00Z"},
		{"schedule: TZ=UTC 0 0 29 2 *, for: 24h", "2028-02-29T12:00:00Z", "2028-03-01T00:00:00Z"},

		// If For is longer than the interval of the schedule, the most recent start counts.
		{"schedule: TZ=UTC 0 * * * *, for: 3h", "2026-11-21T12:30:00Z", "2026-11-21T15:00:00Z"},
		{"schedule: TZ=UTC 0 3 * * *, for: 168h", "2026-11-21T12:00:00Z", "2026-11-28T03:00:00Z"},
		{"schedule: 'TZ=UTC 0 3 * * 1,2', for: 48h", "2026-11-23T12:00:00Z", "2026-11-25T03:00:00Z"},

		// In the night in which the clock is set back, the hour occurs twice, and so does the window.
		{"schedule: CRON_TZ=Europe/Berlin 30 2 * * *, for: 20m", "2026-10-25T00:35:00Z", "2026-10-25T00:50:00Z"},
		{"schedule: CRON_TZ=Europe/Berlin 30 2 * * *, for: 20m", "2026-10-25T01:35:00Z", "2026-10-25T01:50:00Z"},
		{"schedule: CRON_TZ=Europe/Berlin 0 1 * * *, for: 4h", "2026-10-25T02:59:59Z", "2026-10-25T03:00:00Z"}, // 4 hours, not until 5 o'clock
		// In the night in which the clock is set forward, the hour does not exist, but the window does.
		{"schedule: CRON_TZ=Europe/Berlin 30 2 * * *, for: 20m", "2026-03-29T00:35:00Z", "-"},
		{"schedule: CRON_TZ=Europe/Berlin 30 2 * * *, for: 20m", "2026-03-29T01:30:00Z", "2026-03-29T01:50:00Z"},
		{"schedule: CRON_TZ=Europe/Berlin 0 1 * * *, for: 4h", "2026-03-29T03:59:59Z", "2026-03-29T04:00:00Z"},
		// Zones whose clock changes by half an hour.
		{"schedule: CRON_TZ=Australia/Lord_Howe 0 3 * * *, for: 1h", "2026-10-03T16:30:00Z", "2026-10-03T17:00:00Z"},
		// Zones with days that begin at one o'clock, and with a missing day.
		{"schedule: CRON_TZ=Africa/Cairo 0 0 * * *, for: 10m", "2026-04-23T22:05:00Z", "2026-04-23T22:10:00Z"},
		{"schedule: CRON_TZ=Pacific/Apia 0 12 30 12 *, for: 10m", "2011-12-30T22:05:00Z", "2011-12-30T22:10:00Z"},
	} {
		w, now := window(t, c.window), instant(t, c.now)
		for _, zone := range []*time.Location{time.UTC, time.Local, time.FixedZone("", -7*3600)} {
			end, open := w.Until(now.In(zone))
			if got := end.UTC().Format(time.RFC3339Nano); open != (c.end != "-") || open && got != c.end {
				t.Errorf("%s at %s (%s): open %v until %s, want %s", c.window, c.now, zone, open, got, c.end)
			}
		}
	}
}

// A recurring window is open exactly after one of its times, and ends For after the most recent one.
func TestScheduledWindows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zone := rapid.SampledFrom([]string{"UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"}).Draw(t, "zone")
		fields := []string{
			rapid.SampledFrom([]string{"0", "30", "*/7", "5-20", "*"}).Draw(t, "minute"),
			rapid.SampledFrom([]string{"*", "1", "2,3", "*/5"}).Draw(t, "hour"),
			rapid.SampledFrom([]string{"*", "1", "29", "25-31"}).Draw(t, "day"), "*",
			rapid.SampledFrom([]string{"*", "0", "1-5"}).Draw(t, "weekday"),
		}
		parsed, err := schedule.Parse("CRON_TZ=" + zone + " " + strings.Join(fields, " "))
		if err != nil {
			t.Fatal(err)
		}
		w := Window{Schedule: &parsed, For: time.Duration(rapid.Int64Range(1, int64(10*time.Hour)).Draw(t, "for"))}
		if rapid.Bool().Draw(t, "whole") {
			w.For = w.For.Truncate(time.Minute) + time.Minute
		}
		day := rapid.SampledFrom([]string{"2026-03-29", "2026-10-25", "2026-03-08", "2026-11-01", "2026-10-04", "2026-12-31"}).Draw(t, "day")
		midnight, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		now := midnight.Add(time.Duration(rapid.Int64Range(0, int64(24*time.Hour)).Draw(t, "now")))
		if rapid.Bool().Draw(t, "whole now") {
			now = now.Truncate(time.Minute)
		}

		var want time.Time // the result of trying all times
		for begin := parsed.NextShown(now.Add(-w.For - time.Minute)); !begin.IsZero() && !begin.After(now); begin = parsed.NextShown(begin) {
			if end := begin.Add(w.For); end.After(now) {
				want = end
			}
		}
		end, open := w.Until(now)
		if open == want.IsZero() || open && !end.Equal(want) {
			t.Fatalf("%s for %s, at %s: %v until %s, want %s", fields, w.For, now, open, end, want)
		}
	})
}

func TestMaintainedIsTheWindowThatEndsLast(t *testing.T) {
	service := mustParse(t, `
services:
  - name: a
    maintenance:
      - {from: 2026-11-21T22:00:00Z, to: 2026-11-21T23:00:00Z, note: once}
      - {schedule: TZ=UTC 30 22 * * *, for: 1h, note: daily}
      - {schedule: TZ=UTC 30 22 * * *, for: 10m, note: short}
  - name: b
`).Services
	for now, want := range map[string]string{
		"2026-11-21T21:00:00Z": "",
		"2026-11-21T22:10:00Z": "once 23:00",
		"2026-11-21T22:35:00Z": "daily 23:30",
		"2026-11-21T23:10:00Z": "daily 23:30",
		"2026-11-21T23:30:00Z": "",
		"2026-11-22T22:35:00Z": "daily 23:30",
	} {
		got := ""
		if w, until, open := service[0].Maintained(instant(t, now)); open {
			got = w.Note + " " + until.UTC().Format("15:04")
		}
		if got != want {
			t.Errorf("at %s: %q, want %q", now, got, want)
		}
	}
	if _, _, open := service[1].Maintained(instant(t, "2026-11-21T22:10:00Z")); open {
		t.Error("a service without windows is maintained")
	}
}

func TestFaultsOfWindows(t *testing.T) {
	const (
		zoned = "; must be a time with its zone, like 2026-11-21T22:00:00Z or 2026-11-21T23:00:00+01:00"
		five  = " instead of five; must be minute, hour, day of month, month and day of week, like 0 * * * *"
		every = " with every program; must be five fields like 0 3 * * 0, or @daily and its kin"
		both  = "from and to, or schedule and for"
	)
	for _, c := range []struct{ window, at, want string }{
		{"note: x", "{note", "maintenance: no time; must have " + both},
		{"from: 2026-11-21T22:00:00Z", "{from", "to: missing; must be when the window ends, like 2026-11-21T23:30:00Z"},
		{"to: 2026-11-21T22:00:00Z", "{to", "from: missing; must be when the window begins, like 2026-11-21T22:00:00Z"},
		{"for: 1h", "{for", "schedule: missing; must be when the window begins, like `0 3 * * 0`"},
		{"schedule: '@daily'", "{schedule", "for: missing; must be how long the window lasts, like 2h"},
		{"schedule: '@daily', for: 1h, to: 2026-11-21T22:00:00Z", "{schedule", "maintenance: a window that is both single and recurring; must have " + both},
		{"from: 2026-11-21T22:00:00Z, to: 2026-11-21T22:00:00Z", "2026-11-21T22:00:00Z}", "to: not after from; must be when the window ends"},
		{"from: 2026-11-21T22:00:00Z, to: 2026-11-21T22:30:00+01:00", "2026-11-21T22:30", "to: not after from; must be when the window ends"},
		{"from: 2026-11-21T22:00:00, to: 2026-11-22T00:00:00Z", "2026-11-21", `from: "2026-11-21T22:00:00"` + zoned},
		{"from: '2026-02-30T22:00:00Z', to: 2026-11-22T00:00:00Z", "'2026-02", `from: "2026-02-30T22:00:00Z"` + zoned},
		{"from: '2026-11-21T22:00:00,5Z', to: 2026-11-22T00:00:00Z", "'2026-11-21", `from: "2026-11-21T22:00:00,5Z"` + zoned},
		{"from: 20261121, to: 2026-11-22T00:00:00Z", "20261121", `from: a number` + zoned},
		{"schedule: '@daily', for: 0s", "0s", `for: "0s"; must be more than 0s and at most 168h`},
		{"schedule: '@daily', for: 169h", "169h", `for: "169h"; must be more than 0s and at most 168h`},
		{"schedule: '', for: 1h", "''", `schedule: "": empty; write five fields like 0 * * * *`},
		{"schedule: '0 3 * *', for: 1h", "'0 3", `schedule: "0 3 * *": 4 fields` + five},
		{"schedule: '@every 1h', for: 1h", "'@every", `schedule: "@every 1h": @every begins anew` + every},
		{"schedule: '0 3 30 2 *', for: 1h", "'0 3 30", `schedule: "0 3 30 2 *": day of month "30" does not occur in month "2"; must be a date that exists`},
		{"schedule: 'TZ= 0 3 * * *', for: 1h", "'TZ", `schedule: "TZ= 0 3 * * *": TZ= names no time zone; write it like CRON_TZ=Europe/Berlin 0 * * * *`},
		{"schedule: '" + strings.Repeat("0 ", 100) + "', for: 1h", "'" + strings.Repeat("0 ", 100), `schedule: "` + strings.Repeat("0 ", 30) + `"…: 100 fields` + five},
		{"schedule: CRON_TZ=Mars/Olympus 0 3 * * *, for: 1h", "CRON", `schedule: "CRON_TZ=Mars/Olympus 0 3 * * *": time zone "Mars/Olympus" is not known here; ` +
			"must be a name of the time zone database like Europe/Berlin or UTC"},
		{"schedule: 5, for: 1h", "5,", "schedule: a number; must be a text, so put it in quotes"},
	} {
		line := fmt.Sprintf("services: [{name: a, maintenance: [{%s}]}]", c.window)
		want := []string{fmt.Sprintf("line 1, column %d: %s", strings.LastIndex(line, c.at)+1, c.want)}
		if diff := cmp.Diff(want, faultsOf(t, line)); diff != "" {
			t.Errorf("%s\n%s", line, diff)
		}
	}
}

package store

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/check"
)

// looked adds cycles: "HOURS STATUS" is one that many hours ago.
func looked(t *testing.T, s *Store, service string, looks ...string) {
	t.Helper()
	for _, l := range looks {
		hours, status, _ := strings.Cut(l, " ")
		before, err := strconv.ParseFloat(hours, 64)
		ok(t, err)
		ok(t, s.AddChecks(t.Context(), nil, ago(before), []check.Result{{Service: service, Type: check.HTTP, Status: check.Status(status)}}))
	}
}

// hourly returns a healthy cycle for each hour in a range.
func hourly(from, to int) (looks []string) {
	for h := from; h >= to; h-- {
		looks = append(looks, fmt.Sprint(h, " healthy"))
	}
	return looks
}

func TestUptimeIsAShareOfTime(t *testing.T) {
	var twelve []string // within 2 minutes
	for n := 12.0; n > 0; n-- {
		twelve = append(twelve, fmt.Sprintf("%.12f down", n/12*2/60))
	}
	for name, tt := range map[string]struct {
		looks     []string
		day, week string // and for how long it was down
	}{
		"never down":                        {hourly(7*24, 0), "100 % 0s", "100 % 0s"},
		"looked at 12 times while down":     {slices.Concat(hourly(7*24, 1), twelve), "99.86 % 2m0s", "99.98 % 2m0s"},
		"down for half an hour, then up":    {slices.Concat(hourly(7*24, 2), []string{"1 down", "0.5 healthy"}), "97.9 % 30m0s", "99.70 % 30m0s"},
		"degraded is not down":              {[]string{"20 degraded", "10 down", "5 degraded"}, "75.0 % 5h0m0s", "75.0 % 5h0m0s"},
		"found down at this moment":         {slices.Concat(hourly(7*24, 1), []string{"0 down"}), "99.99 % 0s", "99.99 % 0s"},
		"up until now, for a moment":        {[]string{"20 down", "0 healthy"}, "0.01 % 20h0m0s", "0.01 % 20h0m0s"},
		"down since before the week":        {slices.Concat([]string{"180 down"}, hourly(167, 0)), "100 % 0s", "99.40 % 1h0m0s"},
		"nobody looked for days after down": {[]string{"100 down", "10 healthy"}, "100 % 0s", "29.4 % 24h0m0s"},
		"not watched in the day":            {[]string{"100 down"}, "100 % 0s", "0 % 24h0m0s"},
		"down all the week":                 {[]string{"168 down", "144 down", "120 down", "96 down", "72 down", "48 down", "24 down"}, "0 % 24h0m0s", "0 % 168h0m0s"},
		"a clock that was wrong":            {[]string{"2 healthy", "-1 down"}, "100 % 0s", "100 % 0s"},
	} {
		t.Run(name, func(t *testing.T) {
			s := fresh(t)
			looked(t, s, "shop", tt.looks...)
			all := must(s.Uptimes(t.Context(), noon))
			same(t, len(all), 1)
			for _, of := range []struct {
				watched Watched
				want    string
			}{{all[0].Day, tt.day}, {all[0].Week, tt.week}} {
				same(t, fmt.Sprint(of.watched, " ", of.watched.Down.Truncate(time.Second)), of.want)
			}
		})
	}
}

// Results of one batch count as one, which is down if any of them is. Each service is separate.
func TestUptimesOfServices(t *testing.T) {
	s := fresh(t)
	look := func(at time.Time, results ...string) {
		t.Helper()
		var batch []check.Result
		for _, r := range results {
			service, status, _ := strings.Cut(r, " ")
			batch = append(batch, check.Result{Service: service, Type: check.HTTP, Status: check.Status(status)})
		}
		ok(t, s.AddChecks(t.Context(), nil, at, batch))
	}
	look(ago(8*24), "old down")
	look(ago(8*24-1), "older down")
	look(ago(20), "shop healthy", "shop down", "shop degraded", "mail healthy")
	look(ago(10), "shop healthy", "shop healthy")
	look(ago(5), "mail down", "a,b healthy")
	look(ago(-1), "shop down", "later down")
	h, moment := time.Hour, time.Millisecond
	same(t, must(s.Uptimes(t.Context(), noon)), []Uptime{
		{"a,b", Watched{5*h + moment, 0}, Watched{5*h + moment, 0}},
		{"mail", Watched{20*h + moment, 5*h + moment}, Watched{20*h + moment, 5*h + moment}},
		{"older", Watched{}, Watched{h, h}},
		{"shop", Watched{20*h + moment, 10 * h}, Watched{20*h + moment, 10 * h}},
	})
	same(t, len(must(fresh(t).Uptimes(t.Context(), noon))), 0)
}

// What is older than a week is known by the hour: for how much of it the service was down, but not when.
func TestUptimeOfAMonth(t *testing.T) {
	s := fresh(t)
	looked(t, s, "shop", "700.5 healthy", "700.4 down", "700.3 down", "700.2 unknown", "699.5 healthy", "690 healthy")
	looked(t, s, "shop", hourly(500, 0)...)
	month := func() Watched { return must(s.WatchedFor(t.Context(), "shop", noon, 30*24*time.Hour))[0] }
	watched := Watched{Time: 45*time.Minute + 34*time.Hour + 500*time.Hour + time.Millisecond, Down: 30 * time.Minute}
	same(t, month(), watched)
	must(s.Prune(t.Context(), ago(30*24), false, never))
	same(t, s.count(t, "health_checks"), "169")
	same(t, month(), watched)
	same(t, must(s.Uptimes(t.Context(), noon))[0].Week.Time, 168*time.Hour+time.Millisecond)
}

// Nothing that was down once is 100 %, and nothing that was up once is 0 %.
func TestUptimeIsNotRoundedToWhole(t *testing.T) {
	for want, w := range map[string]Watched{
		"100 %": {0, 0}, "100 % ": {10_000_000, 0}, "0 %": {1, 1}, "97.9 %": {48, 1}, "50.0 %": {2, 1}, "99.90 %": {1000, 1},
		"99.95 %": {2000, 1}, "99.99 %": {10_000_000, 1}, "0.01 %": {10_000_000, 9_999_999}, "0.10 %": {1000, 999}, "0.05 %": {2048, 2047},
		"99.0 %": {10_000, 101}, "1.0 %": {10_000, 9_900},
	} {
		same(t, w.String(), strings.TrimSpace(want))
	}
	rapid.Check(t, func(t *rapid.T) {
		var w Watched
		w.Time = time.Duration(rapid.Int64Range(0, int64(8*24*time.Hour)).Draw(t, "watched"))
		w.Down = time.Duration(rapid.Int64Range(0, int64(w.Time)).Draw(t, "down"))
		text, percent := w.String(), 0.0
		if _, err := fmt.Sscanf(text, "%f %%", &percent); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if percent < 0 || percent > 100 || w.Up() < 0 || w.Up() > 1 {
			t.Errorf("%+v is %s", w, text)
		}
		if (percent == 100) != (w.Down == 0) || (percent == 0) != (w.Down > 0 && w.Down == w.Time) {
			t.Errorf("%+v is %s", w, text)
		}
	})
}

// drawFindings are findings of two weeks, some of them close together and some far apart, and all from before noon.
func drawFindings(t *rapid.T) (findings []finding) {
	at := noon
	for n := range rapid.IntRange(0, 30).Draw(t, "looks") {
		most := rapid.SampledFrom([]time.Duration{time.Millisecond, time.Minute, time.Hour, 30 * time.Hour}).Draw(t, "scale")
		at = at.Add(-time.Duration(rapid.Int64Range(1, most.Milliseconds()).Draw(t, "apart")) * time.Millisecond)
		f := finding{at: at, unknown: rapid.IntRange(0, 4).Draw(t, fmt.Sprint("unknown ", n)) == 0}
		f.down = !f.unknown && rapid.Bool().Draw(t, fmt.Sprint("down ", n))
		findings = append(findings, f)
	}
	slices.Reverse(findings)
	return findings
}

// slowly computes the result of watched from what was known at each moment at which that may have changed.
func slowly(findings []finding, since, until time.Time) (w Watched) {
	edges := []time.Time{since, until}
	for _, f := range findings {
		edges = append(edges, f.at, f.at.Add(findingLasts))
	}
	slices.SortFunc(edges, time.Time.Compare)
	for n, to := range edges[1:] {
		from := edges[n]
		if from.Before(since) || !from.Before(until) {
			continue
		}
		for _, f := range slices.Backward(findings) {
			if f.at.After(from) {
				continue
			}
			if !f.unknown && from.Before(f.at.Add(findingLasts)) {
				w.Time += to.Sub(from)
				if f.down {
					w.Down += to.Sub(from)
				}
			}
			break
		}
	}
	return w
}

func TestUptimeWhateverWasFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		findings := drawFindings(t)
		week, day := watched(findings, ago(7*24), noon), watched(findings, ago(24), noon)
		for since, w := range map[time.Time]Watched{ago(7 * 24): week, ago(24): day} {
			if w != slowly(findings, since, noon) {
				t.Errorf("%+v, want %+v", w, slowly(findings, since, noon))
			}
			if up := w.Up(); up < 0 || up > 1 || (up == 1) != (w.Down == 0) || w.Down > w.Time || w.Time > noon.Sub(since) {
				t.Errorf("%v of %+v since %v", up, w, since)
			}
			found := func(f finding) bool { return f.down && !f.at.Before(since) }
			if slices.ContainsFunc(findings, found) && w.Down == 0 {
				t.Errorf("it was found down, and is %s", w)
			}
			if never := !slices.ContainsFunc(findings, func(f finding) bool { return f.down }); never && w.Up() != 1 {
				t.Errorf("it was never found down, and is %s", w)
			}
		}
		if day.Down > week.Down || day.Time > week.Time {
			t.Errorf("a day of %+v in a week of %+v", day, week)
		}
	})
}

// Repeating a result while it is still valid changes nothing.
func TestLookingMoreOftenDoesNotChangeUptime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		findings := drawFindings(t)
		var more []finding
		for n, f := range findings {
			next := noon
			if n+1 < len(findings) {
				next = findings[n+1].at
			}
			more = append(more, f)
			if next.Sub(f.at) > findingLasts {
				continue
			}
			for again := f.at; len(more) < 1000; {
				again = again.Add(time.Duration(rapid.Int64Range(1, time.Hour.Milliseconds()).Draw(t, "again")) * time.Millisecond)
				if !again.Before(next) {
					break
				}
				more = append(more, finding{again, f.down, f.unknown})
			}
		}
		for _, since := range []time.Time{ago(7 * 24), ago(24)} {
			if got, want := watched(more, since, noon), watched(findings, since, noon); got != want {
				t.Errorf("%d looks: %+v, %d looks: %+v", len(more), got, len(findings), want)
			}
		}
	})
}

func TestUptimesReadTheIndexAlone(t *testing.T) {
	s := fresh(t)
	plan := func(r row, detail *string) error { var a, b, c int; return r.Scan(&a, &b, &c, detail) }
	for _, tt := range []struct{ query, index string }{
		{looksOf, "SEARCH h USING COVERING INDEX health_checks_service (service=? AND checked_at>? AND checked_at<?)"},
		{askedBefore, "SEARCH n USING INDEX notifications_incident_id (incident_id=?)"},
	} {
		query := strings.NewReplacer("?1", "'x'", "?2", "'x'", "?3", "'x'").Replace(tt.query)
		steps := must(listBy(t.Context(), s, "explain", plan, `EXPLAIN QUERY PLAN `+query))
		if !slices.Contains(steps, tt.index) {
			t.Errorf("%q has no step %s", steps, tt.index)
		}
		for _, step := range steps {
			if strings.HasPrefix(step, "SCAN h") || strings.HasPrefix(step, "SCAN notifications") || strings.HasPrefix(step, "SCAN i") && !strings.Contains(step, "incidents_open") {
				t.Errorf("%q reads a whole table", step)
			}
		}
	}
}

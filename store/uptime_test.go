package store

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
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
		ok(t, s.AddChecks(t.Context(), Reported, 0, ago(before), []check.Result{{Service: service, Type: check.HTTP, Status: check.Status(status)}}))
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
		"nobody looked for days after down": {[]string{"100 down", "10 healthy"}, "100 % 0s", "100 % 0s"},
		"not watched in the day":            {[]string{"100 down", "99 down"}, "100 % 0s", "0 % 1h0m0s"},
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
		ok(t, s.AddChecks(t.Context(), Reported, 0, at, batch))
	}
	look(ago(8*24), "older down")
	look(ago(6*24), "old down")
	look(ago(20), "shop healthy", "shop down", "shop degraded", "mail healthy")
	look(ago(10), "shop healthy", "shop healthy")
	look(ago(5), "mail down", "a,b healthy")
	h, moment := time.Hour, time.Millisecond
	of := func(service string, w Watched) Uptime { return Uptime{service, w, w, w} }
	same(t, must(s.Uptimes(t.Context(), noon)), []Uptime{
		of("a,b", Watched{5*h + moment, 0}), of("mail", Watched{20*h + moment, 5*h + moment}), of("old", Watched{}), of("older", Watched{}),
		of("shop", Watched{20*h + moment, 10 * h}),
	})
	same(t, len(must(fresh(t).Uptimes(t.Context(), noon))), 0)
	same(t, len(must(s.Uptimes(t.Context(), noon, "nobody"))), 0)
}

// Hours are kept as long as anything else.
func TestUptimeOfAMonth(t *testing.T) {
	s := fresh(t)
	looked(t, s, "shop", "700.5 healthy", "700.4 down", "700.3 down", "700.2 unknown", "699.5 healthy", "690 healthy")
	looked(t, s, "shop", hourly(500, 0)...)
	month := func() Watched { return must(s.Uptimes(t.Context(), noon, "shop"))[0].Month }
	watched := Watched{Time: 18*time.Minute + 9*time.Hour + 30*time.Minute + 500*time.Hour + time.Millisecond, Down: 12 * time.Minute}
	same(t, month(), watched)
	must(s.Prune(t.Context(), ago(30*24), false, never))
	same(t, s.count(t, "health_checks"), "169")
	same(t, month(), watched)
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

// finding is how a service was found.
type finding struct {
	at            time.Time
	down, unknown bool
}

// slowly adds up findings at noon.
func slowly(findings []finding) (w Watched) {
	for n, f := range findings {
		next := noon.Add(time.Millisecond)
		if n+1 < len(findings) {
			next = findings[n+1].at
		}
		if f.unknown {
			continue
		}
		w.Time += next.Sub(f.at)
		if f.down {
			w.Down += next.Sub(f.at)
		}
	}
	return w
}

func TestUptimeWhateverWasFound(t *testing.T) {
	s := fresh(t)
	rapid.Check(t, func(r *rapid.T) {
		var findings []finding
		service, at := uuid.NewString(), ago(23)
		for range rapid.IntRange(1, 30).Draw(r, "looks") {
			most := rapid.SampledFrom([]time.Duration{time.Millisecond, time.Minute, time.Hour, 5 * time.Hour}).Draw(r, "scale")
			at = at.Add(time.Duration(rapid.Int64Range(1, most.Milliseconds()).Draw(r, "apart")) * time.Millisecond)
			if at.After(noon) {
				break
			}
			status := rapid.SampledFrom(check.Statuses()).Draw(r, "status")
			findings = append(findings, finding{at, status == check.Down, status == check.Unknown})
			ok(t, s.AddChecks(t.Context(), Reported, 0, at, []check.Result{result(service, check.HTTP, status)}))
		}
		u := append(must(s.Uptimes(t.Context(), noon, service)), Uptime{})[0]
		for _, w := range []Watched{u.Day, u.Week, u.Month} {
			if want := slowly(findings); w != want {
				r.Errorf("%+v, want %+v", w, want)
			}
		}
	})
}

func TestHistoryIsReadFromIndexes(t *testing.T) {
	s := fresh(t)
	for _, tt := range []struct{ query, index string }{
		{uptimes, "SEARCH h USING PRIMARY KEY (service=? AND hour>?)"},
		{said, "SEARCH notifications USING INDEX notifications_incident_id (incident_id=?)"},
	} {
		steps := s.plan(t, tt.query)
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

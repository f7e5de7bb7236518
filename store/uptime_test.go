package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/check"
)

func TestUptimeCountsMomentsAndNotResults(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	look := func(at time.Time, results ...string) {
		t.Helper()
		var batch []check.Result
		for _, r := range results {
			service, status, _ := strings.Cut(r, " ")
			batch = append(batch, check.Result{Service: service, Type: check.HTTP, Status: check.Status(status)})
		}
		ok(t, s.AddChecks(ctx, nil, at, batch))
	}
	look(ago(8*24), "old down", "shop down")
	look(ago(7*24), "shop down", "mail healthy")
	look(ago(25), "shop healthy", "shop healthy", "mail degraded")
	look(ago(24), "shop down", "shop healthy", "shop down", "db down")
	look(ago(3), "shop degraded", "db down")
	look(ago(2), "shop healthy", "shop down")
	look(ago(0), "shop healthy")
	look(ago(-1), "shop down", "later down") // the clock was wrong
	same(t, must(s.Uptimes(ctx, noon)), []Uptime{
		{"db", Looks{2, 2}, Looks{2, 2}, 24 * time.Hour},
		{"mail", Looks{0, 0}, Looks{2, 0}, 0},
		{"shop", Looks{4, 2}, Looks{6, 3}, 23 * time.Hour},
	})
	same(t, len(must(fresh(t).Uptimes(ctx, noon))), 0)
}

// Nothing that was down once is 100 %, and nothing that was up once is 0 %.
func TestUptimeIsNotRoundedToWhole(t *testing.T) {
	for want, l := range map[string]Looks{
		"100 %": {0, 0}, "100 % ": {10_000_000, 0}, "0 %": {1, 1}, "97.9 %": {48, 1}, "50.0 %": {2, 1}, "99.9 %": {1000, 1},
		"99.95 %": {2000, 1}, "99.99 %": {10_000_000, 1}, "0.01 %": {10_000_000, 9_999_999}, "0.1 %": {1000, 999}, "0.05 %": {2048, 2047},
	} {
		same(t, l.String(), strings.TrimSpace(want))
	}
	rapid.Check(t, func(t *rapid.T) {
		var l Looks
		l.Count = rapid.IntRange(0, 20_000_000).Draw(t, "count")
		l.Down = rapid.IntRange(0, l.Count).Draw(t, "down")
		text, percent := l.String(), 0.0
		if _, err := fmt.Sscanf(text, "%f %%", &percent); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if percent < 0 || percent > 100 || l.Up() < 0 || l.Up() > 1 {
			t.Errorf("%+v is %s", l, text)
		}
		if (percent == 100) != (l.Down == 0) || (percent == 0) != (l.Down > 0 && l.Down == l.Count) {
			t.Errorf("%+v is %s", l, text)
		}
	})
}

// Whatever the checks: the shares are between 0 and 1, and whole only where nothing was down.
func TestUptimeIsTheShareOfLooksThatFoundNothingDown(t *testing.T) {
	s := fresh(t)
	rapid.Check(t, func(rt *rapid.T) {
		ok(t, s.exec(t.Context(), "forget the last", `DELETE FROM health_checks`))
		type moment struct {
			service string
			hour    int
		}
		down := map[moment]bool{}
		statuses := []check.Status{check.Healthy, check.Degraded, check.Down}
		for n := range rapid.IntRange(1, 20).Draw(rt, "batches") {
			hour := 10 * n
			var batch []check.Result
			for range rapid.IntRange(1, 6).Draw(rt, "results") {
				r := check.Result{
					Service: rapid.SampledFrom([]string{"a", "b", "c d"}).Draw(rt, "service"), Type: check.HTTP,
					Status: rapid.SampledFrom(statuses).Draw(rt, "status"),
				}
				m := moment{r.Service, hour}
				down[m] = down[m] || r.Status == check.Down
				batch = append(batch, r)
			}
			if err := s.AddChecks(t.Context(), nil, ago(float64(hour)), batch); err != nil {
				rt.Fatal(err)
			}
		}
		want := map[string]Uptime{}
		for m, isDown := range down {
			u := want[m.service]
			u.Service = m.service
			for _, l := range []struct {
				within int
				looks  *Looks
			}{{24, &u.Day}, {7 * 24, &u.Week}} {
				if m.hour <= l.within {
					l.looks.Count++
					if isDown {
						l.looks.Down++
					}
				}
			}
			want[m.service] = u
		}
		for _, u := range must(s.Uptimes(t.Context(), noon)) {
			if u.Down < 0 || u.Down > 24*time.Hour || u.Day.Down == 0 && u.Down != 0 {
				rt.Errorf("%+v", u)
			}
			u.Down = 0
			if u != want[u.Service] {
				rt.Errorf("%+v, want %+v", u, want[u.Service])
			}
			delete(want, u.Service)
		}
		for name, u := range want {
			if u.Week.Count > 0 {
				rt.Errorf("%s is missing", name)
			}
		}
	})
}

func TestUptimesReadTheIndexAlone(t *testing.T) {
	s := fresh(t)
	plan := func(r row, detail *string) error { var a, b, c int; return r.Scan(&a, &b, &c, detail) }
	for _, tt := range []struct{ query, index string }{
		{uptimes, "SEARCH h USING COVERING INDEX health_checks_service (service=? AND checked_at>? AND checked_at<?)"},
		{uptimes, "SEARCH health_checks USING COVERING INDEX health_checks_service (service>?)"},
		{askedBefore, "SEARCH n USING INDEX notifications_incident_id (incident_id=?)"},
	} {
		query := strings.NewReplacer("?1", "'x'", "?2", "'x'", "?3", "'x'", "?4", "'x'").Replace(tt.query)
		steps := must(list(t.Context(), s.queries, "explain", plan, `EXPLAIN QUERY PLAN `+query))
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

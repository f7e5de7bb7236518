package store

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
)

// A day of a zone whose hours do not begin with those of UTC has what was found and spent on it.
func TestDaysOfZonesThatAreNotWholeHoursAhead(t *testing.T) {
	for zone, midnight := range map[string]string{"Asia/Kolkata": "2026-02-27T18:30:00.000Z", "Asia/Kathmandu": "2026-02-27T18:15:00.000Z", "Europe/Berlin": "2026-02-27T23:00:00.000Z"} {
		t.Run(zone, func(t *testing.T) {
			t.Setenv("TZ", zone)
			in := must(time.LoadLocation(zone))
			begin := must(time.Parse(time.RFC3339, midnight))
			looks := []time.Time{begin.Add(-time.Second), begin, begin.Add(29 * time.Minute), begin.Add(24*time.Hour - time.Second), begin.Add(24 * time.Hour)}
			moments := []time.Time{begin.Add(-24 * time.Hour).In(in), begin.In(in), begin.Add(24 * time.Hour).In(in), begin.Add(48 * time.Hour).In(in)}

			s := fresh(t)
			s.Now = func() time.Time { return noon.In(in) }
			for _, at := range looks {
				ok(t, s.AddProbed(t.Context(), 0, at.In(in), []check.Result{result("shop", check.HTTP, check.Healthy)}, nil))
				id := must(s.AddSession(t.Context(), Session{Tier: 2, Trigger: "cron", Status: Running, StartedAt: at}))
				ok(t, s.EndSession(t.Context(), id, SessionEnd{Status: Completed, EndedAt: at, CostUSD: 1}))
			}
			var found []int
			for _, day := range must(s.LooksByDay(t.Context(), moments, 10)) {
				found = append(found, day.Healthy)
			}
			same(t, found, []int{1, 3, 1})
			same(t, must(s.CostByDay(t.Context(), moments)), []float64{1, 3, 1})
		})
	}
}

// The figures of an hour of two names are those of all their checks. Where the checks themselves are gone, the median is not known.
func TestFiguresOfMergedNames(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	took := func(service string, hours float64, ms ...int64) {
		var results []check.Result
		for _, ms := range ms {
			r := result(service, check.HTTP, check.Healthy)
			r.ResponseTimeMS = new(ms)
			results = append(results, r)
		}
		ok(t, s.AddChecks(ctx, nil, ago(hours), results))
	}
	for _, hours := range []float64{40.9, 5.9} {
		took("shop", hours, 1, 2)
		took("web", hours-0.1, 30, 40, 50)
	}
	took("web", 3.9, 7)
	ok(t, s.MergeName(ctx, "web", "shop"))
	same(t, s.ask(t, `SELECT group_concat(service || ' ' || checks || ' ' || sum_ms || ' ' || min_ms || ' ' || coalesce(median_ms, '-') || ' ' || max_ms, ', ')
		FROM (SELECT * FROM check_hours ORDER BY hour)`), "shop 5 123 1 - 50, shop 5 123 1 30 50, shop 1 7 7 7 7")
}

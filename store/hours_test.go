package store

import (
	"fmt"
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
				ok(t, s.AddChecks(t.Context(), Probed, 0, at.In(in), []check.Result{result("shop", check.HTTP, check.Healthy)}))
				id := must(s.AddSession(t.Context(), Session{Tier: 2, Trigger: "cron", Status: Running, StartedAt: at}))
				ok(t, s.EndSession(t.Context(), id, Session{Status: Completed, EndedAt: new(at), CostUSD: 1}))
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

// took adds a batch of healthy results that took so many milliseconds, 0 for those that do not say.
func took(t *testing.T, s *Store, service string, hours float64, ms ...int64) {
	t.Helper()
	var results []check.Result
	for _, ms := range ms {
		r := result(service, check.HTTP, check.Healthy)
		if ms > 0 {
			r.ResponseTimeMS = new(ms)
		}
		results = append(results, r)
	}
	ok(t, s.AddChecks(t.Context(), Reported, 0, ago(hours), results))
}

func TestHours(t *testing.T) {
	s := fresh(t)
	hours := func() string {
		return s.ask(t, `SELECT group_concat(service || substr(hour, 12, 3) || healthy || degraded || down || unknown || ' ' || timed || ' ' || sum_ms || ' '
			|| coalesce(max_ms, '-'), ', ') FROM hours`)
	}
	took(t, s, "shop", 30.9, 0)
	same(t, hours(), "shop05:1000 0 0 -")
	took(t, s, "shop", 30.5, 40, 0, 10)
	same(t, hours(), "shop05:2000 2 50 40")
	looked(t, s, "shop", "30.4 down", "30.3 degraded", "30.2 unknown")
	took(t, s, "shop", 30.1, 20)
	same(t, hours(), "shop05:3111 3 70 40")
	took(t, s, "web", 30.2, 30)
	took(t, s, "web", 2.2, 7)
	ok(t, s.MergeName(t.Context(), "web", "shop"))
	same(t, hours(), "shop05:3111 3 70 40, shop09:1000 1 7 7")
}

func TestPaces(t *testing.T) {
	s := fresh(t)
	took(t, s, "shop", 30.9, 40, 0, 10)
	took(t, s, "shop", 5.9, 100, 300)
	took(t, s, "shop", 5.8, 20)
	ok(t, s.AddChecks(t.Context(), Reported, 0, ago(5.2), []check.Result{result("shop", check.DNS, check.Healthy)})) // of no known duration
	looked(t, s, "shop", "3 down")
	paces := func(hours float64, slots int) (all []string) {
		for _, p := range must(s.Paces(t.Context(), "shop", ago(hours), noon, slots)) {
			text := fmt.Sprint(p.Type, " ", p.At.Format("15:04"), " ", p.Worst)
			if p.MaxMS > 0 {
				text += fmt.Sprint(" ", p.MeanMS, " ", p.MaxMS)
			}
			all = append(all, text)
		}
		return all
	}
	same(t, paces(6, 60), []string{"http 06:06 healthy 200 300", "http 06:12 healthy 20 20", "http 09:00 down"})
	same(t, paces(6, 2), []string{"http 06:06 healthy 140 300", "http 09:00 down"})
	same(t, paces(48, 48), []string{" 05:00 healthy 25 40", " 06:00 healthy 140 300", " 09:00 down"})
}

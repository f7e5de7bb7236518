package dashboard

import (
	"database/sql"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/check"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	return got(time.LoadLocation(name))(t)
}

// plainDays computes the days of each service from all rows of the database, without our queries.
func plainDays(t *testing.T, path string, now time.Time) map[string][]Day {
	t.Helper()
	db := got(sql.Open("sqlite3", "file:"+path))(t)
	defer func() { fine(t, db.Close()) }()
	rows, err := db.Query(`SELECT service, checked_at, status FROM health_checks`)
	fine(t, err)
	defer func() { fine(t, rows.Close()) }()
	type look struct{ service, at string }
	worst := map[look]check.Status{}
	for rows.Next() {
		var l look
		var status check.Status
		fine(t, rows.Scan(&l.service, &l.at, &status))
		if status.Worse(worst[l]) {
			worst[l] = status
		}
	}
	fine(t, rows.Err())
	all := map[string][]Day{}
	for l := range worst {
		if all[l.service] == nil {
			all[l.service] = emptyDays(now)
		}
	}
	for l, status := range worst {
		date := got(time.Parse(time.RFC3339, l.at))(t).In(now.Location()).Format(time.DateOnly)
		for n := range all[l.service] {
			if day := &all[l.service][n]; day.Date == date {
				day.add(status)
			}
		}
	}
	return all
}

func emptyDays(now time.Time) []Day {
	days := make([]Day, stripDays)
	year, month, day := now.Date()
	for n := range days {
		days[n].Date = time.Date(year, month, day+n+1-stripDays, 12, 0, 0, 0, time.UTC).Format(time.DateOnly)
	}
	return days
}

func (d *Day) add(status check.Status) {
	switch status {
	case check.Healthy:
		d.Healthy++
	case check.Degraded:
		d.Degraded++
	case check.Down:
		d.Down++
	case check.Unknown:
		return
	}
	if status.Worse(d.Status) {
		d.Status = status
	}
}

// TestStripsAreWhatARecomputationSays adds results in any order, several at once, over days on which the clock is changed.
func TestStripsAreWhatARecomputationSays(t *testing.T) {
	zones := []*time.Location{time.UTC, zone(t, "Europe/Berlin"), zone(t, "Asia/Kathmandu")}
	changes := []time.Time{
		time.Date(2026, 3, 28, 22, 30, 0, 0, time.UTC), time.Date(2026, 9, 5, 23, 30, 0, 0, time.UTC), time.Date(2026, 11, 1, 1, 30, 0, 0, time.UTC),
	}
	services := []string{"db", "mail", "shop", `übung's "1"`, "\xff\x00"}
	h := newHouse(t)
	rapid.Check(t, func(r *rapid.T) {
		edit(t, h.path(), `DELETE FROM health_checks; DELETE FROM latest; DELETE FROM hours`)
		now := rapid.SampledFrom(changes).Draw(r, "now").In(rapid.SampledFrom(zones).Draw(r, "zone"))
		looks := 0
		for range rapid.IntRange(1, 6).Draw(r, "reads") {
			for range rapid.IntRange(0, 6).Draw(r, "looks") {
				looks++ // each at a time of its own
				at := now.Add(-time.Duration(rapid.IntRange(0, 31*24*60).Draw(r, "minutes ago"))*time.Minute + time.Duration(looks)*time.Millisecond)
				h.found(at, rapid.SampledFrom(services).Draw(r, "service"), rapid.SliceOfN(rapid.SampledFrom(check.Statuses()), 1, 3).Draw(r, "statuses")...)
			}
			now = now.Add(time.Duration(rapid.IntRange(0, 20*60).Draw(r, "minutes on")) * time.Minute)
			h.at(now)
			h.forget()
			s, err := h.snapshot(t.Context())
			if err != nil {
				r.Fatal(err)
			}
			shown := map[string][]Day{}
			for _, is := range s.services {
				shown[is.Name] = s.line(is).Days
			}
			if diff := cmp.Diff(plainDays(t, h.path(), now), shown); diff != "" {
				r.Fatal(diff)
			}
		}
	})
}

func TestCalendarChangesAtMidnightOfTheZone(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	h := newHouse(t)
	h.found(time.Date(2026, 3, 28, 22, 59, 0, 0, time.UTC), "shop", check.Down)    // 23:59 on the 28th
	h.found(time.Date(2026, 3, 28, 23, 0, 0, 0, time.UTC), "shop", check.Healthy)  // midnight
	h.found(time.Date(2026, 3, 29, 21, 59, 0, 0, time.UTC), "shop", check.Healthy) // 23:59 by summer time
	h.found(time.Date(2026, 3, 29, 22, 0, 0, 0, time.UTC), "shop", check.Degraded) // midnight again
	last := func() []Day { return h.overview().Services[0].Days[27:] }

	h.at(time.Date(2026, 3, 29, 23, 59, 59, 0, berlin))
	want := []Day{{Date: "2026-03-27"}, {Date: "2026-03-28", Status: check.Down, Down: 1}, {Date: "2026-03-29", Status: check.Healthy, Healthy: 2}} // results dated tomorrow do not count yet
	if diff := cmp.Diff(want, last()); diff != "" {
		t.Error(diff)
	}
	h.pass(time.Second)
	want = []Day{want[1], want[2], {Date: "2026-03-30", Status: check.Degraded, Degraded: 1}}
	if diff := cmp.Diff(want, last()); diff != "" {
		t.Error(diff)
	}
}

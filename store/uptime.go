package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
)

// findingLasts is how long a result counts if no other follows. Schedules check at least daily, and a result from a day ago says nothing
// about now. From then until the next check the service is not watched, which counts as neither up nor down.
const findingLasts = 24 * time.Hour

// Watched is how long a service's status was known, and for how much of that time it was down.
type Watched struct {
	Time time.Duration
	Down time.Duration // at most Time
}

// Up returns the share of the watched time, between 0 and 1, in which the service was not down. It is exactly 1 if it never was, or was
// not watched.
func (w Watched) Up() float64 {
	if w.Time == 0 {
		return 1
	}
	return float64(w.Time-w.Down) / float64(w.Time)
}

// String returns the share in per cent: "97.8 %", or "99.86 %" if a minute would not show otherwise. It is 100 % only if the service was
// never down, and 0 % only if it always was.
func (w Watched) String() string {
	percent := 100 * w.Up()
	switch {
	case w.Down == 0:
		return "100 %"
	case w.Down == w.Time:
		return "0 %"
	case percent >= 99 || percent < 1:
		return fmt.Sprintf("%.2f %%", min(max(percent, 0.01), 99.99))
	}
	return fmt.Sprintf("%.1f %%", percent)
}

// Uptime sums up the availability of a service.
type Uptime struct {
	Service string
	Day     Watched
	Week    Watched
}

// finding is the combined result of one batch of checks of a service: down if any of them is.
type finding struct {
	at      time.Time
	down    bool
	unknown bool // no check could be made: not watched until the next check
}

// watched adds up the findings between since and until. Each counts until the next one, but no longer than findingLasts. They are in
// order, each at a different time, and all before until.
func watched(findings []finding, since, until time.Time) (w Watched) {
	for n, f := range findings {
		next := until
		if n+1 < len(findings) {
			next = findings[n+1].at
		}
		lasts := min(next.Sub(f.at), findingLasts) - max(since.Sub(f.at), 0)
		if lasts <= 0 || f.unknown {
			continue
		}
		w.Time += lasts
		if f.down {
			w.Down += lasts
		}
	}
	return w
}

// readFindings parses what looksOf gathers of a service: "TIME STATUS,TIME STATUS", in any order and with a status for each check.
func readFindings(text string, findings *[]finding) error {
	results := strings.Split(text, ",")
	slices.Sort(results)
	for _, r := range results {
		moment, status, _ := strings.Cut(r, " ")
		at, err := time.Parse(time.RFC3339, moment)
		if err != nil {
			return err
		}
		if n := len(*findings); n == 0 || !(*findings)[n-1].at.Equal(at) {
			*findings = append(*findings, finding{at: at, unknown: true})
		}
		last := &(*findings)[len(*findings)-1]
		last.unknown = last.unknown && check.Status(status) == check.Unknown
		last.down = last.down || check.Status(status) == check.Down
	}
	return nil
}

// looksOf gathers the results of each of the services ?1 after ?2 and before ?3, from the index on service, time and status.
const looksOf = `
	SELECT service, looks FROM (
		SELECT value AS service, (
			SELECT group_concat(checked_at || ' ' || status) FROM health_checks h WHERE h.service = value AND checked_at > ?2 AND checked_at < ?3) AS looks
		FROM json_each(?1))
	WHERE looks IS NOT NULL`

// hourLooks is how often a service had each status in an hour.
type hourLooks struct {
	Service           string
	Hour              time.Time
	Down, Up, Unknown int
}

// findings returns how it was found, as if the looks had been spread evenly over the hour, the bad ones first.
func (h hourLooks) findings() (all []finding) {
	before, looks := 0, h.Down+h.Up+h.Unknown
	for n, times := range []int{h.Down, h.Unknown, h.Up} {
		if times > 0 {
			at := h.Hour.Add(time.Hour * time.Duration(before) / time.Duration(looks))
			all = append(all, finding{at: at, down: n == 0, unknown: n == 1})
		}
		before += times
	}
	return all
}

// findings returns how services were found after from and before to, in order. Beyond checksLast it is known by the hour.
func (s *Store) findings(ctx context.Context, services []string, from, to time.Time) (map[string][]finding, error) {
	const work = "read how services did"
	names, single := jsonList(services), slices.MaxFunc([]time.Time{from, to.Add(-checksLast)}, time.Time.Compare)
	hours, err := list[hourLooks](ctx, s, work, `
		SELECT service, hour, down, healthy + degraded, unknown FROM hours
		WHERE service IN (SELECT value FROM json_each(?1)) AND hour > ?2 AND hour <= ?3 ORDER BY service, hour`,
		names, timeText(from.Add(-time.Hour)), timeText(single))
	if err != nil {
		return nil, err
	}
	all := map[string][]finding{}
	for _, h := range hours {
		for _, f := range h.findings() {
			if f.at.After(from) && !f.at.After(single) {
				all[h.Service] = append(all[h.Service], f)
			}
		}
	}
	looks, err := keyed[string, string](ctx, s, work, looksOf, names, timeText(single), timeText(to))
	for service, text := range looks {
		found := all[service]
		if err := readFindings(text, &found); err != nil {
			return nil, s.failed(work, err)
		}
		all[service] = found
	}
	return all, err
}

// Uptimes returns the availability of all services in the day and the week before now, by name. A day or week starts with its first check
// or, if an earlier result still counts, at its beginning. A service that was not watched in the week is left out.
func (s *Store) Uptimes(ctx context.Context, now time.Time) ([]Uptime, error) {
	until := now.Truncate(time.Millisecond).Add(time.Millisecond) // includes what is found at this moment
	day, week := now.Add(-24*time.Hour), now.Add(-7*24*time.Hour)
	names, err := list[string](ctx, s, "list services", `SELECT DISTINCT service FROM latest`)
	if err != nil {
		return nil, err
	}
	all, err := s.findings(ctx, names, week.Add(-findingLasts), until)
	var uptimes []Uptime
	for _, name := range slices.Sorted(maps.Keys(all)) {
		found := all[name]
		uptimes = append(uptimes, Uptime{Service: name, Day: watched(found, day, until), Week: watched(found, week, until)})
	}
	return uptimes, err
}

// WatchedFor returns one service's availability in spans of time up to now, as Uptimes does for a day and a week.
func (s *Store) WatchedFor(ctx context.Context, service string, now time.Time, spans ...time.Duration) ([]Watched, error) {
	until := now.Truncate(time.Millisecond).Add(time.Millisecond) // includes what is found at this moment
	found, err := s.findings(ctx, []string{service}, now.Add(-slices.Max(spans)-findingLasts), until)
	did := make([]Watched, len(spans))
	for n, span := range spans {
		did[n] = watched(found[service], now.Add(-span), until)
	}
	return did, err
}

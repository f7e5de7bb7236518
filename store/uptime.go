package store

import (
	"context"
	"database/sql"
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

// Uptime sums up the availability of a service up to a moment.
type Uptime struct {
	Service          string
	Day, Week, Month Watched   // the last 24 hours, 7 and 30 days, each from its first check or, if an earlier result still counts, whole
	First, Last      time.Time // when it was checked
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

// looksOf gathers how each of the services :names was found after :from and before :to, as "TIME STATUS,TIME STATUS" in any order and with
// a status for each check: after :single from the index on service, time and status, and until then from the hours, as if the looks of
// one had been spread evenly over it, the bad ones first.
const looksOf = `
	SELECT value, coalesce((
		SELECT group_concat(at || ' ' || status) FROM (
			SELECT checked_at AS at, status FROM health_checks h WHERE service = value AND checked_at > :single AND checked_at < :to
			UNION ALL
			SELECT strftime('%Y-%m-%dT%H:%M:%fZ', hour, (3600.0 * CASE found WHEN 'down' THEN 0 WHEN 'unknown' THEN down ELSE down + unknown END
				/ (healthy + degraded + down + unknown)) || ' seconds') AS at, found
			FROM hours CROSS JOIN (SELECT 'down' AS found UNION ALL SELECT 'unknown' UNION ALL SELECT 'healthy')
			WHERE service = value AND hour > :hour AND hour <= :single AND at > :from AND at <= :single
				AND CASE found WHEN 'down' THEN down WHEN 'unknown' THEN unknown ELSE healthy + degraded END > 0)), '')
	FROM json_each(:names)`

// readFindings parses what looksOf gathers of a service.
func readFindings(text string) (findings []finding, err error) {
	results := strings.Split(text, ",")
	slices.Sort(results)
	for _, r := range results {
		moment, status, _ := strings.Cut(r, " ")
		at, err := time.Parse(time.RFC3339, moment)
		if err != nil {
			return nil, err
		}
		if n := len(findings); n == 0 || !findings[n-1].at.Equal(at) {
			findings = append(findings, finding{at: at, unknown: true})
		}
		last := &findings[len(findings)-1]
		last.unknown = last.unknown && check.Status(status) == check.Unknown
		last.down = last.down || check.Status(status) == check.Down
	}
	return findings, nil
}

const day = 24 * time.Hour

// uptimes returns how services did, by name, as far as the longest time before now and what still counted at its beginning tell.
func (s *Store) uptimes(ctx context.Context, services []string, now time.Time, longest time.Duration) (all []Uptime, err error) {
	const work = "read how services did"
	until := now.Truncate(time.Millisecond).Add(time.Millisecond) // includes what is found at this moment
	from, single := now.Add(-longest-findingLasts), until.Add(-checksLast)
	if single.Before(from) {
		single = from
	}
	looks, err := keyed[string, string](ctx, s, work, looksOf, sql.Named("names", jsonList(services)), sql.Named("from", timeText(from)),
		sql.Named("hour", timeText(from.Add(-time.Hour))), sql.Named("single", timeText(single)), sql.Named("to", timeText(until)))
	if err != nil {
		return nil, err
	}
	for _, service := range slices.Sorted(maps.Keys(looks)) {
		if looks[service] == "" {
			continue
		}
		found, err := readFindings(looks[service])
		if err != nil {
			return nil, s.failed(work, err)
		}
		since := func(span time.Duration) Watched { return watched(found, now.Add(-span), until) }
		all = append(all, Uptime{service, since(day), since(7 * day), since(30 * day), found[0].at, found[len(found)-1].at})
	}
	return all, nil
}

// Uptimes returns the availability of all services before now, by name, as far as the last week tells. A service that was not watched in
// it is left out.
func (s *Store) Uptimes(ctx context.Context, now time.Time) ([]Uptime, error) {
	names, err := list[string](ctx, s, "list services", `SELECT DISTINCT service FROM latest`)
	if err != nil {
		return nil, err
	}
	all, err := s.uptimes(ctx, names, now, 7*day)
	for n := range all {
		if week := now.Add(-7 * day); all[n].First.Before(week) {
			all[n].First = week
		}
	}
	return all, err
}

// Uptime returns one service's availability before now; zero if it was not watched in the last 30 days.
func (s *Store) Uptime(ctx context.Context, service string, now time.Time) (u Uptime, err error) {
	found, err := s.uptimes(ctx, []string{service}, now, 30*day)
	if len(found) > 0 {
		u = found[0]
	}
	return u, err
}

package store

import (
	"context"
	"fmt"
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
	First   time.Time // first check, or the beginning of the week if one before it still counts
	Last    time.Time // last check
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

// readFindings parses what uptimes gathers of a service: "TIME STATUS,TIME STATUS", in any order and with a status for each check.
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

// uptimes reads service by service from the index on service, time and status, limited to results before ?2 and after ?1; older ones no
// longer count in the week.
const uptimes = `
	WITH RECURSIVE` + checkedNames + `,` + findingsOf

// findingsOf returns the findings of the services in names: the stored results and, for those left out, the first and the last of each
// status in each hour. Any result left out lies between two equal ones of these.
const findingsOf = `
	looked AS MATERIALIZED (
		SELECT service, (
			SELECT group_concat(at || ' ' || status) FROM (
				SELECT checked_at AS at, status FROM health_checks h WHERE h.service = n.service AND checked_at > ?1 AND checked_at < ?2
				UNION ALL
				SELECT first_at, status FROM look_hours l WHERE l.service = n.service AND hour > ?3 AND hour < ?2 AND first_at > ?1 AND first_at < ?2
				UNION ALL
				SELECT last_at, status FROM look_hours l WHERE l.service = n.service AND hour > ?3 AND hour < ?2 AND last_at > ?1 AND last_at < ?2)) AS findings
		FROM names n WHERE service IS NOT NULL)
	SELECT service, findings FROM looked WHERE findings IS NOT NULL`

// findingsBetween returns the parameters of findingsOf: the time range, and the start of the hours to read.
func findingsBetween(from, to time.Time) []any {
	return []any{timeText(from), timeText(to), timeText(from.Add(-time.Hour))}
}

// Uptimes returns the availability of all services in the day and the week before now, by name. A day or week starts with its first check
// or, if an earlier result still counts, at its beginning. A service that was not watched in the week is left out.
func (s *Store) Uptimes(ctx context.Context, now time.Time) ([]Uptime, error) {
	until := now.Truncate(time.Millisecond).Add(time.Millisecond) // includes what is found at this moment
	day, week := now.Add(-24*time.Hour), now.Add(-7*24*time.Hour)
	scan := func(r row, u *Uptime) error {
		var text string
		if err := r.Scan(&u.Service, &text); err != nil {
			return err
		}
		var findings []finding
		if err := readFindings(text, &findings); err != nil {
			return err
		}
		u.Day, u.Week, u.Last = watched(findings, day, until), watched(findings, week, until), findings[len(findings)-1].at
		// Before the week the first may be one that was left out.
		u.First = slices.MaxFunc([]time.Time{findings[0].at, week}, time.Time.Compare)
		return nil
	}
	return listBy(ctx, s, "read how services did", scan, uptimes, findingsBetween(week.Add(-findingLasts), until)...)
}

// WatchedFor returns one service's availability in spans of time up to now, as Uptimes does for a day and a week.
func (s *Store) WatchedFor(ctx context.Context, service string, now time.Time, spans ...time.Duration) ([]Watched, error) {
	until := now.Truncate(time.Millisecond).Add(time.Millisecond) // includes what is found at this moment
	scan := func(r row, findings *[]finding) error {
		var name, text string
		if err := r.Scan(&name, &text); err != nil {
			return err
		}
		return readFindings(text, findings)
	}
	found, err := listBy(ctx, s, "read how a service did", scan, `WITH names (service) AS (SELECT ?4),`+findingsOf,
		append(findingsBetween(now.Add(-slices.Max(spans)-findingLasts), until), service)...)
	if err != nil {
		return nil, err
	}
	did := make([]Watched, len(spans))
	for n, span := range spans {
		for _, findings := range found {
			did[n] = watched(findings, now.Add(-span), until)
		}
	}
	return did, nil
}

package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
)

// findingLasts is how long what a look found counts where no other look follows: schedules look at least daily, and what was found a day
// ago says nothing of now. From then on until the next look it is not watched, which counts as neither up nor down.
const findingLasts = 24 * time.Hour

// Watched is how long it was known how a service is, and for how much of that it was down.
type Watched struct {
	Time time.Duration
	Down time.Duration // at most Time
}

// Up is the share of the time watched, between 0 and 1, that it was not down; 1 exactly where it never was, or it was not watched.
func (w Watched) Up() float64 {
	if w.Time == 0 {
		return 1
	}
	return float64(w.Time-w.Down) / float64(w.Time)
}

// String is the share in per cent: "97.8 %", and "99.86 %" where a minute shows only so. It says 100 % only of what was never down, and
// 0 % only of what always was.
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

// Uptime is how well a service did.
type Uptime struct {
	Service string
	Day     Watched
	Week    Watched
	First   time.Time // it was first looked at, within the week or a day before it
	Last    time.Time // it was last looked at
}

// finding is what one look at a service found. The results of one batch are one look, which finds it down where any of them does.
type finding struct {
	at      time.Time
	down    bool
	unknown bool // no check could be made: until the next look it is not watched
}

// watched adds up what the findings say about the time between since and until. Each counts until the next look, whoever looks and how
// often, but not for longer than findingLasts. They are in order, each of another moment, and all from before until.
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

// readFindings reads what uptimes gathers of a service: "TIME STATUS,TIME STATUS", in any order and with a status for each check.
func readFindings(text string, findings *[]finding) error {
	results := strings.Split(text, ",")
	slices.Sort(results)
	for _, r := range results {
		moment, status, _ := strings.Cut(r, " ")
		at, err := time.Parse(time.RFC3339, moment)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrForeign, err)
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

// uptimes finds the services one by one in the index on service, time and status, and of each only what is young enough:
// after ?1, before which nothing was found that still counted in the week, and before ?2.
const uptimes = `
	WITH RECURSIVE` + checkedNames + `,` + findingsOf

// findingsOf are the findings of the services in names: the results that are stored and, for those that were left out, the first and the last
// look of each status in each hour. What was left out lies between two of these that found the same.
const findingsOf = `
	looked AS MATERIALIZED (
		SELECT service, (
			SELECT group_concat(at || ' ' || iif(status IN ('healthy', 'degraded', 'down', 'unknown'), status, '')) FROM (
				SELECT checked_at AS at, status FROM health_checks h WHERE h.service = n.service AND checked_at > ?1 AND checked_at < ?2
				UNION ALL
				SELECT first_at, status FROM look_hours l WHERE l.service = n.service AND hour > ?3 AND hour < ?2 AND first_at > ?1 AND first_at < ?2
				UNION ALL
				SELECT last_at, status FROM look_hours l WHERE l.service = n.service AND hour > ?3 AND hour < ?2 AND last_at > ?1 AND last_at < ?2)) AS findings
		FROM names n WHERE service IS NOT NULL)
	SELECT service, findings FROM looked WHERE findings IS NOT NULL`

// findingsBetween are the times that findingsOf reads from and to, and from when on hours are looked at for that.
func findingsBetween(from, to time.Time) []any {
	return []any{timeText(from), timeText(to), timeText(from.Add(-time.Hour))}
}

// Uptimes are how all services did in the day and the week before now, by name. A day or week begins with the first look in it or, where
// what was found before still counts then, at its beginning. One that was not watched in that week is left out.
func (s *Store) Uptimes(ctx context.Context, now time.Time) ([]Uptime, error) {
	until := now.Truncate(time.Millisecond).Add(time.Millisecond) // what is found now counts for a moment, too
	day, week := now.Add(-24*time.Hour), now.Add(-7*24*time.Hour)
	scan := func(r row, u *Uptime) error {
		var text string
		if err := r.Scan(&u.Service, readText{&text, mostValue}); err != nil {
			return err
		}
		var findings []finding
		if err := readFindings(text, &findings); err != nil {
			return err
		}
		u.Day, u.Week, u.Last = watched(findings, day, until), watched(findings, week, until), findings[len(findings)-1].at
		u.First = findings[0].at
		return nil
	}
	return listBy(ctx, s, "read how services did", scan, uptimes, findingsBetween(week.Add(-findingLasts), until)...)
}

// WatchedFor is how one service did in spans of time up to now, as Uptimes gives it for a day and a week.
func (s *Store) WatchedFor(ctx context.Context, service string, now time.Time, spans ...time.Duration) ([]Watched, error) {
	until := now.Truncate(time.Millisecond).Add(time.Millisecond) // what is found now counts for a moment, too
	scan := func(r row, findings *[]finding) error {
		var name, text string
		if err := r.Scan(&name, readText{&text, mostValue}); err != nil {
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

package store

import (
	"context"
	"fmt"
	"time"
)

// findingLasts is how long after a result the next one may follow for a service to be watched in between. Schedules
// check at least daily, a little late, and a result from before that says nothing about now. A service that is not
// watched is neither up nor down.
const findingLasts = 26 * time.Hour

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

// Uptime sums up the availability of a service up to a moment, since the first whole hour within the last 24 hours, 7
// and 30 days.
type Uptime struct {
	Service          string
	Day, Week, Month Watched
}

// uptimes adds up the hours of the services ?1, or of all if it is empty, after each of ?2, ?3 and ?4, the earliest, and
// says how they were found last.
const uptimes = `
	SELECT service,
		1000000 * coalesce(sum(watched_ms) FILTER (WHERE hour > ?2), 0), 1000000 * coalesce(sum(down_ms) FILTER (WHERE hour > ?2), 0),
		1000000 * coalesce(sum(watched_ms) FILTER (WHERE hour > ?3), 0), 1000000 * coalesce(sum(down_ms) FILTER (WHERE hour > ?3), 0),
		1000000 * sum(watched_ms), 1000000 * sum(down_ms), checked_at, worst
	FROM (` + lastLook + ` WHERE ?1 = '[]' OR service IN (SELECT value FROM json_each(?1)) GROUP BY service) CROSS JOIN hours h USING (service)
	WHERE hour > ?4 GROUP BY service ORDER BY service`

const day = 24 * time.Hour

// Uptimes returns the availability before now of some services, or of all, by name. One that was not checked in the last
// 30 days is left out.
func (s *Store) Uptimes(ctx context.Context, now time.Time, services ...string) (all []Uptime, err error) {
	type found struct {
		Uptime
		Last  time.Time
		Worst int
	}
	rows, err := list[found](ctx, s, "read how services did", uptimes,
		services, now.Add(-day), now.Add(-7*day), now.Add(-30*day))
	for _, u := range rows {
		lasted := now.Truncate(time.Millisecond).Add(time.Millisecond).Sub(u.Last) // includes what is found at this moment
		if lasted >= 0 && lasted <= findingLasts && u.Worst > 0 {
			for _, watched := range []*Watched{&u.Day, &u.Week, &u.Month} {
				watched.Time += lasted
				if u.Worst == 3 {
					watched.Down += lasted
				}
			}
		}
		all = append(all, u.Uptime)
	}
	return all, err
}

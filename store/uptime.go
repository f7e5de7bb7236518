package store

import (
	"context"
	"fmt"
	"time"
)

// Looks are how often a service was looked at, and at how many of these moments it was found down. The results of one batch are one
// look, which finds it down where any of them does.
type Looks struct {
	Count int `json:"count"`
	Down  int `json:"down"`
}

// Up is the share of the looks, between 0 and 1, that did not find it down; 1 where there was none.
func (l Looks) Up() float64 {
	if l.Count == 0 {
		return 1
	}
	return float64(l.Count-l.Down) / float64(l.Count)
}

// String is the share in per cent: "97.9 %". It says 100 % only of what was never found down, and 0 % only of what always was.
func (l Looks) String() string {
	percent := 100 * l.Up()
	switch {
	case l.Down == 0:
		return "100 %"
	case l.Down == l.Count:
		return "0 %"
	case percent >= 99.95:
		return fmt.Sprintf("%.2f %%", min(percent, 99.99))
	case percent < 0.05:
		return fmt.Sprintf("%.2f %%", max(percent, 0.01))
	}
	return fmt.Sprintf("%.1f %%", percent)
}

// Uptime is how well a service did.
type Uptime struct {
	Service string        `json:"service"`
	Day     Looks         `json:"day"`
	Week    Looks         `json:"week"`
	Down    time.Duration `json:"down"` // in the day: from each look that found it down to the next one, or to its end
}

// uptimes finds the services one by one in the index on service, time and status, and of each only what is young enough. ?1 is the
// start of the week, ?2 of the day, ?3 what comes after both, ?4 now.
const uptimes = `
	WITH RECURSIVE names (service) AS (
		SELECT min(service) FROM health_checks
		UNION ALL
		SELECT (SELECT min(service) FROM health_checks WHERE service > names.service) FROM names WHERE service IS NOT NULL)
	SELECT service,
		(SELECT count(DISTINCT checked_at) FROM health_checks h WHERE h.service = n.service AND checked_at >= ?1 AND checked_at < ?3) AS week,
		(SELECT count(DISTINCT checked_at) FROM health_checks h WHERE h.service = n.service AND checked_at >= ?1 AND checked_at < ?3 AND status = 'down'),
		(SELECT count(DISTINCT checked_at) FROM health_checks h WHERE h.service = n.service AND checked_at >= ?2 AND checked_at < ?3),
		(SELECT count(DISTINCT checked_at) FROM health_checks h WHERE h.service = n.service AND checked_at >= ?2 AND checked_at < ?3 AND status = 'down'),
		(SELECT total(unixepoch(ended, 'subsec') - unixepoch(checked_at, 'subsec')) FROM (
			SELECT DISTINCT checked_at, (
				SELECT coalesce(min(later.checked_at), ?4) FROM health_checks later
				WHERE later.service = n.service AND later.checked_at > h.checked_at AND later.checked_at < ?3) AS ended
			FROM health_checks h WHERE h.service = n.service AND checked_at >= ?2 AND checked_at < ?3 AND status = 'down'))
	FROM names n WHERE service IS NOT NULL AND week > 0`

// Uptimes are how all services did in the day and the week before now, by name. One that was not looked at in that week is left out.
func (q queries) Uptimes(ctx context.Context, now time.Time) ([]Uptime, error) {
	scan := func(r row, u *Uptime) error {
		var seconds float64
		err := r.Scan(&u.Service, &u.Week.Count, &u.Week.Down, &u.Day.Count, &u.Day.Down, &seconds)
		u.Down = time.Duration(seconds * float64(time.Second)).Round(time.Millisecond)
		return err
	}
	return list(ctx, q, "read how all services did", scan, uptimes,
		timeText(now.Add(-7*24*time.Hour)), timeText(now.Add(-24*time.Hour)), timeText(now.Add(time.Millisecond)), timeText(now))
}

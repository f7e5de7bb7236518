package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
)

// checksLast is how long single results are kept. Beyond that a service has one row for each hour, which is kept from the first result on.
const checksLast = 7 * 24 * time.Hour

// singlePaces is the longest time of which Paces are those of each check, not of hours: a chart of a day.
const singlePaces = 25 * time.Hour

const (
	// countHour adds the results with an id above ?1, which are one batch of the time ?2, to the hour ?3. Until then a
	// service was as the look before found it, if that was less than ?4 ms ago.
	countHour = `
		INSERT INTO hours (service, hour, unknown, healthy, degraded, down, timed, sum_ms, max_ms, watched_ms, down_ms)
		SELECT service, ?3, worst = 0, worst = 1, worst = 2, worst = 3, timed, sum_ms, max_ms, iif(was > 0, ms, 0), iif(was = 3, ms, 0)
		FROM (
			SELECT b.*, coalesce(l.worst, 0) AS was, CAST(round((julianday(?2) - julianday(l.checked_at)) * 86400000) AS INTEGER) AS ms
			FROM (
				SELECT service, max(` + worstOf + `) AS worst, count(response_time_ms) AS timed,
					coalesce(sum(response_time_ms), 0) AS sum_ms, max(response_time_ms) AS max_ms
				FROM health_checks NOT INDEXED WHERE id > ?1 GROUP BY service) b
			LEFT JOIN (` + lastLook + ` GROUP BY service) l ON l.service = b.service AND ms BETWEEN 0 AND ?4)
		WHERE TRUE
		ON CONFLICT DO UPDATE SET healthy = healthy + excluded.healthy, degraded = degraded + excluded.degraded, down = down + excluded.down,
			unknown = unknown + excluded.unknown, timed = timed + excluded.timed, sum_ms = sum_ms + excluded.sum_ms,
			max_ms = coalesce(max(max_ms, excluded.max_ms), max_ms, excluded.max_ms),
			watched_ms = watched_ms + excluded.watched_ms, down_ms = down_ms + excluded.down_ms`

	// lastLook selects how the last look found services: of its results, the worst. Times are of one width.
	lastLook = `
		SELECT service, max(checked_at) AS checked_at, CAST(substr(max(checked_at || ` + worstOf + `), -1) AS INTEGER) AS worst
		FROM latest`
)

// hourOf returns when the hour of a moment begins, by wall clock time in the moment's zone, so that a day has whole hours.
func hourOf(at time.Time) time.Time {
	_, offset := at.Zone()
	shift := time.Duration(offset) * time.Second
	return at.Add(shift).Truncate(time.Hour).Add(-shift)
}

// Pace sums up how long checks took in one time slot. Both durations are 0 if no result has one.
type Pace struct {
	Type   check.Type   `json:"-"`  // empty: of all types together
	At     time.Time    `json:"at"` // of the first one
	MeanMS int64        `json:"mean_ms"`
	MaxMS  int64        `json:"max_ms"`
	Worst  check.Status `json:"worst"`
}

// The paces from ?2 on and before ?3, in ?4 slots of together ?5 ms.
const (
	slot = `CAST(round((julianday(at) - julianday(?2)) * 86400000) AS INTEGER) * ?4 / ?5`

	pacesOfChecks = `
		SELECT check_type, min(at), CAST(round(coalesce(avg(response_time_ms), 0)) AS INTEGER), coalesce(max(response_time_ms), 0), ` + worstStatus + `
		FROM (SELECT *, checked_at AS at FROM health_checks WHERE service = ?1 AND checked_at >= ?2 AND checked_at < ?3)
		GROUP BY check_type, ` + slot + ` ORDER BY check_type, min(at)`
	pacesOfHours = `
		SELECT '', min(at), CAST(round(coalesce(total(sum_ms) / sum(timed), 0)) AS INTEGER), coalesce(max(max_ms), 0),
			CASE WHEN sum(down) > 0 THEN 'down' WHEN sum(degraded) > 0 THEN 'degraded' WHEN sum(healthy) > 0 THEN 'healthy' ELSE 'unknown' END
		FROM (SELECT *, hour AS at FROM hours WHERE service = ?1 AND hour >= ?2 AND hour < ?3)
		GROUP BY ` + slot + ` ORDER BY min(at)`
)

// Paces sums up how long a service's checks took between two times, in slots of equal length, by type and time. Slots without checks are
// left out, and so are types without durations. For more than a day they are by the hour, of all types together.
func (s *Store) Paces(ctx context.Context, service string, from, until time.Time, slots int) ([]Pace, error) {
	query := pacesOfChecks
	if until.Sub(from) > singlePaces {
		query = pacesOfHours
	}
	paces, err := list[Pace](ctx, s, "read how long checks took", query,
		service, from, until, slots, until.Sub(from).Milliseconds())
	timed := map[check.Type]bool{}
	for _, p := range paces {
		timed[p.Type] = timed[p.Type] || p.MaxMS > 0
	}
	return slices.DeleteFunc(paces, func(p Pace) bool { return !timed[p.Type] }), err
}

// DayLooks counts how often a service had each status on one day. The results of one batch count once, with the worst status. A batch in
// which no check could be made does not count.
type DayLooks struct {
	Service                 string
	Day                     int // index of the requested day
	Healthy, Degraded, Down int
}

// looksByDay sums up the hours of the days ?1. It reads service by service and day by day in the order of the table, so that nothing is
// sorted.
const looksByDay = `
	WITH found AS MATERIALIZED (
		SELECT service, key, (
			SELECT json_array(sum(healthy), sum(degraded), sum(down)) FROM hours h
			WHERE h.service = n.service AND hour >= value ->> 0 AND hour < value ->> 1 HAVING count(*) > 0) AS looks
		FROM (SELECT DISTINCT service FROM latest LIMIT ?2) n CROSS JOIN json_each(?1))
	SELECT service, key, looks ->> 0, looks ->> 1, looks ->> 2 FROM found WHERE looks IS NOT NULL`

// LooksByDay counts the statuses of at most limit services between each moment and the next, in the hours that begin in between. Days are
// numbered from the first moment. Days without checks are left out.
func (s *Store) LooksByDay(ctx context.Context, moments []time.Time, limit int) ([]DayLooks, error) {
	return list[DayLooks](ctx, s, "count how services were found by day", looksByDay, spans(moments), limit)
}

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

// uptimes adds up the hours of the services ?1, or of all if it is empty, after each of ?2, ?3 and ?4, the earliest. Up to and
// with the moment ?5 a service is as it was found last, if that was less than ?6 ms ago.
const uptimes = `
	SELECT service,
		1000000 * (now_ms + coalesce(sum(watched_ms) FILTER (WHERE hour > ?2), 0)),
		1000000 * (iif(worst = 3, now_ms, 0) + coalesce(sum(down_ms) FILTER (WHERE hour > ?2), 0)),
		1000000 * (now_ms + coalesce(sum(watched_ms) FILTER (WHERE hour > ?3), 0)),
		1000000 * (iif(worst = 3, now_ms, 0) + coalesce(sum(down_ms) FILTER (WHERE hour > ?3), 0)),
		1000000 * (now_ms + sum(watched_ms)), 1000000 * (iif(worst = 3, now_ms, 0) + sum(down_ms))
	FROM (
		SELECT service, worst, iif(worst > 0 AND ms BETWEEN 0 AND ?6, ms, 0) AS now_ms FROM (
			SELECT service, worst, 1 + CAST(round((julianday(?5) - julianday(checked_at)) * 86400000) AS INTEGER) AS ms FROM (
				` + lastLook + ` WHERE ?1 = '[]' OR service IN (SELECT value FROM json_each(?1)) GROUP BY service)))
	CROSS JOIN hours h USING (service)
	WHERE hour > ?4 GROUP BY service ORDER BY service`

// Uptimes returns the availability before now of some services, or of all, by name. One that was not checked in the last
// 30 days is left out.
func (s *Store) Uptimes(ctx context.Context, now time.Time, services ...string) ([]Uptime, error) {
	return list[Uptime](ctx, s, "read how services did", uptimes,
		services, now.Add(-24*time.Hour), now.Add(-7*24*time.Hour), now.Add(-30*24*time.Hour), now, findingLasts.Milliseconds())
}

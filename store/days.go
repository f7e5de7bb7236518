package store

import (
	"context"
	"encoding/hex"
	"time"

	"github.com/go-json-experiment/json"
)

// DayLooks counts how a service was found on one day. The results of one batch are one look, which found it as badly as any of them did; one of which no check could be made is none.
type DayLooks struct {
	Service                 string
	Day                     int // which of those asked for
	Healthy, Degraded, Down int
}

// looksBit is how many bits each of the three counts has in the sum that looksByDay makes of a day: a day has some 17 bits of seconds.
const looksBit = 20

// looksByDay sums up the days ?1 of all services. They are found one by one, each with a day at a time, in the index on service,
// time and status: a month of checks is not sorted, and their rows are not read.
const looksByDay = `
	WITH RECURSIVE
		every (service) AS (
			SELECT min(service) FROM health_checks
			UNION ALL
			SELECT (SELECT min(service) FROM health_checks WHERE service > every.service) FROM every WHERE service IS NOT NULL),
		days (day, since, until) AS MATERIALIZED (SELECT key, value ->> 0, value ->> 1 FROM json_each(?1))
	SELECT service, day, looks FROM (
		SELECT service, day, (
			SELECT sum(worst) FROM (
				SELECT max(CASE status WHEN 'unknown' THEN 0 WHEN 'healthy' THEN 1 WHEN 'degraded' THEN 1 << ?2 ELSE 1 << 2 * ?2 END) AS worst
				FROM health_checks h WHERE h.service = n.service AND checked_at >= since AND checked_at < until GROUP BY checked_at)) AS looks
		FROM (SELECT service FROM every WHERE service IS NOT NULL LIMIT ?3) n CROSS JOIN days)
	WHERE looks IS NOT NULL`

// LooksByDay counts how services, at most limit, were found between each moment and the next, days being from the first moment on. Days without
// any look are left out.
func (q queries) LooksByDay(ctx context.Context, moments []time.Time, limit int) ([]DayLooks, error) {
	const work = "count how services were found by day"
	days := make([][2]string, 0, len(moments))
	for n := range len(moments) - 1 {
		days = append(days, [2]string{timeText(moments[n]), timeText(moments[n+1])})
	}
	ranges, err := json.Marshal(days)
	if err != nil {
		return nil, q.failed(work, err)
	}
	scan := func(r row, d *DayLooks) error {
		var looks int
		err := r.Scan(readText{&d.Service, mostName}, &d.Day, &looks)
		const mask = 1<<looksBit - 1
		d.Healthy, d.Degraded, d.Down = looks&mask, looks>>looksBit&mask, looks>>(2*looksBit)
		return err
	}
	return listBy(ctx, q, work, scan, looksByDay, string(ranges), looksBit, limit)
}

// nameList is a JSON array of names; NULL where there is none. They are in hexadecimal, since a name in the database may be no UTF-8.
func nameList(names []string) (any, error) {
	if len(names) == 0 {
		return nil, nil
	}
	coded := make([]string, len(names))
	for n, name := range names {
		coded[n] = hex.EncodeToString([]byte(name))
	}
	text, err := json.Marshal(coded)
	return string(text), err
}

// LastChecked is when each service was last checked, however long ago; at most limit services.
func (q queries) LastChecked(ctx context.Context, limit int) (map[string]time.Time, error) {
	return keyed[string, time.Time](ctx, q, "read when services were last checked", `
		WITH RECURSIVE every (service) AS (
			SELECT min(service) FROM health_checks
			UNION ALL
			SELECT (SELECT min(service) FROM health_checks WHERE service > every.service) FROM every WHERE service IS NOT NULL)
		SELECT service, (SELECT max(checked_at) FROM health_checks h WHERE h.service = every.service) FROM every WHERE service IS NOT NULL LIMIT ?`, limit)
}

// CostByDay is what the sessions cost, in US dollars, that were started between each moment and the next.
func (q queries) CostByDay(ctx context.Context, moments []time.Time) ([]float64, error) {
	costs := make([]float64, 0, len(moments))
	for n := range len(moments) - 1 {
		cost, err := one[float64](ctx, q, "sum up costs by day", `SELECT total(`+usd+`) FROM sessions WHERE started_at >= ? AND started_at < ?`,
			timeText(moments[n]), timeText(moments[n+1]))
		if err != nil {
			return nil, err
		}
		costs = append(costs, cost)
	}
	return costs, nil
}

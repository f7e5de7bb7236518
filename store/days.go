package store

import (
	"context"
	"encoding/hex"
	"strconv"
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

// looksByDay sums up the days ?2 of the services ?1, or of all. They are found one by one, each with a day at a time, in the index on service,
// time and status: a month of checks is not sorted, and their rows are not read.
const looksByDay = `
	WITH RECURSIVE
		every (service) AS (
			SELECT min(service) FROM health_checks WHERE ?1 IS NULL
			UNION ALL
			SELECT (SELECT min(service) FROM health_checks WHERE service > every.service) FROM every WHERE service IS NOT NULL),
		names (service) AS (
			SELECT CAST(unhex(value) AS TEXT) FROM json_each(?1)
			UNION ALL
			SELECT service FROM every WHERE service IS NOT NULL),
		days (day, since, until) AS MATERIALIZED (SELECT key, value ->> 0, value ->> 1 FROM json_each(?2))
	SELECT service, day, looks FROM (
		SELECT service, day, (
			SELECT sum(worst) FROM (
				SELECT max(CASE status WHEN 'unknown' THEN 0 WHEN 'healthy' THEN 1 WHEN 'degraded' THEN 1 << ?3 ELSE 1 << 2 * ?3 END) AS worst
				FROM health_checks h WHERE h.service = n.service AND checked_at >= since AND checked_at < until GROUP BY checked_at)) AS looks
		FROM (SELECT service FROM names LIMIT ?4) n CROSS JOIN days)
	WHERE looks IS NOT NULL`

// LooksByDay counts how services were found between each moment and the next, days being from the first moment on: of the services named,
// or where none is of all, at most limit. Days without any look are left out.
func (q queries) LooksByDay(ctx context.Context, moments []time.Time, limit int, services ...string) ([]DayLooks, error) {
	const work = "count how services were found by day"
	days := make([][2]string, 0, len(moments))
	for n := range len(moments) - 1 {
		days = append(days, [2]string{timeText(moments[n]), timeText(moments[n+1])})
	}
	ranges, err := json.Marshal(days)
	if err != nil {
		return nil, q.failed(work, err)
	}
	names, err := nameList(services)
	if err != nil {
		return nil, q.failed(work, err)
	}
	scan := func(r row, d *DayLooks) error {
		var looks int
		err := r.Scan(readName(&d.Service), &d.Day, &looks)
		const mask = 1<<looksBit - 1
		d.Healthy, d.Degraded, d.Down = looks&mask, looks>>looksBit&mask, looks>>(2*looksBit)
		return err
	}
	return list(ctx, q, work, scan, looksByDay, names, string(ranges), looksBit, limit)
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

// Mark is the youngest check result at a moment, by which one sees later what has come since. Its zero value is that there is none.
type Mark struct {
	ID        int64
	Service   string
	CheckedAt time.Time
}

// NewestCheck is the mark at this moment.
func (q queries) NewestCheck(ctx context.Context) (Mark, error) {
	return q.mark(ctx, `SELECT id, service, checked_at FROM health_checks ORDER BY id DESC LIMIT 1`)
}

// MarkAt is the mark that the check result of an id is; the zero value where there is none.
func (q queries) MarkAt(ctx context.Context, id int64) (Mark, error) {
	return q.mark(ctx, `SELECT id, service, checked_at FROM health_checks WHERE id = `+strconv.FormatInt(id, 10))
}

func (q queries) mark(ctx context.Context, query string) (m Mark, err error) {
	scan := func(r row, m *Mark) error { return r.Scan(&m.ID, readName(&m.Service), readTime{&m.CheckedAt}) }
	found, err := list(ctx, q, "look for new check results", scan, query)
	if err != nil || len(found) == 0 {
		return m, err
	}
	return found[0], nil
}

// CheckedAfter returns, for each service of which there are check results younger than a mark, the earliest time of these.
func (q queries) CheckedAfter(ctx context.Context, m Mark) (since map[string]time.Time, err error) {
	type service struct {
		name string
		at   time.Time
	}
	found, err := list(ctx, q, "look for new check results", func(r row, s *service) error { return r.Scan(readName(&s.name), readTime{&s.at}) },
		`SELECT service, min(checked_at) FROM health_checks WHERE id > ? GROUP BY +service`, m.ID)
	since = make(map[string]time.Time, len(found))
	for _, s := range found {
		since[s.name] = s.at
	}
	return since, err
}

// LastChecked is when each service was last checked, however long ago: of the services named, or where none is of all, at most limit.
func (q queries) LastChecked(ctx context.Context, limit int, services ...string) (map[string]time.Time, error) {
	const work = "read when services were last checked"
	names, err := nameList(services)
	if err != nil {
		return nil, q.failed(work, err)
	}
	type service struct {
		name string
		at   *time.Time
	}
	found, err := list(ctx, q, work, func(r row, s *service) error { return r.Scan(readName(&s.name), readOptional{&s.at}) }, `
		WITH RECURSIVE every (service) AS (
			SELECT min(service) FROM health_checks WHERE ?1 IS NULL
			UNION ALL
			SELECT (SELECT min(service) FROM health_checks WHERE service > every.service) FROM every WHERE service IS NOT NULL)
		SELECT service, (SELECT max(checked_at) FROM health_checks h WHERE h.service = n.service)
		FROM (SELECT CAST(unhex(value) AS TEXT) AS service FROM json_each(?1) UNION ALL SELECT service FROM every WHERE service IS NOT NULL) n LIMIT ?2`, names, limit)
	last := make(map[string]time.Time, len(found))
	for _, s := range found {
		if s.at != nil {
			last[s.name] = *s.at
		}
	}
	return last, err
}

// CostByDay is what the sessions cost, in US dollars, that were started between each moment and the next.
func (q queries) CostByDay(ctx context.Context, moments []time.Time) ([]float64, error) {
	costs := make([]float64, 0, len(moments))
	for n := range len(moments) - 1 {
		var cost float64
		err := q.conn.QueryRowContext(ctx, `SELECT total(`+usd+`) FROM sessions WHERE started_at >= ? AND started_at < ?`,
			timeText(moments[n]), timeText(moments[n+1])).Scan(&cost)
		if err != nil {
			return nil, q.failed("sum up costs by day", err)
		}
		costs = append(costs, cost)
	}
	return costs, nil
}

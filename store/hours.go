package store

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/check"
)

// For each hour, figures of all check results are stored in the same transaction as the results: how the service was found (look_hours),
// and what its checks of each type found and how long they took (check_hours). They remain when results are left out (quiet.go).

// samplesLast is how long the time and duration of each check are kept: long enough for a chart of a day by the minute, including the
// hour in which it begins.
const samplesLast = 25 * time.Hour

// These add another row of a check's hour, except for the median, which is computed afterwards. About 256 KiB of samples are kept, four
// checks a second; later samples are not in the median.
const (
	joinedHour = `
		checks = checks + excluded.checks, degraded = degraded + excluded.degraded, down = down + excluded.down, unknown = unknown + excluded.unknown,
		timed = timed + excluded.timed, sum_ms = sum_ms + excluded.sum_ms, first_at = min(first_at, excluded.first_at),
		median_ms = NULL, min_ms = coalesce(min(min_ms, excluded.min_ms), min_ms, excluded.min_ms), max_ms = coalesce(max(max_ms, excluded.max_ms), max_ms, excluded.max_ms)`
	joinedSamples = `samples = iif(length(samples) < 262144, rtrim(samples, ']') || '],[' || ltrim(excluded.samples, '['), samples)`
)

// hourOf returns when the hour of a moment begins, by wall clock time in the moment's zone, so that a day has whole hours.
func hourOf(at time.Time) time.Time {
	_, offset := at.Zone()
	shift := time.Duration(offset) * time.Second
	return at.Add(shift).Truncate(time.Hour).Add(-shift)
}

// Of the results with an id above ?1, which are one batch in the hour ?2.
const (
	countLooks = `
		INSERT INTO look_hours (service, hour, status, looks, first_at, last_at)
		SELECT service, ?2, status, 1, checked_at, checked_at FROM (
			SELECT service, status, checked_at, max(` + worstOf + `) FROM health_checks NOT INDEXED WHERE id > ?1 GROUP BY service)
		WHERE TRUE
		ON CONFLICT DO UPDATE SET looks = looks + 1, first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)`

	countChecks = `
		INSERT INTO check_hours (service, check_type, hour, checks, degraded, down, unknown, timed, sum_ms, min_ms, max_ms, first_at)
		SELECT service, check_type, ?2, count(*), count(*) FILTER (WHERE status = 'degraded'), count(*) FILTER (WHERE status = 'down'),
			count(*) FILTER (WHERE status = 'unknown'), count(response_time_ms), coalesce(sum(response_time_ms), 0), min(response_time_ms), max(response_time_ms), checked_at
		FROM health_checks NOT INDEXED WHERE id > ?1 GROUP BY service, check_type
		ON CONFLICT DO UPDATE SET ` + joinedHour

	// ?3 is the batch's offset into the hour.
	addSamples = `
		INSERT INTO check_samples (service, check_type, hour, samples)
		SELECT service, check_type, ?2, json_group_array(json_array(?3, response_time_ms, ` + worstOf + `))
		FROM health_checks NOT INDEXED WHERE id > ?1 GROUP BY service, check_type
		ON CONFLICT DO UPDATE SET ` + joinedSamples

	// medians of the hours with samples.
	medians = `
		UPDATE check_hours SET median_ms = (
			SELECT ms FROM (
				SELECT value ->> 1 AS ms, row_number() OVER (ORDER BY value ->> 1) AS place, count(*) OVER () AS timed FROM json_each(s.samples)
				WHERE value ->> 1 IS NOT NULL)
			WHERE place = (timed + 1) / 2)
		FROM check_samples s
		WHERE s.hour = check_hours.hour AND s.service = check_hours.service AND s.check_type = check_hours.check_type AND json_valid(s.samples) AND `

	findMedians = medians + `check_hours.hour = ?2 AND s.hour = ?2
			AND (check_hours.service, check_hours.check_type) IN (SELECT service, check_type FROM health_checks NOT INDEXED WHERE id > ?1)`

	// Samples before ?2 are dropped.
	dropSamples = `
		DELETE FROM check_samples
		WHERE hour < ?2 AND (service, check_type) IN (SELECT service, check_type FROM health_checks NOT INDEXED WHERE id > ?1)`
)

// countHour adds the batch of results with an id above last to the figures of its hour.
func (s *Store) countHour(ctx context.Context, at time.Time, last int64) error {
	hour := hourOf(at)
	for _, step := range []struct {
		query string
		args  []any
	}{
		{countLooks, []any{last, timeText(hour)}},
		{countChecks, []any{last, timeText(hour)}},
		{addSamples, []any{last, timeText(hour), at.Sub(hour).Milliseconds()}},
		{findMedians, []any{last, timeText(hour)}},
		{dropSamples, []any{last, timeText(hour.Add(-samplesLast))}},
	} {
		if err := s.exec(ctx, "add up the hour", step.query, step.args...); err != nil {
			return err
		}
	}
	return nil
}

// Pace sums up the check results of one type in one time slot.
type Pace struct {
	Type          check.Type
	At            time.Time // of the first one
	MeanMS, MaxMS *int64    // nil if no result has a duration
	Worst         check.Status
}

// checkHour is an hour as Paces reads it.
type checkHour struct {
	Type          check.Type
	Hour, FirstAt time.Time
	Worst         int // as in worstOf
	Timed, Sum    int64
	Max           *int64
	Samples       string
}

// points returns the hour's checks; samples are [ms after the hour, response time, severity]. An hour whose samples were dropped becomes
// one point, at its first check.
func (h checkHour) points() (points []pacePoint, err error) {
	if h.Samples == "" {
		return []pacePoint{{h.FirstAt, h.Worst, h.Timed, h.Sum, h.Max}}, nil
	}
	var samples [][3]*int64
	if err := json.Unmarshal([]byte(h.Samples), &samples); err != nil {
		return nil, fmt.Errorf("samples of an hour: %w", err)
	}
	for _, sample := range samples {
		p := pacePoint{at: h.Hour.Add(time.Duration(*sample[0]) * time.Millisecond), worst: int(*sample[2])}
		if took := sample[1]; took != nil {
			p.timed, p.sum, p.max = 1, *took, took
		}
		points = append(points, p)
	}
	slices.SortStableFunc(points, func(a, b pacePoint) int { return a.at.Compare(b.at) }) // the clock may have been set back
	return points, nil
}

// pacePoint is one check, or the checks of one hour.
type pacePoint struct {
	at         time.Time
	worst      int
	timed, sum int64
	max        *int64
}

// Paces sums up how long a service's checks took between two times, in slots of equal length, by type and time. Slots without checks are
// left out, and so are types without durations. Anything older than a day is known only by the hour; an hour belongs to the slot of its
// first check.
func (s *Store) Paces(ctx context.Context, service string, from, until time.Time, slots int) (paces []Pace, err error) {
	hours, err := list[checkHour](ctx, s, "read how long checks took", `
		SELECT check_type, hour, first_at, CASE WHEN down > 0 THEN 3 WHEN degraded > 0 THEN 2 WHEN checks > unknown THEN 1 ELSE 0 END, timed, sum_ms, max_ms,
			coalesce(samples, '')
		FROM check_hours LEFT JOIN check_samples USING (service, check_type, hour) WHERE service = ?1 AND hour > ?2 AND hour < ?3 ORDER BY check_type, hour`,
		service, timeText(from.Add(-time.Hour)), timeText(until))
	if err != nil {
		return nil, err
	}
	var slot, timed, sum int64
	for _, h := range hours {
		points, err := h.points()
		if err != nil {
			return nil, s.failed("read how long checks took", err)
		}
		for _, p := range points {
			if p.at.Before(from) || !p.at.Before(until) {
				continue
			}
			in := int64(p.at.Sub(from)) * int64(slots) / int64(until.Sub(from))
			if n := len(paces); n == 0 || paces[n-1].Type != h.Type || in != slot {
				paces, slot, timed, sum = append(paces, Pace{Type: h.Type, At: p.at, Worst: check.Unknown}), in, 0, 0
			}
			pace := &paces[len(paces)-1]
			if p.worst >= 0 && p.worst < len(byWorst) && byWorst[p.worst].Worse(pace.Worst) {
				pace.Worst = byWorst[p.worst]
			}
			if p.max != nil && (pace.MaxMS == nil || *p.max > *pace.MaxMS) {
				pace.MaxMS = p.max
			}
			if timed, sum = timed+p.timed, sum+p.sum; timed > 0 {
				pace.MeanMS = new(int64(math.Round(float64(sum) / float64(timed))))
			}
		}
	}
	return withTimes(paces), nil
}

// withTimes returns the paces of types with at least one duration.
func withTimes(paces []Pace) (left []Pace) {
	timed := map[check.Type]bool{}
	for _, p := range paces {
		timed[p.Type] = timed[p.Type] || p.MeanMS != nil
	}
	for _, p := range paces {
		if timed[p.Type] {
			left = append(left, p)
		}
	}
	return left
}

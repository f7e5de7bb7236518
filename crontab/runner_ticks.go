package crontab

import (
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/schedule"
)

// farthest is how far back a tick is searched. schedule.Expression looks five years ahead.
const farthest = 6 * 366 * 24 * time.Hour

// ticks are the times at which any of several schedules is due, each once.
type ticks []beat

// beat is one schedule. The times of @every are counted from its anchor.
type beat struct {
	schedule.Expression
	anchor time.Time
}

// ticksOf returns the ticks of expressions. An @every that existed before keeps its anchor; a new one begins now.
func ticksOf(expressions []schedule.Expression, before ticks, now time.Time) ticks {
	all := make(ticks, 0, len(expressions))
	for _, e := range expressions {
		b := beat{e, now.Truncate(time.Second)}
		if i := slices.IndexFunc(before, func(old beat) bool { return old.String() == e.String() }); i >= 0 {
			b.anchor = before[i].anchor
		}
		all = append(all, b)
	}
	return all
}

// String is the schedules as they were given.
func (t ticks) String() string {
	var texts []string
	for _, b := range t {
		texts = append(texts, b.Expression.String())
	}
	return strings.Join(texts, "; ")
}

// next returns the first tick after a time; zero if there is none within five years.
func (t ticks) next(after time.Time) (first time.Time) {
	for _, b := range t {
		if at := b.next(after); !at.IsZero() && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	return first
}

// newest returns the last tick in (after, until].
func (t ticks) newest(after, until time.Time) (last time.Time, found bool) {
	for _, b := range t {
		if at := b.newest(until); at.After(after) && at.After(last) {
			last, found = at, true
		}
	}
	return last, found
}

func (b beat) next(after time.Time) time.Time {
	every := b.Every()
	if every == 0 {
		return b.Next(after)
	}
	if after.Before(b.anchor) {
		after = b.anchor
	}
	return b.anchor.Add(after.Sub(b.anchor).Truncate(every) + every)
}

// newest returns the last tick until a time; zero if there is none in recent years. It takes a few dozen steps, however frequent the
// schedule.
func (b beat) newest(until time.Time) time.Time {
	if every := b.Every(); every != 0 {
		if since := until.Sub(b.anchor); since >= every {
			return b.anchor.Add(since.Truncate(every))
		}
		return time.Time{}
	}
	due := func(after time.Time) bool { // in (after, until]
		next := b.Next(after)
		return !next.IsZero() && !next.After(until)
	}
	back := time.Minute
	for !due(until.Add(-back)) {
		if back >= farthest {
			return time.Time{}
		}
		back *= 2
	}
	// Ticks are whole seconds: a tick follows low, none follows high.
	low, high := until.Add(-back).Unix(), until.Unix()
	for high-low > 1 {
		if middle := low + (high-low)/2; due(time.Unix(middle, 0)) {
			low = middle
		} else {
			high = middle
		}
	}
	return b.Next(time.Unix(low, 0))
}

// Unanswered returns the newest run that was due more than patience before now and after which no cycle has ended; the last one ended at
// last. The start of another scheduler's @every is unknown, so it is counted from last.
func Unanswered(expressions []schedule.Expression, last, now time.Time, patience time.Duration) (due time.Time, found bool) {
	return ticksOf(expressions, nil, last).newest(last, now.Add(-patience))
}

package state

import (
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/schedule"
)

const (
	// DayLasts is how long the results of a day count, and a cycle where the next run is unknown: a day, plus the time by which a cycle of a
	// daily schedule may be longer than the one before.
	DayLasts = 26 * time.Hour
	// Lateness is how late a run must be at least to count as missed.
	Lateness = 2 * time.Hour
	// longestAgo is how far back a run is searched: as far as schedules look ahead.
	longestAgo = 5 * 365 * 24 * time.Hour
)

// StatusLasts returns how long the last results of a service count: until a run was missed, and at least DayLasts. A service that is no
// longer checked is neither well nor unwell.
func StatusLasts(s config.Schedule, now time.Time) time.Duration {
	if len(s) == 0 {
		return DayLasts
	}
	until := now.Add(-Lateness)
	newest := until.Add(-longestAgo)
	for _, expression := range s {
		run := newestRun(expression, until.In(now.Location()))
		if every := expression.Every(); every > 0 {
			run = until.Add(-every) // the start of its interval is unknown
		}
		if run.After(newest) {
			newest = run
		}
	}
	return max(DayLasts, now.Sub(newest))
}

// newestRun returns when the last run up to a moment was due; zero if there was none within longestAgo.
func newestRun(e schedule.Expression, until time.Time) (last time.Time) {
	for back := time.Hour; last.IsZero() && back < 2*longestAgo; back *= 2 {
		for next := e.Next(until.Add(-back)); !next.IsZero() && !next.After(until); next = e.Next(next) {
			last = next
		}
	}
	return last
}

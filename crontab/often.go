package crontab

import (
	"fmt"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/schedule"
)

const (
	// leastWithModel is the minimum interval of cycles that each start a model.
	leastWithModel = 15 * time.Minute
	// mostRuns limits the runs that are examined for a schedule's shortest interval: a year of two runs a day.
	mostRuns = 750
)

// WatchEachMinute is what to do where cycles are to come more often than a model may be started.
const WatchEachMinute = "let the checks of the inventory watch, which cost nothing: CLAUDEOPS_TIER1_AGENT=probe, with a run each minute (* * * * *) and " +
	"`fail_after: 2` for its services; or leave 15 minutes or more between runs"

// TooOften returns what is wrong with a schedule whose every run starts a model; empty if nothing is.
func TooOften(all []schedule.Expression, now time.Time) string {
	shortest := time.Duration(0)
	for last, n := (time.Time{}), 0; n < mostRuns; n++ {
		next := firstOf(all, now)
		if next.IsZero() {
			break
		}
		if gap := next.Sub(last); !last.IsZero() && (shortest == 0 || gap < shortest) {
			shortest = gap
		}
		last, now = next, next
	}
	if shortest == 0 || shortest >= leastWithModel {
		return ""
	}
	return fmt.Sprintf("a model is Tier 1, and would be started, and paid for, after as little as %s", text.Duration(shortest))
}

// firstOf returns when the first of some expressions is due after a time; zero if none ever is.
func firstOf(all []schedule.Expression, now time.Time) (first time.Time) {
	for _, e := range all {
		if at := e.Next(now); first.IsZero() || !at.IsZero() && at.Before(first) {
			first = at
		}
	}
	return first
}

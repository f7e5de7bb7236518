package crontab

import (
	"time"

	"github.com/claudeops/claudeops/schedule"
)

// Together is the first time within a year after from, in its zone, at which both expressions come; zero where there is none. It means nothing for
// @every.
func Together(a, b schedule.Expression, from time.Time) time.Time {
	until := from.AddDate(1, 0, 1)
	for at, other := a.Next(from), b.Next(from); !at.IsZero() && !other.IsZero() && at.Before(until) && other.Before(until); {
		switch at.Compare(other) {
		case -1:
			at = a.Next(other.Add(-time.Nanosecond))
		case 1:
			other = b.Next(at.Add(-time.Nanosecond))
		default:
			return at
		}
	}
	return time.Time{}
}

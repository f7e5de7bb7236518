package crontab

import (
	"iter"
	"time"
)

// clockChanges are the moments after from, in its zone and within two years, at which the clock is put forward or back.
func clockChanges(from time.Time) iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		for at, until := from, from.AddDate(2, 0, 0); ; {
			_, change := at.ZoneBounds()
			// Some bounds that Go gives are not past the moment asked about.
			if !change.After(at) || !change.Before(until) || !yield(change) {
				return
			}
			at = change
		}
	}
}

// touched is by how much a change puts the clock forward, less than nothing where it is put back, and until when times are skipped or come twice.
func touched(change time.Time) (by time.Duration, end time.Time) {
	_, before := change.Add(-1).Zone()
	_, after := change.Zone()
	by = time.Duration(after-before) * time.Second
	return by, change.Add(by.Abs())
}

package statefile

import (
	"slices"
	"time"
)

// Position is how many of an action count for a service, and how many are permitted, according to one list of records. It is not yet the
// answer: state.Permission adds what an incident carries over a recovery, and the day's ceiling.
type Position struct {
	Action Action
	// Used may exceed Limit, because others write the file too.
	Used, Limit int
	// FreesAt is when one more is permitted if nothing else happens; zero if one is permitted now.
	FreesAt time.Time
}

// Permitted reports whether the action is permitted once more now.
func (p Position) Permitted() bool { return p.Used < p.Limit }

// InWindow reports whether a record of an action counts at now: while it is younger than the action's window, exclusively. Records in the
// future, and those without a time, count as of now.
func (r Record) InWindow(a Action, now time.Time) bool {
	return now.Sub(OrNow(r.Timestamp, now)) < a.Window()
}

// Count returns the position for these records at now.
func Count(records []Record, a Action, now time.Time) Position {
	ends := Ends(records, a, now)
	p := Position{Action: a, Used: len(ends), Limit: a.Limit()}
	if !p.Permitted() && p.Limit > 0 {
		// One more is permitted once all but Limit-1 of them have left the window; that is when the youngest of the others leaves.
		p.FreesAt = ends[p.Used-p.Limit]
	}
	return p
}

// Ends returns when each record that counts at now will stop counting, the soonest first; nil if none counts.
func Ends(records []Record, a Action, now time.Time) (ends []time.Time) {
	for _, r := range records {
		if r.InWindow(a, now) {
			ends = append(ends, OrNow(r.Timestamp, now).Add(a.Window()))
		}
	}
	slices.SortFunc(ends, time.Time.Compare)
	return ends
}

// DigestDue reports whether the last daily digest is more than DigestEvery old at now, or was never sent. A time in the future counts as
// now.
func (s *State) DigestDue(now time.Time) bool {
	last := s.LastDailyDigest
	return last == nil || now.Sub(*last) > DigestEvery
}

// Tidy removes the records that are PruneAfter old at now, none of which is in a window. Times in the future, and those of records without
// one, become now, so that they count no longer than others.
func (s *State) Tidy(now time.Time) {
	for _, is := range s.Services {
		for _, a := range Actions() {
			records := slices.DeleteFunc(is.Records(a), func(r Record) bool { return now.Sub(OrNow(r.Timestamp, now)) >= PruneAfter })
			for i, r := range records {
				records[i].Timestamp = At(OrNow(r.Timestamp, now))
			}
			is.SetRecords(a, records)
		}
	}
	for _, t := range []*time.Time{s.LastRun, s.LastDailyDigest} {
		if t != nil {
			*t = At(OrNow(*t, now))
		}
	}
}

// OrNow returns the moment that a time counts as: itself, or now if it is in the future (RULE "Clock") or missing.
func OrNow(t, now time.Time) time.Time {
	if !t.After(time.Time{}) || t.After(now) {
		return now
	}
	return t
}

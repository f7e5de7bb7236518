package inventory

import (
	"sort"
	"time"

	"github.com/claudeops/claudeops/schedule"
)

// Window is a time in which a service is maintained: its checks go on, and nobody is told and nothing is done about what they find.
// It is either one time, From to To, or comes again by Schedule, which For follows. A schedule that names no zone is in that of the
// machine. A time that the clock shows twice when it is put back begins a window both times: whichever of them maintenance takes place at.
type Window struct {
	From, To time.Time
	Schedule *schedule.Expression // nil for a window that comes once
	For      time.Duration
	Note     string // why, for people; one line
}

// Until is when the window that now lies in ends; open is false where it lies in none. A window begins with its first moment and
// ends before its last. Of several times of one schedule that now lies in, it is the last that counts.
func (w Window) Until(now time.Time) (end time.Time, open bool) {
	if w.Schedule == nil {
		return w.To, !now.Before(w.From) && now.Before(w.To)
	}
	begin := w.lastBegin(now)
	if begin.IsZero() {
		return time.Time{}, false
	}
	return begin.Add(w.For), true
}

// lastBegin is when the latest time of the schedule began that has not ended by now, zero if there is none.
func (w Window) lastBegin(now time.Time) time.Time {
	begunBy := func(since time.Time) (begin time.Time, begun bool) {
		begin = w.Schedule.NextShown(since) // the first after since
		return begin, !begin.IsZero() && !begin.After(now)
	}
	earliest := now.Add(-w.For) // what began then ends now
	if _, begun := begunBy(earliest); !begun {
		return time.Time{}
	}
	// Times begin at whole seconds. Looked for is the latest second after which one still begins by now.
	seconds := sort.Search(int(w.For/time.Second), func(i int) bool {
		_, begun := begunBy(now.Add(-time.Duration(i+1) * time.Second))
		return begun
	})
	begin, begun := begunBy(now.Add(-time.Duration(seconds+1) * time.Second))
	if !begun || !begin.After(earliest) {
		begin, _ = begunBy(earliest)
	}
	return begin
}

// Maintained is the window of the service that now lies in, of several the one that ends last; open is false where it lies in none.
func (s *Service) Maintained(now time.Time) (window Window, until time.Time, open bool) {
	for _, w := range s.Maintenance {
		if end, within := w.Until(now); within && end.After(until) {
			window, until, open = w, end, true
		}
	}
	return window, until, open
}

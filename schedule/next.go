package schedule

import "time"

// everyHour is the value of an hour field that contains every hour.
const everyHour = 1<<24 - 1

// Next returns the first time after t at which the expression comes, in t's zone; zero if there is none within five years.
//
// A change of the clock neither skips nor repeats a run. A time that is skipped when the clock is set forward comes when it would have
// without the change: half past two becomes half past three. A time that is repeated when the clock is set back comes the first time
// only. An expression that contains every hour follows the clock, including the repeated hour. @every is counted from t, in whole
// seconds.
func (e Expression) Next(t time.Time) time.Time {
	each := e.spec.Hour&everyHour == everyHour
	return e.next(t, !each, !each)
}

// NextShown is Next for things that follow the local clock rather than runs: a repeated time comes twice. Skipped times come as for Next,
// regardless of the hour field.
func (e Expression) NextShown(t time.Time) time.Time { return e.next(t, true, false) }

// next goes from one change of the clock to the next. With skipped, times that the clock skips are included; with once, repeated times
// are not repeated.
func (e Expression) next(t time.Time, skipped, once bool) time.Time {
	if e.every > 0 {
		return t.Truncate(time.Second).Add(e.every)
	}
	if e.spec.Minute == 0 { // the zero value
		return time.Time{}
	}
	after, within := t, t.In(e.Location())
	for {
		begin, end := within.ZoneBounds() // of the current offset; zero for no bound
		_, offset := within.Zone()
		before := offset
		if !begin.IsZero() {
			_, before = begin.Add(-1).Zone()
		}
		if !end.IsZero() && !end.After(within) { // on the last day of leap years after 2037, the time package returns a bound in the past
			end = within.Add(24 * time.Hour)
		}
		settled := begin.Add(time.Duration(max(offset-before, before-offset)) * time.Second) // when the clock shows new times again
		from := after
		if once && before > offset && from.Before(settled) {
			from = settled.Add(-time.Second)
		}
		next := e.byOffset(offset, from)
		if skipped && before < offset {
			if missed := e.byOffset(before, after); !missed.IsZero() && missed.Before(settled) && (next.IsZero() || missed.Before(next)) {
				next = missed
			}
		}
		if next.IsZero() || end.IsZero() || next.Before(end) {
			return next.In(t.Location())
		}
		within, after = end, end.Add(-time.Second) // offsets change at whole seconds
	}
}

// byOffset returns the first time after t by a clock with a fixed offset from UTC, in seconds.
func (e Expression) byOffset(offset int, t time.Time) time.Time {
	ahead := time.Duration(offset) * time.Second
	next := e.spec.Next(t.UTC().Add(ahead))
	if next.IsZero() {
		return next
	}
	return next.Add(-ahead)
}

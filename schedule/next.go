package schedule

import "time"

// everyHour are the bits of an hour field that leaves none out.
const everyHour = 1<<24 - 1

// Next is the first time after t at which the expression comes, in t's zone, and zero if there is none within five years.
//
// A change of the clock neither skips nor doubles a run. A time that the clock skips when it is put forward comes when it would have by the
// clock as it was: half past two is half past three. A time that comes twice when it is put back comes the first time. An expression that
// leaves out no hour goes on as the clock shows it, through the repeated hour too. @every is counted from t, in whole seconds.
func (e Expression) Next(t time.Time) time.Time {
	each := e.spec.Hour&everyHour == everyHour
	return e.next(t, !each, !each)
}

// NextShown is as Next for what follows the clock on the wall rather than runs once: a time that the clock shows twice comes twice.
// Times that it skips come as for Next, whatever the hour field.
func (e Expression) NextShown(t time.Time) time.Time { return e.next(t, true, false) }

// next goes from one change of the clock to the following. With skipped, times come that the clock skips; with once, those that it shows
// again do not come again.
func (e Expression) next(t time.Time, skipped, once bool) time.Time {
	if e.every > 0 {
		return t.Truncate(time.Second).Add(e.every)
	}
	if e.spec.Minute == 0 { // the zero value
		return time.Time{}
	}
	after, within := t, t.In(e.Location())
	for {
		begin, end := within.ZoneBounds() // of the offset in force; zero for no bound
		_, offset := within.Zone()
		before := offset
		if !begin.IsZero() {
			_, before = begin.Add(-1).Zone()
		}
		if !end.IsZero() && !end.After(within) { // on the last day of leap years after 2037, where the time package gives a bound that is past
			end = within.Add(24 * time.Hour)
		}
		settled := begin.Add(time.Duration(max(offset-before, before-offset)) * time.Second) // since when the clock shows what is new
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

// byOffset is the first time after t by a clock that is always so many seconds ahead of UTC.
func (e Expression) byOffset(offset int, t time.Time) time.Time {
	ahead := time.Duration(offset) * time.Second
	next := e.spec.Next(t.UTC().Add(ahead))
	if next.IsZero() {
		return next
	}
	return next.Add(-ahead)
}

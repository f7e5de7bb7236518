package dashboard

import "time"

// stripDays is how many days a strip has, and a chart of costs: today and those before.
const stripDays = 30

// calendar is the last days by the clock on the wall of some zone.
type calendar struct {
	moments []time.Time // at which they begin, the oldest first, and at which the last of them ends
	dates   []string    // 2006-01-02
}

// calendarOf are the last days up to the one that now is in, in now's zone. A day has 23 or 25 hours where the clock was changed.
func calendarOf(now time.Time) calendar {
	c := calendar{make([]time.Time, 0, stripDays+1), make([]string, 0, stripDays)}
	year, month, day := now.Date()
	for n := 1 - stripDays; n <= 1; n++ {
		c.moments = append(c.moments, dayBegin(year, month, day+n, now.Location()))
		if n <= 0 {
			c.dates = append(c.dates, time.Date(year, month, day+n, 12, 0, 0, 0, time.UTC).Format(time.DateOnly))
		}
	}
	return c
}

// same reports whether the days are the same: neither the date nor the zone has changed.
func (c calendar) same(other calendar) bool {
	return len(c.moments) == len(other.moments) && c.moments[0].Equal(other.moments[0]) && c.moments[stripDays].Equal(other.moments[stripDays])
}

// dayOf is which of the days a moment is in: the first one for what was before, the last one for what comes after.
func (c calendar) dayOf(at time.Time) int {
	for n := stripDays - 1; n > 0; n-- {
		if !at.Before(c.moments[n]) {
			return n
		}
	}
	return 0
}

// dayBegin is the first moment of a day. The clock may skip midnight, and may show it twice.
func dayBegin(year int, month time.Month, day int, zone *time.Location) time.Time {
	midnight := time.Date(year, month, day, 0, 0, 0, 0, zone)
	begin, end := midnight.ZoneBounds()
	if midnight.Day() != time.Date(year, month, day, 12, 0, 0, 0, time.UTC).Day() {
		return end // midnight was skipped: the day begins where the clock was put forward
	}
	if begin.IsZero() {
		return midnight
	}
	_, offset := midnight.Zone()
	_, before := begin.Add(-1).Zone()
	earlier := midnight.Add(time.Duration(offset-before) * time.Second)
	if earlier.Before(begin) && earlier.Day() == midnight.Day() {
		return earlier
	}
	return midnight
}

package dashboard

import (
	"context"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/store"
)

const (
	// stripDays is how many days a strip has, and a chart of costs: today and those before.
	stripDays = 30
	// pastLasts is how long the days before today are shown as they were read: reading them takes 0.7 s where there are a million checks, and
	// little is added to them or pruned.
	pastLasts = 5 * time.Minute
)

// past is how each service was found on the days before today, the oldest first.
type past struct {
	calendar calendar
	read     time.Time
	days     map[string][]Day
}

// pastDays returns the days before today, read anew where they are another calendar's or too old.
func (i *Instance) pastDays(ctx context.Context, s *store.Store, c calendar, now time.Time) (*past, error) {
	i.mu.Lock()
	p := i.past
	i.mu.Unlock()
	if p != nil && slices.EqualFunc(p.calendar.moments, c.moments, time.Time.Equal) {
		if age := now.Sub(p.read); age >= 0 && age < pastLasts {
			return p, nil
		}
	}
	found, err := s.LooksByDay(ctx, c.moments[:stripDays], mostServices)
	if err != nil {
		return nil, err
	}
	p = &past{calendar: c, read: now, days: map[string][]Day{}}
	for _, looks := range found {
		if p.days[looks.Service] == nil {
			p.days[looks.Service] = make([]Day, stripDays-1)
		}
		p.days[looks.Service][looks.Day] = dayOf(looks)
	}
	i.mu.Lock()
	i.past = p
	i.mu.Unlock()
	return p, nil
}

// dayOf is a day without its date.
func dayOf(looks store.DayLooks) Day {
	day := Day{Healthy: looks.Healthy, Degraded: looks.Degraded, Down: looks.Down}
	switch {
	case day.Down > 0:
		day.Status = check.Down
	case day.Degraded > 0:
		day.Status = check.Degraded
	case day.Healthy > 0:
		day.Status = check.Healthy
	}
	return day
}

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

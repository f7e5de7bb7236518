package dashboard

import (
	"context"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

const (
	// stripDays is the number of days in a strip and in a chart of costs, including today.
	stripDays = 30
	// pastLasts is how long the earlier days are cached: they hardly change, and for 500 services reading them takes 0.25 s.
	pastLasts = 5 * time.Minute
)

// pastDays caches the days before today.
type pastDays struct {
	read    time.Time
	moments []time.Time // of their calendar
	days    []map[string]Day
}

// daysOf returns how each service was found on the days of a calendar. i.making must be held.
func (i *Instance) daysOf(ctx context.Context, s *store.Store, c calendar) ([]map[string]Day, error) {
	age := i.now().Sub(i.past.read)
	if age < 0 || age >= pastLasts || !slices.EqualFunc(i.past.moments, c.moments, time.Time.Equal) {
		days, err := looksOn(ctx, s, c.moments[:stripDays])
		if err != nil {
			return nil, err
		}
		i.past = pastDays{i.now(), c.moments, days}
	}
	today, err := looksOn(ctx, s, c.moments[stripDays-1:])
	return slices.Concat(i.past.days, today), err
}

// looksOn returns how each service was found on the days between some moments.
func looksOn(ctx context.Context, s *store.Store, moments []time.Time) ([]map[string]Day, error) {
	found, err := s.LooksByDay(ctx, moments, state.MostNames)
	if err != nil {
		return nil, err
	}
	days := make([]map[string]Day, len(moments)-1)
	for n := range days {
		days[n] = map[string]Day{}
	}
	for _, looks := range found {
		day := Day{Healthy: looks.Healthy, Degraded: looks.Degraded, Down: looks.Down}
		switch {
		case day.Down > 0:
			day.Status = check.Down
		case day.Degraded > 0:
			day.Status = check.Degraded
		case day.Healthy > 0:
			day.Status = check.Healthy
		}
		days[looks.Day][looks.Service] = day
	}
	return days, nil
}

// calendar is the last days by wall clock time in a zone.
type calendar struct {
	moments []time.Time // the beginnings of the days, oldest first, and the end of the last
	dates   []string    // 2006-01-02
}

// calendarOf returns the last days including now's, in now's zone. A day has 23 or 25 hours if the clock was changed;
// where that is at midnight, an hour of it may count for the day beside it.
func calendarOf(now time.Time) calendar {
	c := calendar{make([]time.Time, 0, stripDays+1), make([]string, 0, stripDays)}
	year, month, day := now.Date()
	for n := 1 - stripDays; n <= 1; n++ {
		c.moments = append(c.moments, time.Date(year, month, day+n, 0, 0, 0, 0, now.Location()))
		if n <= 0 {
			c.dates = append(c.dates, time.Date(year, month, day+n, 12, 0, 0, 0, time.UTC).Format(time.DateOnly))
		}
	}
	return c
}

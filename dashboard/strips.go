package dashboard

import (
	"context"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

// stripDays is the number of days in a strip and in a chart of costs, including today.
const stripDays = 30

// daysOf returns how each service was found on the days of a calendar.
func daysOf(ctx context.Context, s *store.Store, c calendar) ([]map[string]Day, error) {
	found, err := s.LooksByDay(ctx, c.moments, state.MostNames)
	if err != nil {
		return nil, err
	}
	days := make([]map[string]Day, stripDays)
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

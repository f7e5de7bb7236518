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
	// pastEvery is how often one of the days before today is read again, in turn, so that each is some five minutes old at most while pages are
	// asked for. Little is added to them or pruned, and over a million checks reading them all takes 0.7 s.
	pastEvery = 10 * time.Second
)

// pastDay is how each service was found on a day before today.
type pastDay struct {
	since, until time.Time
	read         time.Time
	services     map[string]Day
}

// daysOf are the days of a calendar. Of those before today what was read before is good enough, but for the one day whose turn it is.
func (i *Instance) daysOf(ctx context.Context, s *store.Store, c calendar) ([]map[string]Day, error) {
	i.mu.Lock()
	known := i.past
	i.mu.Unlock()
	now := i.now()
	past := make([]pastDay, stripDays-1)
	turn, last := 0, time.Time{}
	for n := range past {
		past[n] = pastDay{since: c.moments[n], until: c.moments[n+1]}
		if at := slices.IndexFunc(known, past[n].isOf); at >= 0 {
			past[n] = known[at]
		}
		if past[n].read.Before(past[turn].read) {
			turn = n
		}
		if past[n].read.After(last) {
			last = past[n].read
		}
	}
	if age := now.Sub(last); age < 0 || age >= pastEvery {
		past[turn].services = nil
	}
	days := make([]map[string]Day, stripDays)
	for n := range past {
		if past[n].services == nil {
			services, err := looksOn(ctx, s, c, n)
			if err != nil {
				return nil, err
			}
			past[n].read, past[n].services = now, services
		}
		days[n] = past[n].services
	}
	i.mu.Lock()
	i.past = past
	i.mu.Unlock()
	var err error
	days[stripDays-1], err = looksOn(ctx, s, c, stripDays-1)
	return days, err
}

func (d pastDay) isOf(other pastDay) bool {
	return d.since.Equal(other.since) && d.until.Equal(other.until)
}

// looksOn is how each service was found on the nth day of a calendar.
func looksOn(ctx context.Context, s *store.Store, c calendar, n int) (map[string]Day, error) {
	found, err := s.LooksByDay(ctx, c.moments[n:n+2], mostServices)
	if err != nil {
		return nil, err
	}
	services := make(map[string]Day, len(found))
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
		services[looks.Service] = day
	}
	return services, nil
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

package dashboard

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/store"
)

// mostServices bounds how many services are known at once, by their names' order: nobody has as many, but whoever reports may name what it
// likes.
const mostServices = 10_000

// strips are how each service was found on each of the last days. A month of checks is read once; from then on only days of services of
// which something new has come. Strips are not changed once they are made.
type strips struct {
	calendar calendar
	mark     store.Mark // what has come since is younger
	services map[string]*strip
}

// strip is one service's.
type strip struct {
	days [stripDays]looks
	last time.Time // it was last checked, however long ago
}

// looks count how a service was found.
type looks struct{ healthy, degraded, down int32 }

// readStrips returns the strips as they are now. last are those of the same database as they were before, or nil.
func readStrips(ctx context.Context, s *store.Store, now time.Time, last *strips) (*strips, error) {
	next := &strips{calendar: calendarOf(now)}
	var err error
	if next.mark, err = s.NewestCheck(ctx); err != nil {
		return nil, err
	}
	// On a new day all are read again, as what is pruned meanwhile leaves no trace.
	if last == nil || !last.calendar.same(next.calendar) {
		return next, next.readAll(ctx, s)
	}
	if next.mark == last.mark {
		return last, nil
	}
	known, err := s.MarkAt(ctx, last.mark.ID)
	if err != nil {
		return nil, err
	}
	if known != last.mark { // the database was put back to what it was earlier
		return next, next.readAll(ctx, s)
	}
	return next, next.readNew(ctx, s, last)
}

func (n *strips) readAll(ctx context.Context, s *store.Store) error {
	n.services = map[string]*strip{}
	if err := n.read(ctx, s, 0); err != nil {
		return err
	}
	last, err := s.LastChecked(ctx, mostServices)
	n.setLast(last)
	return err
}

// readNew reads the days on which services were looked at since last.
func (n *strips) readNew(ctx context.Context, s *store.Store, last *strips) error {
	n.services = maps.Clone(last.services)
	since, err := s.CheckedAfter(ctx, last.mark)
	if err != nil {
		return err
	}
	byDay := map[int][]string{}
	for service, at := range since {
		was := n.services[service]
		if was == nil && len(n.services) >= mostServices {
			delete(since, service)
			continue
		}
		is := &strip{}
		if was != nil {
			*is = *was
		}
		day := n.calendar.dayOf(at)
		clear(is.days[day:])
		n.services[service] = is
		byDay[day] = append(byDay[day], service)
	}
	if len(since) == 0 {
		return nil
	}
	for day, services := range byDay {
		if err := n.read(ctx, s, day, services...); err != nil {
			return err
		}
	}
	at, err := s.LastChecked(ctx, mostServices, slices.Collect(maps.Keys(since))...)
	n.setLast(at)
	return err
}

// read reads the days from one on of some services, or of all.
func (n *strips) read(ctx context.Context, s *store.Store, from int, services ...string) error {
	found, err := s.LooksByDay(ctx, n.calendar.moments[from:], mostServices, services...)
	if err != nil {
		return err
	}
	for _, f := range found {
		n.of(f.Service).days[from+f.Day] = looks{int32(f.Healthy), int32(f.Degraded), int32(f.Down)}
	}
	return nil
}

func (n *strips) setLast(last map[string]time.Time) {
	for service, at := range last {
		n.of(service).last = at
	}
}

func (n *strips) of(service string) *strip {
	if n.services[service] == nil {
		n.services[service] = &strip{}
	}
	return n.services[service]
}

// days are a service's days for a page; of a service that was never checked, too.
func (n *strips) days(service string) []Day {
	found := cmp.Or(n.services[service], &strip{})
	days := make([]Day, stripDays)
	for i, l := range found.days {
		days[i] = Day{Date: n.calendar.dates[i], Status: l.worst(), Healthy: int(l.healthy), Degraded: int(l.degraded), Down: int(l.down)}
	}
	return days
}

// uptime is the share of the looks in the strip that did not find the service down; nil where there is none.
func (n *strips) uptime(service string) *float64 {
	found := cmp.Or(n.services[service], &strip{})
	var all, down int
	for _, l := range found.days {
		all += int(l.healthy) + int(l.degraded) + int(l.down)
		down += int(l.down)
	}
	if all == 0 {
		return nil
	}
	share := 1 - float64(down)/float64(all)
	return &share
}

// last is when a service was last checked; nil where it never was.
func (n *strips) last(service string) *time.Time {
	found := n.services[service]
	if found == nil || found.last.IsZero() {
		return nil
	}
	return &found.last
}

func (l looks) worst() check.Status {
	switch {
	case l.down > 0:
		return check.Down
	case l.degraded > 0:
		return check.Degraded
	case l.healthy > 0:
		return check.Healthy
	}
	return ""
}

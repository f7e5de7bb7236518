package dashboard

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/state"
)

const (
	// fresh is the least time for which a snapshot is used: one of 500 services takes 25 ms, and there may be 50 requests a second.
	fresh = time.Second
	// freshShare is the least time for which a snapshot is used, in multiples of the time to make it: reading then takes at most a fifth
	// of a processor.
	freshShare = 4
	// refreshTimeout limits the time to make a snapshot, during which no other one is begun: the first one of a large database reads a month
	// of checks.
	refreshTimeout = 5 * time.Minute
)

// snapshot is everything that pages show about all services at one moment. It is immutable once made.
type snapshot struct {
	*state.State
	cooldownFault error            // why cooldown.json cannot be read; nil if it can
	services      []*state.Service // all of this shard, by name
	cooldowns     []Cooldown
	overview      *Overview

	calendar calendar
	days     []map[string]Day // by service, for each day of the calendar
}

// refresh is a snapshot in progress, shared by all who request one meanwhile.
type refresh struct {
	begun    time.Time
	done     chan struct{} // closed once the fields below are set
	validFor time.Duration // after begun
	made     *snapshot
	err      error
}

// isWithin reports whether m was begun less than d before now. The clock may have been set back.
func (m *refresh) isWithin(d time.Duration, now time.Time) bool {
	age := now.Sub(m.begun)
	return age >= 0 && age < d
}

// Changed reports that something was written: the next page needs a new snapshot.
func (i *Instance) Changed() {
	i.mu.Lock()
	i.last, i.shown = nil, nil
	i.mu.Unlock()
}

// snapshot returns the snapshot for a page.
func (i *Instance) snapshot(ctx context.Context) (*snapshot, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m := i.current(ctx)
	select {
	case <-m.done:
		return m.made, m.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// current starts a new snapshot if the last one is old; it continues even if ctx ends. It returns the last finished one, unless that is
// too old to be shown meanwhile.
func (i *Instance) current(ctx context.Context) *refresh {
	i.mu.Lock()
	defer i.mu.Unlock()
	now := i.now()
	if i.last == nil || i.last == i.shown && !i.last.isWithin(i.last.validFor, now) {
		m := &refresh{begun: now, done: make(chan struct{})}
		i.last = m
		i.background.Go(func() { i.refresh(context.WithoutCancel(ctx), m) })
	}
	if i.shown != nil && i.shown.isWithin(2*i.shown.validFor, now) {
		return i.shown
	}
	return i.last
}

// refresh makes a snapshot.
func (i *Instance) refresh(ctx context.Context, m *refresh) {
	defer close(m.done)
	ctx, cancel := context.WithTimeout(ctx, refreshTimeout)
	defer cancel()
	m.err = i.read(ctx, func(b *records.Records) error {
		m.made = &snapshot{}
		return i.fill(ctx, b, m.made)
	})
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case m.err == nil:
		m.validFor = max(fresh, freshShare*i.now().Sub(m.begun))
	case errors.Is(m.err, context.DeadlineExceeded):
		m.validFor = 2 * refreshTimeout
	}
	if i.last == m { // otherwise something was changed meanwhile
		i.shown = m
	}
}

// fill reads the content of a snapshot from the records.
func (i *Instance) fill(ctx context.Context, b *records.Records, s *snapshot) (err error) {
	s.calendar = calendarOf(i.now())
	if s.days, err = i.daysOf(ctx, b.Store, s.calendar); err != nil {
		return err
	}
	if err := i.fillPresent(ctx, b, s); err != nil {
		return err
	}
	s.overview.Services = s.worstServices()
	return i.costs(ctx, b, s, s.overview)
}

// fillPresent reads the content of a snapshot except history.
func (i *Instance) fillPresent(ctx context.Context, b *records.Records, s *snapshot) (err error) {
	if s.State, s.cooldownFault, err = state.Mended(ctx, b); err != nil {
		return err
	}
	s.services = s.Services()
	for _, is := range s.services {
		s.cooldowns = append(s.cooldowns, cooldownOf(is))
	}
	slices.SortStableFunc(s.cooldowns, func(x, y Cooldown) int { return cmp.Compare(y.fullness(), x.fullness()) })
	s.overview, err = i.overviewOf(ctx, b, s)
	return err
}

// line returns a service's line, without days if those were not read.
func (s *snapshot) line(is *state.Service) ServiceLine {
	line := ServiceLine{Name: is.Name, Status: is.Status(), Held: is.LeftAlone().Reason, Days: make([]Day, len(s.days))}
	if !is.Checked.IsZero() {
		line.LastAt = &is.Checked
	}
	if is.Incident != nil {
		line.Incident = &is.Incident.ID
	}
	for n := range line.Days {
		line.Days[n] = s.days[n][is.Name]
		line.Days[n].Date = s.calendar.dates[n]
	}
	line.Uptime30 = uptimeOf(line.Days)
	return line
}

// uptimeOf returns the share of checks that did not find a service down; nil without any.
func uptimeOf(days []Day) *float64 {
	looks, down := 0, 0
	for _, day := range days {
		looks += day.Healthy + day.Degraded + day.Down
		down += day.Down
	}
	if looks == 0 {
		return nil
	}
	return new(1 - float64(down)/float64(looks))
}

// counts returns the number of services by status.
func (s *snapshot) counts() map[string]int {
	counts := map[string]int{}
	for _, is := range s.services {
		counts[string(cmp.Or(is.Status(), check.Unknown))]++
	}
	return counts
}

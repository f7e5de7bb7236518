package dashboard

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
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
	calendar  calendar
	days      []map[string]Day        // by service, for each day of the calendar
	lastAt    map[string]time.Time    // the last check of each service, however old
	statuses  map[string]check.Status // the last statuses within foundLasts
	open      map[string]store.Incident
	waiting   []store.Proposal // for a person
	held      map[string]string
	names     []string // of all known services, in order
	cooldowns []Cooldown
	overview  *Overview

	cooldownFault error // why cooldown.json cannot be read; nil if it can
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
	now := i.now()
	if s.statuses, err = b.Store.LastStatuses(ctx, now.Add(-i.foundLasts(now))); err != nil {
		return err
	}
	if s.lastAt, err = b.Store.LastChecked(ctx, records.MostNames); err != nil {
		return err
	}
	if s.waiting, err = i.waitingProposals(ctx, b); err != nil {
		return err
	}
	if s.open, err = b.Store.OpenIncidents(ctx); err != nil {
		return err
	}
	if b.Inventory.Divided() { // services that now belong to another shard are shown on its own dashboard
		maps.DeleteFunc(s.statuses, func(name string, _ check.Status) bool { return b.Inventory.Elsewhere(name) != "" })
		maps.DeleteFunc(s.open, func(name string, _ store.Incident) bool { return b.Inventory.Elsewhere(name) != "" })
	}
	limits, fault, err := limitsOf(ctx, b)
	if err != nil {
		return err
	}
	times, err := b.Store.AllActTimes(ctx, limits.DayBegins())
	if err != nil {
		return err
	}
	s.cooldownFault = fault
	if s.names, err = b.Names(ctx, limits.State); err != nil {
		return err
	}
	if s.held, err = s.heldBack(ctx, b); err != nil {
		return err
	}
	if s.cooldowns, err = cooldownsOf(ctx, limits.WithDays(times), times, s.names, s.held); err != nil {
		return err
	}
	s.overview, err = i.overviewOf(ctx, b, s)
	return err
}

// limitsOf returns the limits according to cooldown.json or, if that cannot be read (see fault), according to the database, as the next
// cycle would have them.
func limitsOf(ctx context.Context, b *records.Records) (limits records.Limits, fault, err error) {
	if limits, fault = b.Limits(ctx); fault == nil {
		return limits, nil, nil
	}
	limits, err = b.RecordedLimits(ctx)
	return limits, fault, err
}

// heldBack returns why services are held back: unwell ones for any reason, the others only if people work on them.
func (s *snapshot) heldBack(ctx context.Context, b *records.Records) (map[string]string, error) {
	held, err := b.HeldNow(ctx, s.statuses)
	if err != nil {
		return nil, err
	}
	for _, name := range s.names {
		if s.statuses[name].Unwell() {
			continue
		}
		quiet, err := b.Quiet(ctx, name)
		if err != nil {
			return nil, err
		}
		if quiet.Quiet {
			held[name] = quiet.Reason
		}
	}
	return held, nil
}

// line returns a service's line, without days if those were not read.
func (s *snapshot) line(name string) ServiceLine {
	line := ServiceLine{Name: name, Status: s.statuses[name], Held: s.held[name], Days: make([]Day, len(s.days))}
	if at, checked := s.lastAt[name]; checked {
		line.LastAt = &at
	}
	if incident, open := s.open[name]; open {
		line.Incident = &incident.ID
	}
	looks, down := 0, 0
	for n := range line.Days {
		day := &line.Days[n]
		*day = s.days[n][name]
		day.Date = s.calendar.dates[n]
		looks += day.Healthy + day.Degraded + day.Down
		down += day.Down
	}
	if looks > 0 {
		line.Uptime30 = new(1 - float64(down)/float64(looks))
	}
	return line
}

// counts returns the number of services by status.
func (s *snapshot) counts() map[string]int {
	counts := map[string]int{}
	for _, name := range s.names {
		counts[string(cmp.Or(s.statuses[name], check.Unknown))]++
	}
	return counts
}

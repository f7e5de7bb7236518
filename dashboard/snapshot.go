package dashboard

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

const (
	// fresh is how long a snapshot is shown: with 500 services and a million checks one takes 25 ms, and there may be 50 requests a second.
	fresh = time.Second
	// makingWait bounds how long making one may take: the first of a large database reads a month of checks.
	makingWait = 5 * time.Minute
	// mostServices bounds how many services are shown, by their names' order: whoever reports may name as many as it likes.
	mostServices = 10_000
)

// snapshot is all that pages show of every service and of the whole, as it was at one moment. It is not changed once it is made.
type snapshot struct {
	calendar  calendar
	past      *past
	today     map[string]store.DayLooks
	lastAt    map[string]time.Time    // when services were last checked, however long ago
	statuses  map[string]check.Status // as services were last found within foundLasts
	open      map[string]store.Incident
	held      map[string]string
	names     []string // of all services that are known, in order
	cooldowns []Cooldown
	overview  *Overview

	cooldownFault error // why cooldown.json cannot be read; nil where it can
}

// making is a snapshot that is made, for all who ask for one meanwhile.
type making struct {
	begun time.Time
	done  chan struct{} // closed once the two below are set
	made  *snapshot
	err   error
}

// Changed says that something was written just now: whoever asks next gets a snapshot that is made from now on.
func (i *Instance) Changed() {
	i.mu.Lock()
	i.last, i.past = nil, nil
	i.mu.Unlock()
}

// snapshot returns the snapshot to make a page from.
func (i *Instance) snapshot(ctx context.Context) (*snapshot, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m := i.newest(ctx)
	select {
	case <-m.done:
		return m.made, m.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// newest is the last snapshot where it is fresh or still in the making, or else the making of another one, which goes on though ctx ends.
func (i *Instance) newest(ctx context.Context) *making {
	i.mu.Lock()
	defer i.mu.Unlock()
	if m := i.last; m != nil {
		select {
		case <-m.done:
			if age := i.now().Sub(m.begun); m.err == nil && age >= 0 && age < fresh { // the clock may have been set back
				return m
			}
		default:
			return m
		}
	}
	m := &making{begun: i.now(), done: make(chan struct{})}
	i.last = m
	i.reading.Go(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), makingWait)
		defer cancel()
		defer close(m.done)
		m.err = i.read(ctx, func(b *records.Records) error {
			s := &snapshot{}
			m.made = s
			return i.fill(ctx, b, s)
		})
	})
	return m
}

// fill reads what a snapshot has from the records.
func (i *Instance) fill(ctx context.Context, b *records.Records, s *snapshot) (err error) {
	now := i.now()
	s.calendar = calendarOf(now)
	if s.past, err = i.pastDays(ctx, b.Store, s.calendar, now); err != nil {
		return err
	}
	today, err := b.Store.LooksByDay(ctx, s.calendar.moments[stripDays-1:], mostServices)
	if err != nil {
		return err
	}
	s.today = make(map[string]store.DayLooks, len(today))
	for _, looks := range today {
		s.today[looks.Service] = looks
	}
	if s.lastAt, err = b.Store.LastChecked(ctx, mostServices); err != nil {
		return err
	}
	if s.statuses, err = b.Store.LastStatuses(ctx, now.Add(-i.foundLasts(now))); err != nil {
		return err
	}
	if s.open, err = b.Store.OpenIncidents(ctx); err != nil {
		return err
	}
	if b.Inventory.Divided() { // what another shard looks after by now, its own dashboard shows
		maps.DeleteFunc(s.statuses, func(name string, _ check.Status) bool { return b.Inventory.Elsewhere(name) != "" })
		maps.DeleteFunc(s.open, func(name string, _ store.Incident) bool { return b.Inventory.Elsewhere(name) != "" })
	}
	times, err := b.Store.AllActTimes(ctx, now.Add(-24*time.Hour))
	if err != nil {
		return err
	}
	limits, fault, err := i.limits(ctx, b)
	if err != nil {
		return err
	}
	s.cooldownFault = fault
	if s.names, err = knownNames(ctx, b, limits.State); err != nil {
		return err
	}
	if s.held, err = s.heldBack(ctx, b); err != nil {
		return err
	}
	if s.cooldowns, err = cooldownsOf(ctx, limits.WithDays(times), times, s.names); err != nil {
		return err
	}
	s.overview, err = i.overviewOf(ctx, b, s)
	return err
}

// limits are what cooldown.json says or, where that cannot be read (fault says why) or somebody copied the database alone, what the database
// knows, as the next cycle would have it.
func (i *Instance) limits(ctx context.Context, b *records.Records) (limits records.Limits, fault, err error) {
	_, missing := os.Stat(filepath.Join(b.Config.StateDir, statefile.FileName))
	if i.own != nil || missing == nil {
		if limits, fault = b.Limits(ctx); fault == nil {
			return limits, nil, nil
		}
	}
	limits, err = b.RecordedLimits(ctx)
	return limits, fault, err
}

// knownNames are the services of which anything is known, in order: by the inventory, cooldown.json or the database.
func knownNames(ctx context.Context, b *records.Records, st *statefile.State) ([]string, error) {
	names, err := b.Store.ServiceNames(ctx, mostServices)
	if err != nil {
		return nil, err
	}
	names = slices.AppendSeq(names, maps.Keys(st.Services))
	if b.Inventory != nil {
		for n := range b.Inventory.Services {
			names = append(names, b.Inventory.Services[n].Name)
		}
	}
	if b.Inventory.Divided() {
		names = slices.DeleteFunc(names, func(name string) bool { return b.Inventory.Elsewhere(name) != "" })
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return names[:min(len(names), mostServices)], nil
}

// heldBack is why services are held back: those that were found unwell for whatever reason, the others where people work on them.
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

// line is a service as lists show it.
func (s *snapshot) line(name string) ServiceLine {
	line := ServiceLine{Name: name, Status: s.statuses[name], Held: s.held[name], Days: make([]Day, stripDays)}
	if at, checked := s.lastAt[name]; checked {
		line.LastAt = &at
	}
	if incident, open := s.open[name]; open {
		line.Incident = &incident.ID
	}
	copy(line.Days, s.past.days[name])
	line.Days[stripDays-1] = dayOf(s.today[name])
	looks, down := 0, 0
	for n := range line.Days {
		day := &line.Days[n]
		day.Date = s.calendar.dates[n]
		looks += day.Healthy + day.Degraded + day.Down
		down += day.Down
	}
	if looks > 0 {
		line.Uptime30 = new(1 - float64(down)/float64(looks))
	}
	return line
}

// counts are how many services there are of each status.
func (s *snapshot) counts() map[string]int {
	counts := map[string]int{}
	for _, name := range s.names {
		counts[string(cmp.Or(s.statuses[name], check.Unknown))]++
	}
	return counts
}

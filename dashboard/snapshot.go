package dashboard

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/state"
)

const (
	// fresh is how long a snapshot is used at least. One of 500 services takes 25 ms.
	fresh = time.Second
	// freshShare is the same in multiples of the time to make it: reading then takes at most a fifth of a processor.
	freshShare = 4
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
	began    time.Time
	validFor time.Duration // from then on
}

// Changed reports that something was written: the next page needs a new snapshot.
func (i *Instance) Changed() {
	i.making.Lock()
	i.last = nil
	i.making.Unlock()
}

// snapshot returns the snapshot for a page: the last one if it is fresh. All who need a new one wait for the same.
func (i *Instance) snapshot(ctx context.Context) (*snapshot, error) {
	i.making.Lock()
	defer i.making.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	now := i.now()
	if s := i.last; s != nil {
		if age := now.Sub(s.began); age >= 0 && age < s.validFor { // the clock may have been set back
			return s, nil
		}
	}
	s := &snapshot{began: now}
	if err := i.read(ctx, func(b *ledger.Records) error { return i.fill(ctx, b, s) }); err != nil {
		return nil, err
	}
	s.validFor = max(fresh, freshShare*i.now().Sub(now))
	i.last = s
	return s, nil
}

// fill reads the content of a snapshot from the records.
func (i *Instance) fill(ctx context.Context, b *ledger.Records, s *snapshot) (err error) {
	s.calendar = calendarOf(i.now())
	if s.days, err = daysOf(ctx, b.Store, s.calendar); err != nil {
		return err
	}
	if err := i.fillPresent(ctx, b, s); err != nil {
		return err
	}
	return i.costs(ctx, b, s, s.overview)
}

// fillPresent reads the content of a snapshot except history.
func (i *Instance) fillPresent(ctx context.Context, b *ledger.Records, s *snapshot) (err error) {
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

package dashboard

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/claudeops/claudeops/breaker"
	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// snapshot is all that pages show of every service and of the whole, as it was at one moment. It is not changed once it is made.
type snapshot struct {
	key    key
	opened *opened

	strips    *strips
	statuses  map[string]check.Status // as services were last found within lasts
	open      map[string]store.Incident
	held      map[string]string
	names     []string // of all services that are known, in order
	cooldowns []Cooldown
	overview  *Overview

	cooldownFault error // why cooldown.json cannot be read; nil where it can
}

// key tells whether a snapshot is still as things are. It has the minute because times pass: windows end, and what was found grows old.
type key struct {
	version  int64
	minute   int64
	zone     int
	cooldown stamp
	circuits stamp
}

// snapshot returns the snapshot to make a page from.
func (i *Instance) snapshot(ctx context.Context) (*snapshot, error) {
	s, err := i.kept.snapshot(ctx)
	return s, i.unavailable(err)
}

// snapshotNow makes a snapshot, or returns the last one where nothing has changed since.
func (i *Instance) snapshotNow(ctx context.Context, last *snapshot, stale bool) (s *snapshot, err error) {
	err = i.records.use(ctx, func(o *opened) error {
		k, err := i.keyNow(ctx, o)
		if err != nil {
			return err
		}
		var strips *strips
		if last != nil && last.opened == o {
			if s = last; last.key == k && !stale {
				return nil
			}
			strips = last.strips
		}
		s = &snapshot{key: k, opened: o, strips: strips}
		return o.read(ctx, func(b *records.Records) error { return i.fill(ctx, b, s) })
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (i *Instance) keyNow(ctx context.Context, o *opened) (k key, err error) {
	now, dir := i.now(), o.records.Config.StateDir
	_, k.zone = now.Zone()
	k.minute = now.Unix() / 60
	k.cooldown, k.circuits = stampOf(filepath.Join(dir, statefile.FileName)), stampOf(filepath.Join(dir, breaker.StateName))
	k.version, err = o.watch.Version(ctx)
	return k, err
}

// fill reads what a snapshot has from the records. s.strips are those of the last one, or nil.
func (i *Instance) fill(ctx context.Context, b *records.Records, s *snapshot) (err error) {
	now := i.now()
	if s.strips, err = readStrips(ctx, b.Store, now, s.strips); err != nil {
		return err
	}
	if s.statuses, err = b.Store.LastStatuses(ctx, now.Add(-i.lasts(now))); err != nil {
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

// limits are where the limits stand: by cooldown.json or, where that cannot be read (fault says why) or somebody copied the database alone,
// by what the database knows, as the next cycle would have it.
func (i *Instance) limits(ctx context.Context, b *records.Records) (limits records.Limits, fault, err error) {
	if i.own != nil || stampOf(filepath.Join(b.Config.StateDir, statefile.FileName)) != (stamp{}) {
		if limits, fault = b.Limits(ctx); fault == nil {
			return limits, nil, nil
		}
	}
	limits, err = b.RecordedLimits(ctx)
	return limits, fault, err
}

// knownNames are the services of which anything is known, in order: by the inventory, cooldown.json or the database.
func knownNames(ctx context.Context, b *records.Records, st *statefile.State) ([]string, error) {
	recorded, err := b.Store.ServiceNames(ctx, mostServices)
	if err != nil {
		return nil, err
	}
	known := make(map[string]bool, len(recorded))
	for _, name := range recorded {
		known[name] = true
	}
	for name := range st.Services {
		known[name] = true
	}
	if b.Inventory != nil {
		for n := range b.Inventory.Services {
			known[b.Inventory.Services[n].Name] = true
		}
	}
	if b.Inventory.Divided() {
		maps.DeleteFunc(known, func(name string, _ bool) bool { return b.Inventory.Elsewhere(name) != "" })
	}
	names := slices.Sorted(maps.Keys(known))
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
	line := ServiceLine{
		Name: name, Status: s.statuses[name], Held: s.held[name],
		LastAt: s.strips.last(name), Days: s.strips.days(name), Uptime30: s.strips.uptime(name),
	}
	if incident, open := s.open[name]; open {
		line.Incident = &incident.ID
	}
	return line
}

// knows reports whether anything is known of a service.
func (s *snapshot) knows(name string) bool {
	_, known := slices.BinarySearch(s.names, name)
	return known
}

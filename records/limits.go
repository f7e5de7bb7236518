package records

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Permission states whether a service may be restarted or redeployed now, according to its window and the day's ceiling. A recovery does
// not clear the ceiling.
type Permission struct {
	statefile.Position
	Carried int       // of those used: done before the incident's last recovery, which removed them from cooldown.json
	Today   int       // remediations of both kinds in the last 24 h
	Ceiling int       // CLAUDEOPS_MAX_REMEDIATIONS_PER_DAY; 0 means no ceiling
	DayFree time.Time // when the ceiling permits one more; zero if it does now
	// CountLost is set when it is not known what was done in the last 24 h, so that nothing is permitted before DayFree.
	CountLost bool
}

// CountLostWhy is the reason in a request for a human because of CountLost.
const CountLostWhy = "What was done in the last 24 h is not known, because the database was set aside. `" + acceptCommand + "` accepts that"

// Permitted reports whether both limits permit one more. Other has no window.
func (p Permission) Permitted() bool {
	return (p.Action == statefile.Other || p.Position.Permitted()) && p.DayFree.IsZero()
}

// Left returns how many more both limits permit now.
func (p Permission) Left() int {
	if p.CountLost {
		return 0
	}
	left := p.Limit - p.Used
	if p.Ceiling > 0 {
		left = min(left, p.Ceiling-p.Today)
	}
	return max(left, 0)
}

// Frees returns when the next one is permitted; zero if one is permitted now.
func (p Permission) Frees() time.Time {
	if p.FreesAt.After(p.DayFree) {
		return p.FreesAt
	}
	return p.DayFree
}

// String describes how much of a limit is used: "restart: 1 of 2 used in 4 h".
func (p Permission) String() string { return string(p.Action) + ": " + p.used() }

// Of describes the same for a service: "restart of shop: 1 of 2 used in 4 h".
func (p Permission) Of(service string) string {
	return fmt.Sprintf("%s of %s: %s", p.Action, service, p.used())
}

// line is String with times formatted for people.
func (p Permission) line() string { return string(p.Action) + ": " + p.usedBy(text.Moment) }

// used describes how much of each limit is used and when a used-up one frees up.
func (p Permission) used() string {
	return p.usedBy(func(t time.Time) string { return t.UTC().Format(time.RFC3339) })
}

func (p Permission) usedBy(moment func(time.Time) string) string {
	text := fmt.Sprintf("%d of %d used in %d h", p.Used, p.Limit, int(p.Action.Window().Hours()))
	if p.Action == statefile.Other {
		text = "it has no limit but the day's"
	}
	if p.Carried > 0 {
		text += fmt.Sprintf(", %d of them before the last recovery of this incident", p.Carried)
	}
	if p.CountLost {
		text += ", and it is not known what was done in the last 24 h, because the database was set aside"
	} else if !p.DayFree.IsZero() {
		text += fmt.Sprintf(", and %d of %d remediations in 24 h", p.Today, p.Ceiling)
	}
	if !p.Permitted() {
		text += ", free again at " + moment(p.Frees())
	}
	return text
}

// Limit is the JSON form of a Permission, for scripts and agents.
type Limit struct {
	Permitted bool       `json:"permitted"`
	Used      int        `json:"used"`
	Limit     int        `json:"limit"`
	FreesAt   *time.Time `json:"frees_at"`
	Held      string     `json:"held,omitempty"` // why it is not permitted, regardless of the limits
}

// AsLimit converts p to its JSON form.
func (p Permission) AsLimit() Limit {
	l := Limit{Permitted: p.Permitted(), Used: p.Used, Limit: p.Limit}
	if !l.Permitted {
		at := p.Frees().UTC()
		l.FreesAt = &at
	}
	return l
}

// HeldFor returns the limit of a service that is held back for the reason; an empty reason changes nothing.
func (l Limit) HeldFor(reason string) Limit {
	l.Permitted, l.Held = l.Permitted && reason == "", reason
	return l
}

// Limits holds all limits at one moment.
type Limits struct {
	State   *statefile.State
	carried map[place][]statefile.Record // what counts although a recovery has cleared it
	source  *Records                     // reads the remediations of a service within a day; nil if there is no database
	days    map[string][]time.Time       // the same, if already known for all services
	ceiling int
	now     time.Time
	lost    time.Time // since when it is not known what was done in the last 24 h; zero if it is known
}

// CountLost reports whether nothing is permitted because it is not known what was done in the last 24 h.
func (l Limits) CountLost() bool { return !l.lost.IsZero() }

// place identifies the records of a service and action.
type place struct {
	service string
	action  statefile.Action
}

// records returns the records of a service in cooldown.json, and those that count although a recovery has cleared them.
func (l Limits) records(service string, action statefile.Action) []statefile.Record {
	file, carried := l.State.Service(service).Records(action), l.carried[place{service, action}]
	if len(carried) == 0 {
		return file
	}
	return union(file, carried)
}

// union combines the records of the file with those stored elsewhere that the file lacks, by their ID, oldest first, so that an act still
// counts after a recovery has cleared the file.
func union(file, kept []statefile.Record) []statefile.Record {
	all := slices.Clone(file)
	for _, k := range kept {
		if k.ID == "" || !slices.ContainsFunc(file, func(r statefile.Record) bool { return r.ID == k.ID }) {
			all = append(all, k)
		}
	}
	slices.SortStableFunc(all, func(a, b statefile.Record) int { return a.Timestamp.Compare(b.Timestamp) })
	return all
}

// within returns the records of a service that count now. One whose time cannot be read counts as of now, and has that time in the result.
func (l Limits) within(service string, action statefile.Action) (records []statefile.Record) {
	for _, r := range l.records(service, action) {
		if r.Timestamp.IsZero() {
			r.Timestamp = statefile.At(l.now)
		}
		if r.InWindow(action, l.now) {
			records = append(records, r)
		}
	}
	return records
}

// attempts returns what was done to a service within the window, for a person.
func (l Limits) attempts(w Wanted) (list []string) {
	for _, r := range l.within(w.Service, w.Action) {
		what := string(w.Action)
		if r.ActionDetail != "" {
			what = r.ActionDetail
		}
		list = append(list, fmt.Sprintf("%s at %s %s", what, r.Timestamp.UTC().Format(time.RFC3339), store.OutcomeOf(r.Success, r.Error)))
	}
	return list[max(0, len(list)-maxTried):]
}

// maxTried limits the attempts that a refusal lists.
const maxTried = 5

// Limits reads the limits of the named services, or of all if none is named.
func (b *Records) Limits(ctx context.Context, services ...string) (Limits, error) {
	st, err := b.State(ctx)
	if err != nil {
		return Limits{}, err
	}
	return b.limits(ctx, st, services...)
}

// RecordedLimits returns the limits according to the database alone. They apply in the next cycle if cooldown.json is corrupt.
func (b *Records) RecordedLimits(ctx context.Context) (Limits, error) {
	st, err := b.refill(ctx)
	if err != nil {
		return Limits{}, err
	}
	return b.limits(ctx, st)
}

// limits returns the limits for a state of cooldown.json, including what counts although it is not in the file, of the named services or
// of all if none is named.
func (b *Records) limits(ctx context.Context, st *statefile.State, services ...string) (Limits, error) {
	l := Limits{State: st, ceiling: b.Config.MaxRemediationsPerDay, now: b.Now()}
	if b.Store == nil {
		return l, nil
	}
	l.source = b
	acts, err := b.Store.CarriedActs(ctx, services...)
	if err != nil {
		return l, err
	}
	l.carried = make(map[place][]statefile.Record, len(acts))
	for _, a := range acts {
		at := place{a.Service, a.Action}
		l.carried[at] = append(l.carried[at], record(a))
	}
	l.lost, err = b.Store.CountLost(ctx, l.now.Add(-24*time.Hour))
	return l, err
}

// DayBegins returns when the day begins over which Ceiling counts.
func (l Limits) DayBegins() time.Time { return l.now.Add(-24 * time.Hour) }

// WithDays returns the same limits for a caller that asks about many services and knows when each was remediated in the last 24 h, oldest
// first: with one query for each, ten thousand services would take too long.
func (l Limits) WithDays(times map[string][]time.Time) Limits {
	l.days = times
	return l
}

// day returns when a service was remediated in the last 24 h, oldest first.
func (l Limits) day(ctx context.Context, service string) ([]time.Time, error) {
	since := l.DayBegins()
	if l.days == nil {
		return l.source.Store.ActTimes(ctx, service, since)
	}
	at := l.days[service]
	for len(at) > 0 && !at[0].After(since) {
		at = at[1:]
	}
	return at, nil
}

// Of returns one limit of a service.
func (l Limits) Of(ctx context.Context, service string, action statefile.Action) (Permission, error) {
	p := Permission{Position: statefile.Count(l.records(service, action), action, l.now), Ceiling: l.ceiling}
	p.Carried = p.Used - statefile.Count(l.State.Service(service).Records(action), action, l.now).Used
	if l.CountLost() {
		p.CountLost, p.DayFree = true, l.lost.Add(24*time.Hour)
		return p, nil
	}
	if p.Ceiling == 0 || l.source == nil {
		return p, nil
	}
	day, err := l.day(ctx, service)
	if err != nil {
		return p, err
	}
	if p.Today = len(day); p.Today >= p.Ceiling {
		p.DayFree = day[p.Today-p.Ceiling].Add(24 * time.Hour)
	}
	return p, nil
}

// Ends returns the times at which the acts that count now cease to count, soonest first; nil if none counts.
func (l Limits) Ends(service string, action statefile.Action) []time.Time {
	ends := statefile.Ends(l.records(service, action), action, l.now.UTC())
	if len(ends) == 0 {
		return nil
	}
	return ends
}

// Both returns the two limits of a service.
func (l Limits) Both(ctx context.Context, service string) (restart, redeployment Permission, err error) {
	if restart, err = l.Of(ctx, service, statefile.Restart); err != nil {
		return restart, redeployment, err
	}
	redeployment, err = l.Of(ctx, service, statefile.Redeployment)
	return restart, redeployment, err
}

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

// Permission is whether a service may be restarted or redeployed now: by its window, and by the day's ceiling, which a recovery
// does not clear.
type Permission struct {
	statefile.Position
	Carried int       // of those used, before the last recovery of the same incident: cooldown.json has them no more
	Today   int       // remediations of both kinds in the last 24 h
	Ceiling int       // CLAUDEOPS_MAX_REMEDIATIONS_PER_DAY; 0 is none
	DayFree time.Time // when the ceiling lets one more through; zero while it does
	// CountLost is that nothing is permitted before DayFree because it is not known what was done in the last 24 h.
	CountLost bool
}

// CountLostWhy is what people are told who are asked because of CountLost.
const CountLostWhy = "What was done in the last 24 h is not all known, because the database was damaged. `" + acceptCommand + "` accepts that"

// Permitted reports whether both limits let one more through.
func (p Permission) Permitted() bool { return p.Position.Permitted() && p.DayFree.IsZero() }

// Left is how many more both limits let through now.
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

// Frees is when the next one will be permitted; zero while one is.
func (p Permission) Frees() time.Time {
	if p.FreesAt.After(p.DayFree) {
		return p.FreesAt
	}
	return p.DayFree
}

// String says in words where a limit stands: "restart: 1 of 2 used in 4 h".
func (p Permission) String() string { return string(p.Action) + ": " + p.used() }

// Of is String for a service: "restart of shop: 1 of 2 used in 4 h".
func (p Permission) Of(service string) string {
	return fmt.Sprintf("%s of %s: %s", p.Action, service, p.used())
}

// told is String for people.
func (p Permission) line() string { return string(p.Action) + ": " + p.usedBy(text.Moment) }

// used says how much of each limit is used and, where one is used up, when it frees.
func (p Permission) used() string {
	return p.usedBy(func(t time.Time) string { return t.UTC().Format(time.RFC3339) })
}

func (p Permission) usedBy(moment func(time.Time) string) string {
	text := fmt.Sprintf("%d of %d used in %d h", p.Used, p.Limit, int(p.Action.Window().Hours()))
	if p.Carried > 0 {
		text += fmt.Sprintf(", %d of them before the last recovery of this incident", p.Carried)
	}
	if p.CountLost {
		text += ", and it is not known what was done in the last 24 h, because the database was damaged"
	} else if !p.DayFree.IsZero() {
		text += fmt.Sprintf(", and %d of %d remediations in 24 h", p.Today, p.Ceiling)
	}
	if !p.Permitted() {
		text += ", free again at " + moment(p.Frees())
	}
	return text
}

// Limit is a permission as scripts and agents read it.
type Limit struct {
	Permitted bool       `json:"permitted"`
	Used      int        `json:"used"`
	Limit     int        `json:"limit"`
	FreesAt   *time.Time `json:"frees_at"`
	Held      string     `json:"held,omitempty"` // why it is not permitted, whatever the limits say
}

// AsLimit returns the fixed form of p.
func (p Permission) AsLimit() Limit {
	l := Limit{Permitted: p.Permitted(), Used: p.Used, Limit: p.Limit}
	if !l.Permitted {
		at := p.Frees().UTC()
		l.FreesAt = &at
	}
	return l
}

// Limits are all limits as they count at one moment.
type Limits struct {
	State   *statefile.State
	carried map[place][]statefile.Record // what counts although a recovery has cleared it
	days    days                         // nil where there is no database
	ceiling int
	now     time.Time
	lost    time.Time // since when it is not known what was done in the last 24 h; zero where it is
}

// CountLost reports whether nothing is permitted because it is not known what was done in the last 24 h.
func (l Limits) CountLost() bool { return !l.lost.IsZero() }

// place is one service's records of one action.
type place struct {
	service string
	action  statefile.Action
}

// records are a service's, with those that count although a recovery has cleared them.
func (l Limits) records(service string, action statefile.Action) []statefile.Record {
	stand, carried := l.State.Service(service).Records(action), l.carried[place{service, action}]
	if len(carried) == 0 {
		return stand
	}
	return statefile.Union(stand, carried)
}

// days knows what was done to a service in a day: the store, or a transaction in it.
type days interface {
	ActTimes(ctx context.Context, service string, since time.Time) ([]time.Time, error)
}

// recorded are the days by the records as they are when asked, which may be within a transaction.
type recorded struct{ records *Records }

func (r recorded) ActTimes(ctx context.Context, service string, since time.Time) ([]time.Time, error) {
	return r.records.Store.ActTimes(ctx, service, since)
}

// Limits reads the limits, of the services named alone where any is.
func (b *Records) Limits(ctx context.Context, services ...string) (Limits, error) {
	st, err := b.Ledger.State(ctx)
	if err != nil {
		return Limits{}, err
	}
	return b.limits(ctx, st, services...)
}

// RecordedLimits are the limits by what the database alone knows: those of the next cycle where cooldown.json is corrupt.
func (b *Records) RecordedLimits(ctx context.Context) (Limits, error) {
	st, err := recordedState(ctx, b.Store, b.Trusted())
	if err != nil {
		return Limits{}, err
	}
	return b.limits(ctx, st)
}

// limits are those of a state of cooldown.json and what counts beside it, of the services named alone where any is.
func (b *Records) limits(ctx context.Context, st *statefile.State, services ...string) (Limits, error) {
	l := Limits{State: st, ceiling: b.Config.MaxRemediationsPerDay, now: b.Trusted()}
	if b.Store == nil {
		return l, nil
	}
	l.days = recorded{b}
	return l, l.carry(ctx, b.Store, services...)
}

// carries knows what counts although it was cleared, and whether all that counts is known: the store, or a transaction in it.
type carries interface {
	CarriedActs(ctx context.Context, services ...string) ([]store.Act, error)
	CountLost(ctx context.Context, since time.Time) (time.Time, error)
}

func (l *Limits) carry(ctx context.Context, from carries, services ...string) error {
	acts, err := from.CarriedActs(ctx, services...)
	if err != nil {
		return err
	}
	if l.lost, err = from.CountLost(ctx, l.now.Add(-24*time.Hour)); err != nil {
		return err
	}
	l.carried = make(map[place][]statefile.Record, len(acts))
	for _, a := range acts {
		at := place{a.Service, a.Action}
		l.carried[at] = append(l.carried[at], a.Record())
	}
	return nil
}

// actTimes are days that were read before: with a query a service, ten thousand of them would take too long.
type actTimes map[string][]time.Time

func (a actTimes) ActTimes(_ context.Context, service string, since time.Time) ([]time.Time, error) {
	at := a[service]
	from := slices.IndexFunc(at, func(t time.Time) bool { return t.After(since) })
	if from < 0 {
		return nil, nil
	}
	return at[from:], nil
}

// WithDays are the same limits for one who asks of many services, and knows when each was remediated in the last 24 h, oldest first.
func (l Limits) WithDays(times map[string][]time.Time) Limits {
	l.days = actTimes(times)
	return l
}

// Of looks up one limit.
func (l Limits) Of(ctx context.Context, service string, action statefile.Action) (Permission, error) {
	p := Permission{Position: statefile.Count(l.records(service, action), action, l.now), Ceiling: l.ceiling}
	p.Carried = p.Used - l.State.Position(service, action, l.now).Used
	if l.CountLost() {
		p.CountLost, p.DayFree = true, l.lost.Add(24*time.Hour)
		return p, nil
	}
	if p.Ceiling == 0 || l.days == nil {
		return p, nil
	}
	day, err := l.days.ActTimes(ctx, service, l.now.Add(-24*time.Hour))
	if err != nil {
		return p, err
	}
	if p.Today = len(day); p.Today >= p.Ceiling {
		p.DayFree = day[p.Today-p.Ceiling].Add(24 * time.Hour)
	}
	return p, nil
}

// Ends are the moments from which what counts of an action now no longer does, the soonest first; nil where nothing counts.
func (l Limits) Ends(service string, action statefile.Action) []time.Time {
	ends := statefile.Ends(l.records(service, action), action, l.now.UTC())
	if len(ends) == 0 {
		return nil
	}
	return ends
}

// Both looks up a service's two limits.
func (l Limits) Both(ctx context.Context, service string) (restart, redeployment Permission, err error) {
	if restart, err = l.Of(ctx, service, statefile.Restart); err != nil {
		return restart, redeployment, err
	}
	redeployment, err = l.Of(ctx, service, statefile.Redeployment)
	return restart, redeployment, err
}

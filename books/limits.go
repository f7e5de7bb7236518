package books

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/claudeops/claudeops/statefile"
)

// Permission is whether a service may be restarted or redeployed now: by its window, and by the day's ceiling, which a recovery
// does not clear.
type Permission struct {
	statefile.Position
	Today   int       // remediations of both kinds in the last 24 h
	Ceiling int       // CLAUDEOPS_MAX_REMEDIATIONS_PER_DAY; 0 is none
	DayFree time.Time // when the ceiling lets one more through; zero while it does
}

// Permitted reports whether both limits let one more through.
func (p Permission) Permitted() bool { return p.Position.Permitted() && p.DayFree.IsZero() }

// Left is how many more both limits let through now.
func (p Permission) Left() int {
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
func (p Permission) told() string { return string(p.Action) + ": " + p.usedBy(Moment) }

// used says how much of each limit is used and, where one is used up, when it frees.
func (p Permission) used() string {
	return p.usedBy(func(t time.Time) string { return t.UTC().Format(time.RFC3339) })
}

func (p Permission) usedBy(moment func(time.Time) string) string {
	text := fmt.Sprintf("%d of %d used in %d h", p.Used, p.Limit, int(p.Action.Window().Hours()))
	if !p.DayFree.IsZero() {
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
	days    days // nil where there is no database
	ceiling int
	now     time.Time
}

// days knows what was done to a service in a day: the store, or a transaction in it.
type days interface {
	ActTimes(ctx context.Context, service string, since time.Time) ([]time.Time, error)
}

// recorded are the days by the books as they are when asked, which may be within a transaction.
type recorded struct{ books *Books }

func (r recorded) ActTimes(ctx context.Context, service string, since time.Time) ([]time.Time, error) {
	return r.books.Store.ActTimes(ctx, service, since)
}

// Limits reads the limits, of the services named alone where any is. In a session what the store knows counts too.
func (b *Books) Limits(ctx context.Context, services ...string) (Limits, error) {
	st, err := b.Ledger.State(ctx, b.Config.Agent.SessionID, services...)
	return b.limits(st), err
}

// RecordedLimits are the limits by what the database alone knows: those of the next cycle where cooldown.json is corrupt.
func (b *Books) RecordedLimits(ctx context.Context) (Limits, error) {
	st, err := b.Store.CooldownState(ctx, b.Now())
	return b.limits(st), err
}

func (b *Books) limits(st *statefile.State) Limits {
	l := Limits{State: st, ceiling: b.Config.MaxRemediationsPerDay, now: b.Now()}
	if b.Store != nil {
		l.days = recorded{b}
	}
	return l
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
	p := Permission{Position: l.State.Position(service, action, l.now), Ceiling: l.ceiling}
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

// Both looks up a service's two limits.
func (l Limits) Both(ctx context.Context, service string) (restart, redeployment Permission, err error) {
	if restart, err = l.Of(ctx, service, statefile.Restart); err != nil {
		return restart, redeployment, err
	}
	redeployment, err = l.Of(ctx, service, statefile.Redeployment)
	return restart, redeployment, err
}

package records

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Figures is the input of the metrics.
type Figures struct {
	At time.Time `json:"at"`
	store.Figures
	OldestPending *time.Time `json:"oldest_pending_at"` // when the oldest overdue notification was queued; nil if there is none
	// Held has the reason, by service, why services that are unwell in Services are held back.
	Held          map[string]string `json:"held"`
	Cooldowns     []PlacesLeft      `json:"cooldowns"`       // by service
	BudgetLeftUSD *float64          `json:"budget_left_usd"` // of the last 24 h; nil if no budget is set
}

// PlacesLeft is how many more remediations of a service are permitted now.
type PlacesLeft struct {
	Service       string `json:"service"`
	Restarts      int    `json:"restarts"`
	Redeployments int    `json:"redeployments"`
}

// ErrNothingYet means that there is no database, so there is nothing to count.
var ErrNothingYet = errors.New("there is nothing to count yet; `claudeops run-once` makes the first records")

// MostNames limits the services that are shown, the first ones by name: an agent may report any number of names.
const MostNames = 10_000

// Names returns the services known to the inventory, cooldown.json or the database, in order; at most MostNames.
func (b *Records) Names(ctx context.Context, st *statefile.State) ([]string, error) {
	names, err := b.Store.ServiceNames(ctx, MostNames)
	if err != nil {
		return nil, err
	}
	names = slices.AppendSeq(names, maps.Keys(st.Services))
	if b.Inventory != nil {
		for n := range b.Inventory.Services {
			names = append(names, b.Inventory.Services[n].Name)
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return b.Inventory.Elsewhere(name) != "" })
	slices.Sort(names)
	names = slices.Compact(names)
	return names[:min(len(names), MostNames)], nil
}

// oldestPending returns when the oldest overdue notification was queued: one that no silence, pause or quiet hours of some target hold
// back. It is nil if there is none.
func (b *Records) oldestPending(ctx context.Context, now time.Time) (*time.Time, error) {
	waiting, err := b.Store.Unheld(ctx, now)
	if err != nil || len(waiting) == 0 {
		return nil, err
	}
	var messages []int64
	for _, n := range waiting {
		if n.MessageID != nil {
			messages = append(messages, *n.MessageID)
		}
	}
	deliveries, err := b.Store.Deliveries(ctx, messages)
	if err != nil {
		return nil, err
	}
	has := map[store.Delivery]bool{}
	for _, d := range deliveries {
		has[store.Delivery{Message: d.Message, Target: d.Target}] = true
	}
	routing := notify.Routing{Targets: b.targets()}
	if b.Inventory != nil {
		routing.Rules = b.Inventory.Notify
	}
	for _, n := range waiting {
		for _, to := range routing.Recipients(n.Kind, n.Type, n.Service, now) {
			if to.Until.IsZero() && (n.MessageID == nil || !has[store.Delivery{Message: *n.MessageID, Target: to.Hash}]) {
				return &n.CreatedAt, nil
			}
		}
	}
	return nil, nil
}

// targets returns the configured targets.
func (b *Records) targets() (all []notify.Target) {
	c := b.Config
	for _, r := range (notify.Settings{URLs: c.AppriseURLs, APIURL: c.AppriseAPIURL, Key: c.AppriseKey, Tags: c.AppriseTags}).Routes() {
		all = append(all, r.Target)
	}
	return all
}

// Figures computes the figures.
func (b *Records) Figures(ctx context.Context) (f Figures, err error) {
	if b.Store == nil {
		return f, ErrNothingYet
	}
	f.At = b.Now().UTC()
	if f.Figures, err = b.Store.Figures(ctx, f.At.Add(-statusLasts)); err != nil {
		return f, err
	}
	if b.Inventory.Divided() {
		if err := b.ownFigures(ctx, &f.Figures); err != nil {
			return f, err
		}
	}
	if !b.Config.Notifies() { // nothing is delivered
		f.PendingNotifications = 0
	}
	if f.OldestPending, err = b.oldestPending(ctx, f.At); err != nil {
		return f, err
	}
	if f.FailingTargets, err = b.FailingTargets(ctx); err != nil {
		return f, err
	}
	if f.Held, err = b.HeldNow(ctx, f.Services); err != nil {
		return f, err
	}
	if f.Cooldowns, err = b.placesLeft(ctx); err != nil {
		return f, err
	}
	for _, known := range f.Cooldowns {
		f.Services[known.Service] = cmp.Or(f.Services[known.Service], check.Unknown)
	}
	if b.Config.DailyBudgetUSD > 0 {
		spent, err := b.Store.CostSince(ctx, f.At.Add(-24*time.Hour))
		if err != nil {
			return f, err
		}
		left := max(b.Config.DailyBudgetUSD-spent, 0)
		f.BudgetLeftUSD = &left
	}
	return f, nil
}

// ownFigures removes services that now belong to another shard, which exports them: their status here would never change again. Past
// counts stay.
func (b *Records) ownFigures(ctx context.Context, f *store.Figures) error {
	maps.DeleteFunc(f.Services, func(service string, _ check.Status) bool { return b.Inventory.Elsewhere(service) != "" })
	open, err := b.Store.OpenIncidents(ctx)
	if err != nil {
		return err
	}
	f.OpenIncidents, f.Recovering = 0, 0
	for service, incident := range open {
		if b.Inventory.Elsewhere(service) == "" {
			f.OpenIncidents++
			if incident.State() == store.IncidentRecovering {
				f.Recovering++
			}
		}
	}
	return nil
}

// FailingTargets counts the configured targets that could not be reached. Removed targets stay on record until the next delivery.
func (b *Records) FailingTargets(ctx context.Context) (n int64, err error) {
	failing, err := b.Store.FailingTargets(ctx)
	if err != nil || len(failing) == 0 {
		return 0, err
	}
	for _, target := range b.targets() {
		if slices.ContainsFunc(failing, func(f store.FailingTarget) bool { return f.Hash == target.Hash }) {
			n++
		}
	}
	return n, nil
}

// HeldNow returns why unwell services are held back, by name, of services that were found so.
func (b *Records) HeldNow(ctx context.Context, found map[string]check.Status) (map[string]string, error) {
	now := *b
	now.Forget()
	if err := now.know(ctx, found); err != nil {
		return nil, err
	}
	held := map[string]string{}
	for _, service := range unwell(found) {
		hold, err := now.Hold(ctx, service)
		if err != nil {
			return nil, err
		}
		if hold != (Hold{}) {
			held[service] = hold.Reason
		}
	}
	return held, nil
}

// placesLeft returns the remaining remediations of every known service. A corrupt cooldown.json, which the next cycle sets aside, does
// not hide the other figures.
func (b *Records) placesLeft(ctx context.Context) ([]PlacesLeft, error) {
	limits, err := b.Limits(ctx)
	if errors.Is(err, statefile.ErrCorrupt) {
		limits, err = b.RecordedLimits(ctx)
	}
	if err != nil {
		return nil, err
	}
	times, err := b.Store.AllActTimes(ctx, limits.DayBegins())
	if err != nil {
		return nil, err
	}
	names, err := b.Names(ctx, limits.State)
	if err != nil {
		return nil, err
	}
	limits = limits.WithDays(times)
	left := make([]PlacesLeft, 0, len(names))
	for _, service := range names {
		restart, redeployment, err := limits.Both(ctx, service)
		if err != nil {
			return nil, err
		}
		left = append(left, PlacesLeft{service, restart.Left(), redeployment.Left()})
	}
	return left, nil
}

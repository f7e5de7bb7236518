package metrics

import (
	"context"
	"errors"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Figures is what the metrics say. Totals never fall (store.Figures); everything else is the picture of the moment.
type Figures struct {
	store.Figures
	At        time.Time               `json:"at"`
	LastCycle *store.CycleRow         `json:"last_cycle"` // that neither an alert nor an approval started; nil if there is none
	Services  map[string]check.Status `json:"services"`   // by checks and alerts; unknown without a recent result

	OpenIncidents int64 `json:"open_incidents"`
	Recovering    int64 `json:"recovering_incidents"` // of the open ones

	PendingNotifications int64           `json:"pending_notifications"` // not yet delivered to some target
	FailingTargets       int64           `json:"failing_targets"`
	WaitingProposals     int64           `json:"waiting_proposals"` // for a person
	Silences             []store.Silence `json:"silences"`          // that are active
	OldestPending        *time.Time      `json:"oldest_pending_at"` // when the oldest overdue notification was queued; nil if there is none
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

// Read reads the figures, all at the same moment. A corrupt cooldown.json, which the next cycle sets aside, hides none of them.
func Read(ctx context.Context, b *ledger.Records) (f Figures, err error) {
	if b.Store == nil {
		return f, ErrNothingYet
	}
	err = b.Together(ctx, func() error {
		st, fault, err := state.Mended(ctx, b)
		if err != nil || fault != nil && !errors.Is(fault, statefile.ErrCorrupt) {
			return errors.Join(err, fault)
		}
		f = now(st)
		return f.count(ctx, b)
	})
	return f, err
}

// now returns the figures of the picture.
func now(st *state.State) Figures {
	f := Figures{
		At: st.Now.UTC(), Services: map[string]check.Status{}, Held: map[string]string{}, Silences: st.Silences(), WaitingProposals: int64(len(st.Waiting())),
	}
	for _, s := range st.Services() {
		f.Services[s.Name] = check.Unknown
		if status := s.Status(); status != "" {
			f.Services[s.Name] = status
		}
		if hold := s.LeftAlone(); hold.Given() && s.Status().Unwell() {
			f.Held[s.Name] = hold.Reason
		}
		if s.Incident != nil {
			f.OpenIncidents++
			if s.Incident.State() == store.IncidentRecovering {
				f.Recovering++
			}
		}
		restart, redeployment := s.Both()
		f.Cooldowns = append(f.Cooldowns, PlacesLeft{s.Name, restart.Left(), redeployment.Left()})
	}
	if left, limited := st.BudgetLeft(); limited {
		left = max(left, 0)
		f.BudgetLeftUSD = &left
	}
	return f
}

// count adds the totals and the state of the outbox.
func (f *Figures) count(ctx context.Context, b *ledger.Records) (err error) {
	if f.Figures, err = b.Store.Figures(ctx); err != nil {
		return err
	}
	if f.LastCycle, err = b.Store.LastUnwoken(ctx); err != nil {
		return err
	}
	box, err := notify.RoutingOf(b.Config, b.Inventory).Outbox(ctx, b.Store, f.At)
	if err != nil {
		return err
	}
	f.PendingNotifications, f.FailingTargets = int64(len(box.Pending)), int64(len(box.Failing))
	if late := box.Late(); late != nil {
		f.OldestPending = &late.CreatedAt
	}
	return nil
}

// Package state is the picture of the moment: each service with its status, its incident, what holds it back, what its limits leave, its
// alerts and its proposal; beside them the running sessions, the last cycle and the cost of the day. Load reads it once, in one
// transaction; afterwards everything is computed from it, without a clock, a file or a database. Whoever decides or shows something asks
// the same picture, so that no two of them disagree.
//
// MayTouch is the one place that says whether a service may be acted on, and why not.
package state

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// State is the picture at the time Now. It is not changed after Load.
type State struct {
	Now       time.Time
	Config    config.Config
	Inventory *inventory.Inventory // nil if the operator has none
	File      *statefile.State     // cooldown.json

	Running   []store.Session // the sessions that have not ended, oldest first
	LastCycle *store.CycleRow // nil before the first one has ended
	CostUSD   float64         // of the sessions of the last 24 h
	// BudgetFrees is when the day's budget permits a tier again; zero if it does now, or if that is not known.
	BudgetFrees time.Time
	Pause       *store.Silence   // of everything; nil if there is none
	Pending     []store.Proposal // that wait for a person or for their run, whether they still fit or not
	CountLost   time.Time        // since when it is not known what was done in the last 24 h; zero if it is known

	services map[string]*Service
	observed time.Time         // when Tier 1 last began
	touched  []string          // the services that were acted on within the last hour, by name
	rooting  sync.Mutex        // of roots: pages share a picture
	roots    map[unwell]string // see rootOf
}

// Service is one service in the picture. Names are those of the inventory.
type Service struct {
	Name     string
	Listed   *inventory.Service // nil if the inventory does not list it
	Checks   []store.Last       // that say how it is now (stand), while they count (StatusLasts)
	Checked  time.Time          // when that was, however long ago; zero if it was never checked
	Alerts   []store.AlertRow   // that fire, oldest first
	Incident *store.Incident    // that is open; nil if there is none
	Last     *store.Incident    // the last one, if it ended within store.ReturnWithin; nil while one is open
	Silence  *store.Silence     // its own; nil if there is none
	Proposal *store.Proposal    // the last one that waits for a person or for its run, and still fits its incident; nil if there is none
	Acts     []store.Act        // of the last 24 h, oldest first; also those that a recovery has cleared

	asksSince  time.Time // since when each round of its checks asks for time; zero if the last one does not
	alertChain time.Time // when a tier was last started because of its alert; zero if none was within AlertsApart
	carried    map[statefile.Action][]statefile.Record
	of         *State
}

// Load reads the picture as it is now. file is cooldown.json, and s may be nil before the first cycle.
func Load(
	ctx context.Context, s *store.Store, file *statefile.State, inv *inventory.Inventory, c config.Config, now time.Time,
) (*State, error) {
	st := &State{Now: now, Config: c, Inventory: inv, File: file, services: map[string]*Service{}, roots: map[unwell]string{}}
	if inv != nil {
		for n := range inv.Services {
			st.add(inv.Services[n].Name).Listed = &inv.Services[n]
		}
	}
	for name := range file.Services {
		st.add(name)
	}
	if s == nil {
		return st, nil
	}
	return st, s.Update(ctx, func(tx *store.Store) error {
		for _, read := range []func(context.Context, *store.Store) error{
			st.readChecks, st.readIncidents, st.readAlerts, st.readPeople, st.readActs, st.readCycles,
		} {
			if err := read(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	})
}

// add returns the service with a name, which may be an alias, and adds it if it is new.
func (st *State) add(name string) *Service {
	name = st.Inventory.NameOf(name)
	s, known := st.services[name]
	if !known {
		s = st.unknown(name)
		st.services[name] = s
	}
	return s
}

func (st *State) unknown(name string) *Service {
	listed, _ := st.Inventory.Get(name)
	return &Service{Name: name, Listed: listed, of: st}
}

// Service returns a service by its name or an alias. One of which nothing is known is empty but for its name.
func (st *State) Service(name string) *Service {
	name = st.Inventory.NameOf(name)
	if s, known := st.services[name]; known {
		return s
	}
	return st.unknown(name)
}

// MostNames limits the services that are shown, the first ones by name: an agent may report any number of names.
const MostNames = 10_000

// Services returns all services of this shard, by name: the inventory's, and others of which something is known.
func (st *State) Services() []*Service {
	all := make([]*Service, 0, len(st.services))
	for _, name := range slices.Sorted(maps.Keys(st.services)) {
		if st.Inventory.Elsewhere(name) == "" {
			all = append(all, st.services[name])
		}
	}
	return all[:min(len(all), MostNames)]
}

// Open returns the open incidents, by service.
func (st *State) Open() map[string]store.Incident {
	open := map[string]store.Incident{}
	for name, s := range st.services {
		if s.Incident != nil {
			open[name] = *s.Incident
		}
	}
	return open
}

// Silences returns the active silences and the pause, oldest first.
func (st *State) Silences() (active []store.Silence) {
	if st.Pause != nil {
		active = append(active, *st.Pause)
	}
	for _, s := range st.services {
		if s.Silence != nil {
			active = append(active, *s.Silence)
		}
	}
	slices.SortFunc(active, func(x, y store.Silence) int { return cmp.Compare(x.ID, y.ID) })
	return active
}

// Waiting returns the proposals that wait for a person, oldest first.
func (st *State) Waiting() (waiting []store.Proposal) {
	for _, p := range st.Pending {
		if p.Status == store.ProposalWaiting {
			waiting = append(waiting, p)
		}
	}
	return waiting
}

// BudgetLeft returns what is left of CLAUDEOPS_DAILY_BUDGET_USD, which may be less than nothing; limited is false if there is no budget.
func (st *State) BudgetLeft() (usd float64, limited bool) {
	budget := st.Config.DailyBudgetUSD
	return budget - st.CostUSD, budget > 0
}

func (st *State) readChecks(ctx context.Context, s *store.Store) error {
	since := st.Now.Add(-StatusLasts(st.Config.Schedule, st.Now))
	latest, err := s.Latest(ctx)
	if err != nil {
		return err
	}
	if st.observed, err = s.Observed(ctx); err != nil {
		return err
	}
	for _, c := range latest {
		is := st.add(c.Service)
		if c.CheckedAt.After(is.Checked) {
			is.Checked = c.CheckedAt
		}
		if !c.CheckedAt.Before(since) {
			is.Checks = append(is.Checks, c)
		}
	}
	var asking []string
	for name, is := range st.services {
		is.Checks = stand(is.Checks, st.observed)
		if slices.ContainsFunc(is.Checks, asksForTime) {
			asking = append(asking, name)
		}
	}
	if len(asking) == 0 {
		return nil
	}
	found, err := s.AskingSince(ctx, since, asking...)
	for name, at := range found {
		st.add(name).asksSince = at
	}
	return err
}

func asksForTime(c store.Last) bool {
	return c.Source == store.Probed && c.Status == check.Degraded && strings.HasPrefix(c.Error, check.AsksForTime)
}

func (st *State) readIncidents(ctx context.Context, s *store.Store) error {
	found, err := s.LiveIncidents(ctx, st.Now.Add(-store.ReturnWithin))
	for n := range found {
		is := st.add(found[n].Service)
		switch {
		case found[n].ClosedAt == nil:
			is.Incident, is.Last = &found[n], nil
		case is.Incident == nil: // the one that ended last comes last
			is.Last = &found[n]
		}
	}
	return err
}

func (st *State) readAlerts(ctx context.Context, s *store.Store) error {
	firing, err := s.FiringAlerts(ctx)
	if err != nil || len(firing) == 0 {
		return err
	}
	for _, a := range firing {
		is := st.add(a.Service)
		is.Alerts = append(is.Alerts, a)
	}
	return st.readAlertChains(ctx, s)
}

// readAlertChains reads when chains were last started because of alerts. The names that the inventory does not know are the sender's to
// choose, so they count as one service.
func (st *State) readAlertChains(ctx context.Context, s *store.Store) error {
	chains, err := s.AlertedChains(ctx, st.Now.Add(-AlertsApart))
	var unlisted time.Time
	for name, started := range chains {
		is := st.add(name)
		is.alertChain = started
		if is.Listed == nil && started.After(unlisted) {
			unlisted = started
		}
	}
	for _, is := range st.services {
		if is.Listed == nil {
			is.alertChain = unlisted
		}
	}
	return err
}

func (st *State) readPeople(ctx context.Context, s *store.Store) error {
	silences, err := s.ActiveSilences(ctx, st.Now)
	if err != nil {
		return err
	}
	for n, one := range silences {
		place := &st.Pause
		if one.Service != "" {
			place = &st.add(one.Service).Silence
		}
		if *place == nil || one.Until.After((*place).Until) { // it may use another name of the service
			*place = &silences[n]
		}
	}
	pending, err := s.PendingProposals(ctx)
	for _, p := range pending {
		if p.RunSessionID != nil || p.Status == store.ProposalWaiting && !st.Now.Before(p.ExpiresAt) {
			continue
		}
		st.Pending = append(st.Pending, p)
		if is := st.Service(p.Service); p.Service != "" && is.Outdated(p) == "" {
			st.add(p.Service).Proposal = &p
		}
	}
	return err
}

func (st *State) readActs(ctx context.Context, s *store.Store) error {
	acts, err := s.ActsAfter(ctx, st.Now.Add(-24*time.Hour))
	if err != nil {
		return err
	}
	hour := st.Now.Add(-time.Hour)
	for _, a := range acts {
		is := st.add(a.Service)
		is.Acts = append(is.Acts, a)
		if a.CreatedAt.After(hour) && !a.OnlyClaimed() {
			st.touched = append(st.touched, is.Name)
		}
	}
	slices.Sort(st.touched)
	st.touched = slices.Compact(st.touched)
	carried, err := s.CarriedActs(ctx)
	if err != nil {
		return err
	}
	for _, a := range carried {
		is := st.add(a.Service)
		if is.carried == nil {
			is.carried = map[statefile.Action][]statefile.Record{}
		}
		is.carried[a.Action] = append(is.carried[a.Action], a.Record())
	}
	st.CountLost, err = s.CountLost(ctx, st.Now.Add(-24*time.Hour))
	return err
}

func (st *State) readCycles(ctx context.Context, s *store.Store) (err error) {
	if st.Running, err = s.RunningSessions(ctx); err != nil {
		return err
	}
	if st.LastCycle, err = s.LastCycle(ctx); err != nil {
		return err
	}
	if st.CostUSD, err = s.CostSince(ctx, st.Now.Add(-24*time.Hour)); err != nil {
		return err
	}
	if left, limited := st.BudgetLeft(); limited && left <= 0 {
		st.BudgetFrees, err = s.BudgetFrees(ctx, st.Now, st.Config.DailyBudgetUSD)
	}
	return err
}

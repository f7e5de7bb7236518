package dashboard

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

// Status is the first page without history (the days of Services, and Cost), for one screen.
type Status struct {
	*Overview
	Headline  string       `json:"headline"` // the verdict in words
	Unwell    []Unwell     `json:"unwell"`   // unhealthy or still recovering: worst first, then oldest; at most 20
	Next      []Upcoming   `json:"next"`     // what happens automatically, soonest first; at most 20
	LastDay   store.Totals `json:"last_24h"`
	BudgetUSD float64      `json:"budget_usd"` // for 24 h; 0 means none
}

// NeedsHuman reports whether a person must look: there is an open request, or monitoring has stopped.
func (s *Status) NeedsHuman() bool { return s.Verdict == NeedsHuman || s.StaleSince != nil }

// Unwell is a service with a problem.
type Unwell struct {
	Service  string              `json:"service"`
	Status   check.Status        `json:"status"`
	State    store.IncidentState `json:"state"`       // of its incident; empty if it has none
	Incident *int64              `json:"incident_id"` // nil if it has none
	Since    *time.Time          `json:"since"`       // when the incident opened
	Fault    string              `json:"fault"`       // the last bad check's result, and alerts
	Doing    string              `json:"doing"`       // what is being done about it, or why nothing is
	// AcknowledgedAt and AcknowledgedBy are those of the incident.
	AcknowledgedAt *time.Time `json:"acknowledged_at"`
	AcknowledgedBy string     `json:"acknowledged_by"`
}

// Upcoming is something that happens automatically.
type Upcoming struct {
	At      time.Time `json:"at"`
	Kind    string    `json:"kind"`    // cycle, retry, silence_ends, pause_ends or maintenance_ends
	Service string    `json:"service"` // empty if it is about everything
	Text    string    `json:"text"`
}

// MostOfEach limits the lists of a Status.
const MostOfEach = 20

// Status returns the current state.
func (i *Instance) Status(ctx context.Context) (status *Status, err error) {
	err = i.read(ctx, func(b *ledger.Records) error {
		s := &snapshot{}
		if err := i.fillPresent(ctx, b, s); err != nil {
			return err
		}
		o := s.overview
		status = &Status{Overview: o, Headline: o.Headline(), Unwell: i.unwellOf(s, o), Next: i.upcoming(s, o)}
		status.BudgetUSD = b.Config.DailyBudgetUSD
		status.LastDay, err = b.Store.TotalsSince(ctx, o.At.Add(-24*time.Hour))
		return err
	})
	return status, err
}

// NoStatus returns the status before the first cycle.
func NoStatus(now time.Time) *Status {
	o := &Overview{At: now.UTC(), Verdict: Unwatched}
	return &Status{Overview: o, Headline: o.Headline()}
}

// unwellOf returns the open incidents, and the unwell services without one.
func (i *Instance) unwellOf(s *snapshot, o *Overview) (all []Unwell) {
	for _, line := range o.Incidents {
		all = append(all, Unwell{
			Service: line.Service, Status: line.Status, State: line.State, Incident: &line.ID, Since: &line.OpenedAt, Fault: line.Fault, Doing: line.Doing,
			AcknowledgedAt: line.AcknowledgedAt, AcknowledgedBy: line.AcknowledgedBy,
		})
	}
	for _, line := range o.Services {
		if !line.Status.Unwell() || line.Incident != nil {
			continue
		}
		lone := Unwell{Service: line.Name, Status: line.Status}
		lone.Fault = i.faultNow(s.Service(line.Name))
		if line.Held != "" {
			lone.Doing = leftAlone + line.Held
		}
		all = append(all, lone)
	}
	return all[:min(len(all), MostOfEach)]
}

// upcoming returns what will happen automatically, as far as known.
func (i *Instance) upcoming(s *snapshot, o *Overview) (all []Upcoming) {
	if at := o.NextCycle(); at != nil {
		all = append(all, Upcoming{*at, "cycle", "", "the next cycle"})
	}
	for _, silence := range o.Silences {
		next := Upcoming{silence.Until, "silence_ends", silence.Service, "the silence of " + silence.Service + " ends"}
		if silence.Service == "" {
			next.Kind, next.Text = "pause_ends", "the pause of everything ends"
		}
		all = append(all, next)
	}
	for _, is := range s.services {
		if is.Listed == nil {
			continue
		}
		if _, until, open := is.Listed.Maintained(s.Now); open {
			all = append(all, Upcoming{until.UTC(), "maintenance_ends", is.Name, "the maintenance of " + is.Name + " ends"})
		}
	}
	for _, line := range o.Incidents {
		hold := s.Service(line.Service).Held(state.Tiers)
		if hold.Kind == state.Waiting && line.State == store.IncidentOpen && i.watchesOnly() == "" {
			all = append(all, Upcoming{hold.Until, "retry", line.Service, line.Service + " may be tried again, though nothing has changed"})
		}
	}
	slices.SortStableFunc(all, func(x, y Upcoming) int { return x.At.Compare(y.At) })
	return all[:min(len(all), MostOfEach)]
}

// givenUp reports whether a hold is no more than that claudeops leaves a problem to people, or to the next cycles.
func givenUp(h state.Hold) bool {
	return h.Kind == state.FailAfter || h.Kind == state.Flapping || h.Kind == state.Waiting
}

const leftAlone = "left alone: "

// doing describes what is being done about an open incident of a service, or why nothing is. workers has the running tiers by service.
func (i *Instance) doing(l *IncidentLine, is *state.Service, workers map[string]store.Session) string {
	now := i.now()
	worker, worked := workers[is.Name]
	hold := is.Held(state.Tiers)
	switch {
	case l.State == store.IncidentRecovering:
		return fmt.Sprintf("healthy since %s, %s", text.Clock(*l.HealthySince, now), l.Closes())
	case worked:
		return fmt.Sprintf("Tier %d is at it since %s (session %d)", worker.Tier, text.Clock(worker.StartedAt, now), worker.ID)
	case l.Held != "":
		return leftAlone + l.Held
	case hold.Kind == state.FailAfter:
		return fmt.Sprintf("found so in %d of the %d cycles that its fail_after asks for", l.UnwellCycles, is.FailsAfter())
	case i.watchesOnly() != "":
		return "only watched: " + i.watchesOnly()
	case hold.Kind == state.Flapping:
		return fmt.Sprintf("left to people: it recovered and failed again %s", text.Count(l.Returns, "time"))
	case hold.Kind == state.Waiting:
		return fmt.Sprintf("left to people until %s, unless it changes", text.Clock(hold.Until, now))
	}
	return "the next cycle decides"
}

// watchesOnly returns why no tier ever starts for a problem; empty if one may.
func (i *Instance) watchesOnly() string {
	switch {
	case i.options.Config.DryRun:
		return "CLAUDEOPS_DRY_RUN is set"
	case i.options.Config.MaxTier == 1:
		return "CLAUDEOPS_MAX_TIER is 1"
	}
	return ""
}

// workers returns the running sessions by the services that they work on: the highest tier if there are several.
func (i *Instance) workers(ctx context.Context, in *store.Store, st *state.State) (map[string]store.Session, error) {
	var running []store.Session
	var ids []int64
	for _, s := range st.Running {
		if s.ParentID != nil && !i.gone(s) {
			running, ids = append(running, s), append(ids, s.ID)
		}
	}
	slices.SortStableFunc(running, func(x, y store.Session) int { return cmp.Compare(x.Tier, y.Tier) })
	worked, err := in.WorkedServices(ctx, ids)
	if err != nil {
		return nil, err
	}
	workers := map[string]store.Session{}
	for _, s := range running {
		for _, service := range worked[s.ID] {
			workers[service] = s
		}
	}
	return workers, nil
}

package state

import (
	"fmt"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// Kind is why a service is held back.
type Kind string

// The kinds, in the order in which they are asked for. Each stops what stops says.
const (
	Elsewhere    Kind = "elsewhere"     // another shard looks after it
	Maintenance  Kind = "maintenance"   // of the services file
	Silenced     Kind = "silenced"      // by a person
	Paused       Kind = "paused"        // everything is, by a person
	AsksForTime  Kind = "asks_for_time" // it says itself that it starts, recovers or shuts down
	Dependency   Kind = "dependency"    // a service that it depends on is down, or asks for time
	Proposed     Kind = "proposal"      // one waits for a person, or for its run
	AlertSettles Kind = "alert_settles" // it was acted on, and nothing but its alert can tell whether that helped
	AlertApart   Kind = "alert_apart"   // a tier was started because of its alert a moment ago
	FailAfter    Kind = "fail_after"    // found unwell in too few cycles in a row
	Flapping     Kind = "flapping"      // what is done about it does not last
	Waiting      Kind = "waiting"       // it is as it was when a human was asked
	OutOfHours   Kind = "hours"         // remediate.hours
	ManyAtOnce   Kind = "many_at_once"  // CLAUDEOPS_MAX_SERVICES_PER_HOUR
	Well         Kind = "well"          // the program's own checks find it healthy, and nothing that is unwell needs it
	TierTooHigh  Kind = "max_tier"
	UsedUp       Kind = "limit"
	LostCount    Kind = "count_lost" // it is not known what was done in the last 24 h
)

// Stops is what a hold stops.
type Stops uint8

// What holds stop.
const (
	Incidents Stops = 1 << iota // that an incident opens, changes or ends
	Messages                    // about the service
	Tiers                       // that one starts for it
	FirstAid
	Acts

	everything = Incidents | Messages | Tiers | FirstAid | Acts
)

var stops = map[Kind]Stops{
	Elsewhere: everything, Maintenance: everything, Silenced: everything, Paused: everything, AsksForTime: everything, Dependency: everything,
	Proposed: Messages | Tiers | FirstAid | Acts, AlertSettles: Messages | Tiers | FirstAid | Acts, FailAfter: Messages | Tiers | FirstAid | Acts,
	AlertApart: Incidents | Messages | Tiers,
	Flapping:   Tiers | FirstAid, Waiting: Tiers | FirstAid,
	OutOfHours: Acts, ManyAtOnce: Acts, Well: Acts, TierTooHigh: Acts, UsedUp: Acts, LostCount: Acts,
}

// Hold is a reason why something is not done about a service now. The zero value is none.
type Hold struct {
	Kind   Kind
	Reason string    // a clause: "silenced until 2026-03-01 15:00 UTC (a new disk)", "db, on which it depends, is down"
	Until  time.Time // when it ends by itself; zero if that is not known
	Under  string    // the service at fault, of a Dependency
	From   time.Time // when the tier was started, of AlertApart; else zero
}

// Given reports whether there is a hold.
func (h Hold) Given() bool { return h.Kind != "" }

// Stops reports whether the hold stops one of these.
func (h Hold) Stops(what Stops) bool { return stops[h.Kind]&what != 0 }

// Quiet reports whether people asked for quiet about the service: by a silence, a pause or a maintenance window.
func (h Hold) Quiet() bool { return h.Kind == Silenced || h.Kind == Paused || h.Kind == Maintenance }

const (
	// timeGiven is how long nothing is done about a service that asks for time (check.AsksForTime), nor about those that depend on it.
	timeGiven = 15 * time.Minute
	// AlertsApart is the least time between two chains that a service's alerts alone start, and between two that alerts about unknown
	// services start (RULE "Alerts").
	AlertsApart = 10 * time.Minute
	// AlertSettling is how long an alert may take to end after an act, before anything else follows (RULE "Alerts").
	AlertSettling = 15 * time.Minute
)

// Holds returns what holds a service back, in the order of the kinds. Those of acts alone are MayTouch's.
func (s *Service) Holds() (all []Hold) {
	for _, hold := range []func() Hold{s.elsewhere, s.Quiet, s.asksForTime, s.dependency, s.proposed, s.alertSettles, s.alertApart, s.failAfter, s.gaveUp} {
		if h := hold(); h.Given() {
			all = append(all, h)
		}
	}
	return all
}

// Held returns the first hold that stops one of these; the zero Hold if nothing does.
func (s *Service) Held(what Stops) Hold {
	for _, h := range s.Holds() {
		if h.Stops(what) {
			return h
		}
	}
	return Hold{}
}

// LeftAlone returns the hold that keeps all hands off a service that is unwell, and people's own (Quiet) of any other.
func (s *Service) LeftAlone() Hold {
	if !s.Status().Unwell() {
		return s.Quiet()
	}
	for _, h := range s.Holds() {
		if stops[h.Kind] == everything {
			return h
		}
	}
	return Hold{}
}

func (s *Service) elsewhere() Hold {
	if other := s.of.Inventory.Elsewhere(s.Name); other != "" {
		return Hold{Kind: Elsewhere, Reason: "it is looked after by " + other}
	}
	return Hold{}
}

// Quiet returns the maintenance window, silence or pause that covers the service; if there are several, the one that ends last.
func (s *Service) Quiet() (hold Hold) {
	consider := func(kind Kind, what string, until time.Time, why string) {
		if hold.Given() && !until.After(hold.Until) {
			return
		}
		hold = Hold{Kind: kind, Reason: what + " until " + text.Moment(until), Until: until}
		if why != "" {
			hold.Reason += " (" + why + ")"
		}
	}
	if s.Listed != nil {
		if window, until, open := s.Listed.Maintained(s.of.Now); open {
			consider(Maintenance, "in maintenance", until, window.Note)
		}
	}
	if s.Silence != nil {
		consider(Silenced, "silenced", s.Silence.Until, s.Silence.Reason)
	}
	if pause := s.of.Pause; pause != nil {
		consider(Paused, "everything is paused", pause.Until, pause.Reason)
	}
	return hold
}

func (s *Service) asksForTime() Hold {
	until := s.hasUntil()
	if s.Listed == nil || !s.of.Now.Before(until) {
		return Hold{}
	}
	return Hold{Kind: AsksForTime, Reason: "it asks for time, and has until " + text.Moment(until), Until: until}
}

// hasUntil returns when the time ends that is given to a service; zero if it does not ask for any.
func (s *Service) hasUntil() (until time.Time) {
	if !s.asksSince.IsZero() {
		until = s.asksSince.Add(timeGiven)
	}
	return until
}

func (s *Service) dependency() Hold {
	if s.Listed == nil {
		return Hold{}
	}
	s.of.rooting.Lock()
	under := s.of.rootOf(s.Listed, s.Status())
	s.of.rooting.Unlock()
	if under == "" {
		return Hold{}
	}
	return Hold{Kind: Dependency, Reason: fmt.Sprintf("%s, on which it depends, is %s", under, s.of.Service(under).Status()), Under: under}
}

// unwell is a service and the status that it was found in.
type unwell struct {
	name  string
	found check.Status
}

// rootOf returns the service that explains the status of one that depends on it: the last in a chain of dependencies that are at least as
// unwell, as it is nearest to the cause. It is empty if there is none. Each service is visited once, however many depend on it.
func (st *State) rootOf(is *inventory.Service, found check.Status) (under string) {
	asked := unwell{is.Name, found}
	if under, known := st.roots[asked]; known {
		return under
	}
	for _, name := range is.DependsOn {
		dependency := st.Service(name)
		further := st.rootOf(dependency.Listed, found)
		if further == "" && st.Inventory.Elsewhere(name) == "" { // only the other shard's records have its status
			status := dependency.Status()
			// A degraded service does not explain one above it that is down, unless it asks for time.
			if status.Worse(check.Healthy) && !found.Worse(status) || st.Now.Before(dependency.hasUntil()) {
				further = dependency.Name
			}
		}
		if further != "" {
			under = further
		}
	}
	st.roots[asked] = under
	return under
}

func (s *Service) proposed() Hold {
	p := s.Proposal
	switch {
	case p == nil:
		return Hold{}
	case p.Status == store.ProposalWaiting:
		return Hold{Kind: Proposed, Reason: notify.ProposalWaits(*p), Until: p.ExpiresAt}
	}
	return Hold{Kind: Proposed, Reason: fmt.Sprintf("proposal %d is approved, and runs in the next cycle", p.ID)}
}

// Outdated returns why a proposal of the service no longer fits its incident, as a clause; empty if it does.
func (s *Service) Outdated(p store.Proposal) string {
	switch {
	case p.IncidentID == nil:
		return ""
	case s.Incident == nil || s.Incident.ID != *p.IncidentID:
		return p.Service + " has recovered"
	case s.Incident.Fingerprint != p.Fingerprint:
		return "what is wrong with " + p.Service + " has changed"
	}
	return ""
}

func (s *Service) alertSettles() Hold {
	if !s.OnlyAlerts() {
		return Hold{}
	}
	var last time.Time
	for _, a := range s.Acts {
		before := a.CreatedAt.Before(s.Alerts[0].StartsAt.Truncate(time.Second)) // it is about other trouble
		if !before && !a.OnlyClaimed() && !a.CreatedAt.After(s.of.Now) {
			last = a.CreatedAt
		}
	}
	ends := last.Add(AlertSettling)
	if last.IsZero() || ends.Before(s.of.Now) {
		return Hold{}
	}
	reason := fmt.Sprintf("acted %s, waiting for the alert to end", text.Ago(s.of.Now.Sub(last)))
	return Hold{Kind: AlertSettles, Reason: reason, Until: ends}
}

func (s *Service) alertApart() Hold {
	ends := s.alertChain.Add(AlertsApart)
	if !s.OnlyAlerts() || s.alertChain.IsZero() || !s.of.Now.Before(ends) {
		return Hold{}
	}
	of := "its alert"
	if s.Listed == nil {
		of = "an alert about a service that the inventory does not know"
	}
	reason := fmt.Sprintf("an agent was started for %s %s, and the next one is started %s later at the earliest",
		of, text.Ago(s.of.Now.Sub(s.alertChain)), text.Duration(AlertsApart))
	return Hold{Kind: AlertApart, Reason: reason, Until: ends, From: s.alertChain}
}

// FailsAfter returns the number of consecutive cycles in which the service must fail before people are told and a tier starts (RULE
// "fail_after"); 0 if the inventory does not list it.
func (s *Service) FailsAfter() int {
	if s.Listed == nil {
		return 0
	}
	return s.Listed.FailAfter
}

func (s *Service) failAfter() Hold {
	if s.Incident == nil || s.Incident.State() == store.IncidentRecovering { // while it recovers, no cycle counts
		return Hold{}
	}
	return s.Early(*s.Incident)
}

// Early returns the hold on the service while an incident of it was found in fewer cycles than FailsAfter.
func (s *Service) Early(i store.Incident) Hold {
	if i.UnwellCycles >= s.FailsAfter() {
		return Hold{}
	}
	reason := fmt.Sprintf("found so in %s, and fail_after is %d", text.Count(i.UnwellCycles, "cycle"), s.FailsAfter())
	return Hold{Kind: FailAfter, Reason: reason}
}

// gaveUp returns the hold on a service that is left to people: its incident is flapping, or waits.
func (s *Service) gaveUp() Hold {
	if s.Incident == nil {
		return Hold{}
	}
	if s.Incident.Flapping() {
		return Hold{Kind: Flapping, Reason: "it is flapping"}
	}
	if at, waits := s.Incident.WaitsUntil(s.of.Now); waits {
		return Hold{Kind: Waiting, Reason: "it is as it was when a human was asked; next try after " + text.Moment(at), Until: at}
	}
	return Hold{}
}

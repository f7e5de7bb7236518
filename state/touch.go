package state

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// By is who wants to act. A script outside of any session has no tier.
type By struct {
	Tier   int  // of the agent's session, or of first aid; 0 for none
	Person bool // a person acts, or has approved the act
}

// ByOf returns who acts in a session.
func ByOf(s store.Session) By {
	return By{Tier: s.Tier, Person: s.Trigger == store.ByApproval || s.Agent == store.Operator}
}

// Refusal is why a service may not be acted on now. Its text is for whoever wanted to.
type Refusal struct {
	Hold
	Service    string
	Permission Permission // the use of the limits, without the refused act
	Wanted     string     // the refused command; may be empty
	Tried      []string   // what was done within the window of a limit that is used up
	HumanAsked bool       // because of this refusal, or of an earlier one on the same day
}

// MayTouch returns why an action on a service may not be done now; nil if it may. A person is bound by what people asked for (a silence, a
// maintenance window …) and by the limits alone.
func (st *State) MayTouch(service string, action statefile.Action, by By) *Refusal {
	s := st.Service(service)
	p := s.Permission(action)
	refused := func(h Hold) *Refusal { return &Refusal{Hold: h, Service: s.Name, Permission: p} }
	if h := s.tierTooHigh(by); h.Given() {
		return refused(h)
	}
	for _, h := range s.Holds() {
		if h.Stops(Acts) && (!by.Person || h.Stops(Incidents)) {
			return refused(h)
		}
	}
	if !by.Person {
		for _, hold := range []Hold{s.outOfHours(), st.manyAtOnce(s.Name), s.wellAndApart(by)} {
			if hold.Given() {
				return refused(hold)
			}
		}
	}
	if p.Permitted() {
		return nil
	}
	r := refused(Hold{Kind: UsedUp, Reason: p.used(stamp), Until: p.Frees()})
	if p.CountLost {
		r.Kind = LostCount
	}
	r.Tried = s.tried(action)
	return r
}

func (s *Service) tierTooHigh(by By) Hold {
	if by.Person || s.Listed == nil || s.Listed.MaxTier == 0 || by.Tier <= s.Listed.MaxTier {
		return Hold{}
	}
	return Hold{Kind: TierTooHigh, Reason: fmt.Sprintf("its max_tier is %d, and this is Tier %d", s.Listed.MaxTier, by.Tier)}
}

func (s *Service) outOfHours() Hold {
	if s.Listed == nil || s.Listed.Remediable(s.of.Now) {
		return Hold{}
	}
	return Hold{Kind: OutOfHours, Reason: "it may be remediated at " + s.Listed.Hours.String() + " only (remediate.hours)"}
}

// manyAtOnce returns the hold on a service because so many others were acted on within an hour that this is no accident of one.
func (st *State) manyAtOnce(service string) Hold {
	most := st.Config.MaxServicesPerHour
	others := slices.DeleteFunc(slices.Clone(st.touched), func(name string) bool { return name == service })
	if most == 0 || len(others) < most {
		return Hold{}
	}
	return Hold{Kind: ManyAtOnce, Reason: fmt.Sprintf("CLAUDEOPS_MAX_SERVICES_PER_HOUR is %d, and other services had their turn within this hour: %s",
		most, text.Few(others, 5))}
}

// wellAndApart returns the hold on a service that the program's own checks find healthy, where neither it nor a service that depends on it
// has an incident, an alert or a person's question: whatever a model has read, it has no reason to act on it.
func (s *Service) wellAndApart(by By) Hold {
	if by.Tier == 0 || s.Listed == nil || s.ByOwn() != check.Healthy {
		return Hold{}
	}
	st, apart := s.of, map[string]bool{}
	for name, other := range st.services {
		troubled := other.Incident != nil || len(other.Alerts) > 0
		if troubled && st.needs(name, s.Name, apart) {
			return Hold{}
		}
	}
	for _, name := range st.Config.Services { // that a person asks about
		if st.needs(st.Inventory.NameOf(name), s.Name, apart) {
			return Hold{}
		}
	}
	return Hold{Kind: Well, Reason: "the program's own checks find it healthy, and nothing that is unwell depends on it"}
}

// needs reports whether a service is another, or depends on it. Those in apart do not, and those that do not are added to it.
func (st *State) needs(service, on string, apart map[string]bool) bool {
	if service == on {
		return true
	}
	if apart[service] {
		return false
	}
	if is, known := st.Inventory.Get(service); known {
		if slices.ContainsFunc(is.DependsOn, func(name string) bool { return st.needs(st.Inventory.NameOf(name), on, apart) }) {
			return true
		}
	}
	apart[service] = true
	return false
}

// Limited reports whether a limit is what stands in the way.
func (r *Refusal) Limited() bool { return r.Kind == UsedUp || r.Kind == LostCount }

// Held returns why the act may not be done regardless of the limits; empty if these are what stands in the way.
func (r *Refusal) Held() string {
	if r.Limited() {
		return ""
	}
	return r.Reason
}

// Why returns what stands in the way as a clause: "shop is not to be touched now: silenced until …", "restart of shop: 2 of 2 used in 4 h, …".
func (r *Refusal) Why() string {
	if r.Limited() {
		return r.Permission.Of(r.Service)
	}
	text := r.Service + " is not to be touched now: " + r.Reason
	if r.Under != "" {
		text += "; look at " + r.Under
	}
	return text
}

func (r *Refusal) Error() string {
	if !r.Limited() {
		return r.Why()
	}
	text := r.Event()
	if r.HumanAsked {
		text += ". A human has been asked"
	}
	return text + ". Do not look for another way to the same effect: say in your handoff or last message what was tried and with what result"
}

// Event returns what was refused and why, for the record.
func (r *Refusal) Event() string {
	text := fmt.Sprintf("a %s of %s was refused: %s", r.Permission.Action, r.Service, r.Reason)
	if r.Limited() && r.Wanted != "" {
		text += " (wanted: " + r.Wanted + ")"
	}
	if len(r.Tried) > 0 {
		text += ". Tried: " + strings.Join(r.Tried, "; ")
	}
	return text
}

// Ask returns what a human is asked because of the refusal.
func (r *Refusal) Ask() (ask notify.Attention) {
	action := r.Permission.Action
	switch r.Kind {
	case UsedUp, LostCount:
		ask = notify.Attention{Cause: notify.LimitsUsedUp, Why: r.limitWords()}
		if frees := r.Permission.Frees(); !frees.IsZero() {
			ask.Next = fmt.Sprintf("The next %s is permitted after %s", action, text.Moment(frees))
		}
		if r.Wanted != "" {
			ask.Facts = []string{"wanted: " + notify.Code(r.Wanted)}
		}
	case OutOfHours, ManyAtOnce, Well:
		ask = notify.Attention{Cause: notify.NotNow, Why: fmt.Sprintf("A %s was wanted and refused: %s", action, r.Reason)}
	}
	return ask
}

// limitWords returns the limit that refused as one sentence. The request itself lists the use of each limit and past attempts.
func (r *Refusal) limitWords() string {
	p := r.Permission
	switch {
	case p.CountLost:
		return fmt.Sprintf("%s: a %s was refused", ledger.CountLostWhy, p.Action)
	case p.Action == statefile.Other || p.Position.Permitted():
		return fmt.Sprintf("The limit of %s in 24 h is reached: a %s was refused", text.Count(p.Ceiling, "remediation"), p.Action)
	}
	return fmt.Sprintf("The limit of %s in %d h is reached: a %s was refused",
		text.Count(p.Limit, string(p.Action)), int(p.Action.Window().Hours()), p.Action)
}

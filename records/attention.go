package records

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// Cause is why a human is asked. Without an incident it stands where the incident would: one notification a cause in 24 h.
type Cause string

// The causes. Those of the watch itself (InvalidHandoff, BudgetSpent, RecordsErased) have no incident.
const (
	TierLimit      Cause = "tier_limit"
	Unresolved     Cause = "unresolved"
	LimitsUsedUp   Cause = "limits_used_up"
	HollowFix      Cause = "hollow_fix"
	Flapping       Cause = store.CauseFlapping // it recovers and fails again
	InvalidHandoff Cause = "invalid_handoff"
	TierFailed     Cause = "tier_failed"
	BudgetSpent    Cause = "budget"
	NoAgent        Cause = "no_agent"     // there is no model that could look further
	NoSandbox      Cause = "no_sandbox"   // nothing confines an agent's commands, so none is started
	Unchecked      Cause = "unchecked"    // the probes' time was over
	CannotCheck    Cause = "cannot_check" // checks cannot be made; behind it stands why
	ModelFailed    Cause = "model_failed" // the probes found it, because Tier 1's model did not
	RecordsErased  Cause = "erased_records"
	Reminder       Cause = "reminder"        // people were asked a day ago, and it is as it was
	UnwellAgain    Cause = "unwell_again"    // people were last told that it is well
	DryRun         Cause = "dry_run"         // nothing is done about it
	NothingWatches Cause = "nothing_watches" // Tier 1 fails, and so do the probes in its place
	AgentAsks      Cause = "agent_asks"      // for what it may not or cannot do

	DamagedDatabase Cause = "damaged_database"
	MovedDatabase   Cause = "moved_database" // removed or replaced while a cycle ran
	CountLost       Cause = "count_lost"     // it is not known what was done in the last 24 h
	DeliveryHangs   Cause = "delivery_hangs" // a stopped process held up the messages
	// CycleHangs is followed by the process of the cycle that keeps others from starting.
	CycleHangs Cause = "cycle_hangs: "
	// ForeignSchema is followed by what somebody added to the database: each is told of once.
	ForeignSchema Cause = "foreign_schema: "
)

// Refused asks a human, once, because an agent wanted what a limit does not permit (SPEC-0007 REQ-4, REQ-5).
func (b *Records) Refused(ctx context.Context, service string, p Permission) error {
	return b.refused(ctx, &LimitError{Service: service, Permission: p})
}

func (b *Records) refused(ctx context.Context, e *LimitError) error {
	limits, err := b.Limits(ctx, e.Service)
	if err != nil {
		return err
	}
	return b.Together(ctx, func() error { return b.recordRefused(ctx, limits, e) })
}

func (b *Records) recordRefused(ctx context.Context, limits Limits, e *LimitError) error {
	session := b.Config.Agent.SessionID
	err := b.Store.AddEvent(ctx, store.Event{SessionID: &session, Level: store.Warning, Service: e.Service, Message: e.reason(), CreatedAt: b.Now()})
	if err != nil {
		return err
	}
	ask := Ask{Cause: LimitsUsedUp, Why: e.forPeople()}
	if frees := e.Permission.Frees(); !frees.IsZero() {
		ask.Next = fmt.Sprintf("The next %s is permitted after %s", e.Permission.Action, Moment(frees))
	}
	if e.Wanted != "" {
		ask.more = []string{"wanted: " + code(e.Wanted)}
	}
	return b.requestOnce(ctx, limits, e.Service, ask)
}

// PassOn asks a human what an agent wants to be asked, about a service or, where that is empty, about none.
func (b *Records) PassOn(ctx context.Context, service, text string) error {
	agent := b.Config.Agent
	why := fmt.Sprintf("Tier %d asks: %s", agent.Tier, b.Redactor.String(text))
	limits, err := b.Limits(ctx, service)
	if err != nil {
		return err
	}
	return b.Together(ctx, func() error {
		event := store.Event{SessionID: &agent.SessionID, Level: store.Warning, Service: service, Message: why, CreatedAt: b.Now()}
		if err := b.Store.AddEvent(ctx, event); err != nil {
			return err
		}
		if service != "" {
			return b.requestOnce(ctx, limits, service, Ask{Cause: AgentAsks, Why: why})
		}
		return b.Notify(ctx, store.Notification{
			Kind: store.HumanAttention, Type: notify.Failure, Cause: string(AgentAsks), Title: fmt.Sprintf("Tier %d asks for a human", agent.Tier),
			Body: b.Compose(Body{Why: why, Look: []string{fmt.Sprintf("claudeops sessions show %d", agent.SessionID)}}),
		})
	})
}

// requestOnce asks a human about a service because of what an agent did, unless it is quiet, or enough was told of services that only the
// agent names.
func (b *Records) requestOnce(ctx context.Context, limits Limits, service string, ask Ask) error {
	if hold, err := b.Quiet(ctx, service); err != nil || hold.Quiet {
		return err
	}
	open, err := b.Store.OpenIncidents(ctx)
	if err != nil {
		return err
	}
	incident, known := open[service]
	if !known {
		if many, err := b.nameless(ctx, service, ask.Cause); err != nil || many {
			return err
		}
		incident = store.Incident{Service: service}
	}
	return b.RequestAttention(ctx, limits, incident, ask)
}

// MaxNameless is how many services that nobody but the agent has named are told of: refusals in a session, checks that cannot be made in
// a day. By such a name it could say to people whatever it likes.
const MaxNameless = 3

// nameless reports whether a service has no incident and no place in the inventory, and enough of that kind was told in this session.
func (b *Records) nameless(ctx context.Context, service string, cause Cause) (enough bool, err error) {
	if _, known := b.Inventory.Get(service); known || !b.InSession() {
		return false, nil
	}
	session, err := b.Store.Session(ctx, b.Config.Agent.SessionID)
	if err != nil {
		return false, err
	}
	told, err := b.Store.ToldWithoutIncident(ctx, store.HumanAttention, string(cause), session.StartedAt)
	return told >= MaxNameless, err
}

// forPeople is the refusal in a sentence. Where the limits stand, and what was tried, a request says of each service.
func (e *LimitError) forPeople() string {
	p := e.Permission
	switch left := p.Left(); {
	case p.CountLost:
		return fmt.Sprintf("%s: a %s was refused", CountLostWhy, p.Action)
	case left > 0:
		return fmt.Sprintf("One command asks for more than the %s left: it was refused", Counted(left, string(p.Action)))
	case p.Position.Permitted():
		return fmt.Sprintf("The limit of %s in 24 h is reached: a %s was refused", Counted(p.Ceiling, "remediation"), p.Action)
	}
	return fmt.Sprintf("The limit of %s in %d h is reached: a %s was refused",
		Counted(p.Limit, string(p.Action)), int(p.Action.Window().Hours()), p.Action)
}

// Ask is why a human is asked about a service, in sentences without their full stops that do not name it: many may share them.
type Ask struct {
	Cause Cause
	Why   string   // nobody but a human goes on
	Next  string   // what claudeops does next about it; may be empty
	more  []string // facts
}

// kind is what the request is in the outbox: what is a hiccup, or a rehearsal, must not use up the message on a chain that fails later.
func (a Ask) kind() store.Kind {
	if a.Cause == ModelFailed || a.Cause == InvalidHandoff || a.Cause == DryRun {
		return store.AgentFailing
	}
	return store.HumanAttention
}

// sentences are both.
func (a Ask) sentences() string {
	if a.Next == "" {
		return a.Why
	}
	return sentence(Clip(a.Why, maxWhy*2/3)) + " " + a.Next
}

// RequestAttention queues the request for a human about one service: what is broken, why nobody else goes on, and what the cooldown
// skill asks for: what was tried, how often, and when the windows free. An incident of ID 0 is none. Limits are read by the caller, who
// may ask about thousands of services.
func (b *Records) RequestAttention(ctx context.Context, limits Limits, i store.Incident, a Ask) error {
	n := store.Notification{Kind: a.kind(), Type: notify.Failure, Service: i.Service, Cause: string(a.Cause)} // nobody looks at it: whatever kind
	var tried []store.IncidentSession
	var acts []store.Act
	if i.ID != 0 {
		n.IncidentID = &i.ID
		var err error
		if tried, err = b.Store.IncidentAttempts(ctx, i.ID); err != nil {
			return err
		}
		if acts, err = b.Store.ActsBetween(ctx, i.Service, i.OpenedAt, b.Now().Add(time.Millisecond)); err != nil {
			return err
		}
	}
	found, err := b.foundNow(ctx, i.Service)
	if err != nil {
		return err
	}
	done, err := limits.story(ctx, i.Service, acts, a.Cause == LimitsUsedUp)
	if err != nil {
		return err
	}
	state := stateOf(i, found, a.Cause == Reminder)
	n.Title = b.requestTitle(i.Service, state, found)
	body := Body{Head: b.requestHead(i, state, found), Why: a.sentences(), Facts: slices.Concat(otherFaults(found), a.more, done)}
	if is, known := b.Inventory.Get(i.Service); known && is.Owner != "" {
		body.Facts = append(body.Facts, "owner: "+is.Owner)
	}
	body.Facts = append(body.Facts, attempts(tried)...)
	body.Look, body.Quiet = b.look(i, tried), quietCommand(i.Service)
	n.Body = b.Compose(body)
	return b.Notify(ctx, n)
}

// stateOf is how a service is: "down", "still down"; empty where nobody knows.
func stateOf(i store.Incident, found []check.Result, still bool) string {
	switch {
	case still:
		return "still " + string(i.Status)
	case i.ID != 0:
		return string(i.Status)
	case len(found) > 0:
		return string(found[0].Status)
	}
	return ""
}

// maxFound bounds what a check says in a title, which a phone shows part of.
const maxFound = 70

// requestTitle says what is broken: "shop is down and needs human attention: HTTP 502".
func (b *Records) requestTitle(service, state string, found []check.Result) string {
	title := service
	if state != "" {
		title += " is " + state + " and"
	}
	title += " needs human attention"
	if len(found) > 0 && found[0].Error != "" {
		text, _, _ := strings.Cut(b.Redactor.String(found[0].Error), " from http")
		title += ": " + Clip(text, maxFound)
	}
	return title
}

// requestHead is what is broken, in the worst check's words, and since when; empty where nobody knows.
func (b *Records) requestHead(i store.Incident, state string, found []check.Result) string {
	if state == "" {
		return ""
	}
	head := i.Service + " is " + state
	if i.ID != 0 {
		head = i.Service + " is " + strings.TrimSuffix(state, string(i.Status)) + b.since(i)
	}
	if len(found) > 0 && found[0].Error != "" {
		head += ": " + found[0].Error
	}
	return head
}

// foundNow are the results of the last checks of a service that are not healthy, the worst first, with what they say for one line.
func (b *Records) foundNow(ctx context.Context, service string) ([]check.Result, error) {
	last, err := b.Store.LastChecks(ctx, service, b.Now().Add(-statusLasts))
	if err != nil {
		return nil, err
	}
	unwell := slices.DeleteFunc(store.Results(last), func(r check.Result) bool { return !r.Status.Unwell() })
	slices.SortStableFunc(unwell, func(x, y check.Result) int {
		switch {
		case x.Status.Worse(y.Status):
			return -1
		case y.Status.Worse(x.Status):
			return 1
		}
		return 0
	})
	for n := range unwell {
		unwell[n].Error = Clip(b.Redactor.String(unwell[n].Error), maxFact)
	}
	return unwell, nil
}

// otherFaults are the results behind the first, which the head tells.
func otherFaults(found []check.Result) (facts []string) {
	for n, r := range found[min(1, len(found)):] {
		if n == mostTold {
			return append(facts, fmt.Sprintf("… and %s more", Counted(len(found)-1-n, "check")))
		}
		fact := string(r.Type) + " check"
		if r.Status != found[0].Status {
			fact += " " + string(r.Status)
		}
		facts = append(facts, strings.TrimSuffix(fact+": "+r.Error, ": "))
	}
	return facts
}

// quietCommand is the command for whoever works on a service; empty where a shell would read its name otherwise.
func quietCommand(service string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/:@+", r)
	}
	if service == "list" || service == "end" || strings.HasPrefix(service, "-") || strings.ContainsFunc(service, func(r rune) bool { return !plain(r) }) {
		return ""
	}
	return "claudeops silence " + service + " --for 2h"
}

// since is how an incident is and since when: "down since 2026-11-21 14:00 UTC (2 h)".
func (b *Records) since(i store.Incident) string {
	text := fmt.Sprintf("%s since %s", i.Status, Moment(i.OpenedAt))
	if lasts := b.Now().Sub(i.OpenedAt); lasts >= time.Minute {
		text += " (" + Span(lasts) + ")"
	}
	return text + i.Returned()
}

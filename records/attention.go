package records

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Cause is the reason why a human is asked. Without an incident it identifies the notification: one per cause in 24 h.
type Cause string

// Causes. Those about the monitoring itself (InvalidHandoff, BudgetSpent, RecordsErased) have no incident.
const (
	TierLimit      Cause = "tier_limit"
	Unresolved     Cause = "unresolved"
	LimitsUsedUp   Cause = "limits_used_up"
	HollowFix      Cause = "hollow_fix"
	Flapping       Cause = store.CauseFlapping // it recovers and fails again
	InvalidHandoff Cause = "invalid_handoff"
	TierFailed     Cause = "tier_failed"
	BudgetSpent    Cause = "budget"
	NoAgent        Cause = "no_agent"     // no model is available to investigate
	Unchecked      Cause = "unchecked"    // the probes ran out of time
	CannotCheck    Cause = "cannot_check" // checks cannot be made; followed by the reason
	ModelFailed    Cause = "model_failed" // found by the probes, because Tier 1's model failed
	RecordsErased  Cause = "erased_records"
	RemadeCooldown Cause = "remade_cooldown" // cooldown.json was corrupt or missing
	Reminder       Cause = "reminder"        // nothing has changed since the request a day ago
	UnwellAgain    Cause = "unwell_again"    // unwell, although the last message said it is well
	DryRun         Cause = "dry_run"         // a dry run does not remediate
	NothingWatches Cause = "nothing_watches" // Tier 1 fails, and so do the probes in its place
	NothingIsSaid  Cause = "nothing_is_said" // Tier 1's model ends without a result
	NotNow         Cause = "not_now"         // a remediation outside of the service's hours, or of too many services within an hour
	AgentAsks      Cause = "agent_asks"      // an agent asks for what it may not or cannot do

	UnusableDatabase Cause = "unusable_database"
	CountLost        Cause = "count_lost"  // it is not known which remediations ran in the last 24 h
	AlertsLost       Cause = "alerts_lost" // more fire than are kept
	NotStarted       Cause = "not_started" // the set-up is at fault, so no cycle starts
	// CycleHangs is followed by the process of the cycle that keeps others from starting.
	CycleHangs  Cause = "cycle_hangs: "
	NotReported Cause = "not_reported: " // followed by the incident that was closed for it
)

// LimitReached asks a human, once, because an agent wanted a remediation beyond a limit (SPEC-0007 REQ-4, REQ-5).
func (b *Records) LimitReached(ctx context.Context, e *LimitError) error {
	limits, err := b.Limits(ctx, e.Service)
	if err != nil {
		return err
	}
	return b.Together(ctx, func() error { return b.recordLimitReached(ctx, limits, e) })
}

func (b *Records) recordLimitReached(ctx context.Context, limits Limits, e *LimitError) error {
	session := b.Config.Agent.SessionID
	err := b.Store.AddEvent(ctx, store.Event{SessionID: &session, Level: store.Warning, Service: e.Service, Message: e.reason(), CreatedAt: b.Now()})
	if err != nil {
		return err
	}
	ask := Ask{Cause: LimitsUsedUp, Why: e.forPeople()}
	if frees := e.Permission.Frees(); !frees.IsZero() {
		ask.Next = fmt.Sprintf("The next %s is permitted after %s", e.Permission.Action, text.Moment(frees))
	}
	if e.Wanted != "" {
		ask.more = []string{"wanted: " + notify.Code(e.Wanted)}
	}
	return b.requestOnce(ctx, limits, e.Service, ask)
}

// AskHuman passes an agent's request on to a human. An empty service means that it is about no single service.
func (b *Records) AskHuman(ctx context.Context, service, words string) error {
	agent := b.Config.Agent
	why := fmt.Sprintf("Tier %d asks: %s", agent.Tier, text.Unlinked(b.Redactor.String(words)))
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
		return b.Queue(ctx, AgentAsks, notify.AgentAsks(agent.Tier, agent.SessionID, why))
	})
}

// requestOnce asks a human about a service because of an agent's action. It does nothing if the service is quiet, or if enough requests
// were sent about services that only the agent names.
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

// MaxNameless limits messages about services that only the agent has named: per session for refusals, per day for checks that cannot be
// made. Such a name can be any text.
const MaxNameless = 3

// nameless reports whether a service has neither an incident nor an inventory entry, and the session has reached the limit for such
// messages.
func (b *Records) nameless(ctx context.Context, service string, cause Cause) (enough bool, err error) {
	if _, known := b.Inventory.Get(service); known || !b.InSession() {
		return false, nil
	}
	session, err := b.Store.Session(ctx, b.Config.Agent.SessionID)
	if err != nil {
		return false, err
	}
	sent, err := b.Store.ToldWithoutIncident(ctx, store.HumanAttention, string(cause), session.StartedAt)
	return sent >= MaxNameless, err
}

// forPeople returns the refusal as one sentence. The request itself lists the use of each limit and past attempts.
func (e *LimitError) forPeople() string {
	p := e.Permission
	switch {
	case p.CountLost:
		return fmt.Sprintf("%s: a %s was refused", CountLostWhy, p.Action)
	case p.Action == statefile.Other || p.Position.Permitted():
		return fmt.Sprintf("The limit of %s in 24 h is reached: a %s was refused", text.Count(p.Ceiling, "remediation"), p.Action)
	}
	return fmt.Sprintf("The limit of %s in %d h is reached: a %s was refused",
		text.Count(p.Limit, string(p.Action)), int(p.Action.Window().Hours()), p.Action)
}

// Ask is the reason for a request to a human. Its sentences have no full stop and do not name the service, so that several services can
// share them.
type Ask struct {
	Cause Cause
	Why   string   // why a human is needed
	Next  string   // what claudeops does next; may be empty
	more  []string // facts
}

// RequestAttention queues the request for a human about one service: what is broken, why nothing else can continue and, as the cooldown
// skill requires, what was tried, how often, and when the windows free up. An incident with ID 0 is none. The caller reads the limits,
// because it may ask about thousands of services.
func (b *Records) RequestAttention(ctx context.Context, limits Limits, i store.Incident, ask Ask) error {
	a := notify.Attention{
		Incident: i, Why: ask.Why, Next: ask.Next, Facts: ask.more, Agent: b.Config.Agent.SessionID, Now: b.Now(),
		Lasts: ask.Cause == Reminder, Hiccup: ask.Cause == ModelFailed || ask.Cause == InvalidHandoff || ask.Cause == DryRun,
	}
	var acts []store.Act
	var err error
	if i.ID != 0 {
		if a.Sessions, err = b.Store.IncidentAttempts(ctx, i.ID); err != nil {
			return err
		}
		if acts, err = b.Store.ActsBetween(ctx, i.Service, i.OpenedAt.Truncate(time.Second), a.Now.Add(time.Millisecond)); err != nil {
			return err
		}
	}
	if a.Found, err = b.foundNow(ctx, i.Service); err != nil {
		return err
	}
	a.Tried = limits.tried(i.Service, acts, a.Sessions)
	worked := slices.ContainsFunc(a.Sessions, func(s store.IncidentSession) bool { return s.Session.Tier > 1 })
	if len(a.Tried) > 0 || worked || ask.Cause == LimitsUsedUp {
		if a.Limits, err = limits.lines(ctx, i.Service); err != nil {
			return err
		}
	}
	if is, known := b.Inventory.Get(i.Service); known {
		a.Owner = is.Owner
	}
	return b.Queue(ctx, ask.Cause, a.News())
}

// NotifyDown notifies people that a service is down and what happens next, unless the last message about its incident already said that
// it is unwell. works means that a tier is already working on it.
func (b *Records) NotifyDown(ctx context.Context, limits Limits, i store.Incident, works bool, next string) error {
	if known, err := b.Store.KnownUnwell(ctx, i.ID); err != nil || known {
		return err
	}
	d := notify.Down{Incident: i, Works: works, Next: next, Now: b.Now()}
	var err error
	if d.Found, err = b.foundNow(ctx, i.Service); err != nil {
		return err
	}
	if d.Limits, err = limits.lines(ctx, i.Service); err != nil {
		return err
	}
	if is, known := b.Inventory.Get(i.Service); known {
		d.Owner = is.Owner
	}
	return b.Queue(ctx, "", d.News())
}

// MaxFound limits what is passed on of what a check, an agent or an alert says, in characters.
const MaxFound = 300

// foundNow returns what is wrong with a service: the unhealthy results of its last checks and what its alerts say, worst first, with errors
// shortened to one line.
func (b *Records) foundNow(ctx context.Context, service string) ([]check.Result, error) {
	last, err := b.Store.LastChecks(ctx, service, b.Now().Add(-statusLasts))
	if err != nil {
		return nil, err
	}
	for n := range last {
		if last[n].Source == store.Reported { // perhaps by an agent
			last[n].Error = text.Unlinked(notify.Masked(last[n].Error, b.Redactor.String, MaxFound))
		}
	}
	unwell := slices.DeleteFunc(store.Results(last), func(r check.Result) bool { return !r.Status.Unwell() })
	firing, err := b.Store.FiringAlerts(ctx, service, 0)
	if err != nil {
		return nil, err
	}
	if len(firing) > 0 {
		unwell = append(unwell, AlertResult(service, firing))
	}
	slices.SortStableFunc(unwell, func(x, y check.Result) int { return check.WorstFirst(x.Status, y.Status) })
	for n := range unwell {
		unwell[n].Error = notify.Masked(unwell[n].Error, b.Redactor.String, MaxFound)
	}
	return unwell, nil
}

// tried returns the remediations of a service in the incident or within the windows, oldest first.
func (l Limits) tried(service string, acts []store.Act, sessions []store.IncidentSession) []notify.Try {
	tries := tries(acts, sessions)
	known := map[string]bool{}
	for _, t := range tries {
		known[t.ID] = true
	}
	for _, action := range statefile.Actions() {
		for _, r := range l.within(service, action) {
			if r.ID == "" || !known[r.ID] {
				tries = append(tries, notify.Try{Action: action, Record: r})
			}
		}
	}
	slices.SortStableFunc(tries, func(x, y notify.Try) int { return x.Timestamp.Compare(y.Timestamp) })
	return tries
}

// tries converts acts of sessions.
func tries(acts []store.Act, sessions []store.IncidentSession) (tries []notify.Try) {
	for _, a := range acts {
		tries = append(tries, notify.Try{Action: a.Action, FirstAid: a.ByFirstAid(sessions), Record: record(a)})
	}
	return tries
}

// lines describes what is left of each limit, and when a used-up one frees up.
func (l Limits) lines(ctx context.Context, service string) (lines []string, err error) {
	restart, redeployment, err := l.Both(ctx, service)
	var left []string
	for _, p := range []Permission{restart, redeployment} {
		if p.Permitted() {
			left = append(left, fmt.Sprintf("%d of %s in %d h", p.Left(), text.Count(p.Limit, string(p.Action)), int(p.Action.Window().Hours())))
		} else {
			lines = append(lines, p.line())
		}
	}
	if len(left) > 0 {
		lines = append(lines, "left: "+strings.Join(left, ", "))
	}
	return lines, err
}

// NotifyRemediated notifies people that a tier remediated a service whose checks have been healthy since. did describes what it did.
func (b *Records) NotifyRemediated(ctx context.Context, limits Limits, service string, i store.Incident, by store.Session, did []store.Act) error {
	lines, err := limits.lines(ctx, service)
	if err != nil {
		return err
	}
	tries := tries(did, []store.IncidentSession{{Session: by}})
	return b.Queue(ctx, "", notify.Remediated(service, i, by, tries, lines, b.Now()))
}

// NotifyRecovered notifies people that an incident is over.
func (b *Records) NotifyRecovered(ctx context.Context, i store.Incident) error {
	effort, err := b.Store.IncidentEffort(ctx, i)
	if err != nil {
		return err
	}
	sessions, err := b.Store.IncidentAttempts(ctx, i.ID)
	if err != nil {
		return err
	}
	return b.Queue(ctx, "", notify.Recovered(i, effort, sessions, tries(effort.Acts, sessions)))
}

// Queue puts news into the outbox. Asking again is harmless: the store keeps one of each kind and incident, or cause, in 24 h.
func (b *Records) Queue(ctx context.Context, cause Cause, n notify.News) error {
	_, err := b.queue(ctx, cause, n)
	return err
}

// queue is Queue, and reports whether the news is in the outbox now that was not before.
func (b *Records) queue(ctx context.Context, cause Cause, n notify.News) (queued bool, err error) {
	if _, known := b.Inventory.Get(n.Service); !known { // its name may be a sender's or an agent's choice
		n = n.WithoutLink(n.Service)
	}
	n.Body.Dashboard = b.Config.DashboardURL
	return b.Store.QueueNotification(ctx, n.Notification(string(cause), b.Redactor.String, b.Now()))
}

// Notify queues a notification that the caller has worded.
func (b *Records) Notify(ctx context.Context, n store.Notification) error {
	n.Title, n.Body, n.CreatedAt = b.Redactor.String(n.Title), b.Redactor.String(n.Body), b.Now()
	_, err := b.Store.QueueNotification(ctx, n)
	return err
}

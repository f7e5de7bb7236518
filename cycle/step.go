package cycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// step is one thing that a plan changes. Steps are values; those of a round are carried out in order, in the transaction in which it was
// planned.
type step interface {
	do(ctx context.Context, a *applying) error
}

// applying is a round that is carried out.
type applying struct {
	*Cycle
	now       *state.State
	file      *statefile.State          // cooldown.json, which is written when the round ends
	session   int64                     // to which events belong
	incidents map[string]store.Incident // as the steps have left them; the others are as in now
	cleared   []string                  // the services whose counters were emptied
}

// theID stands for an incident's id in the text of a note: that of a new one is not known before it is written.
const theID = "{incident}"

// incident returns the incident of a service as the steps have left it.
func (a *applying) incident(service string) store.Incident {
	if i, changed := a.incidents[service]; changed {
		return i
	}
	if i := a.now.Service(service).Incident; i != nil {
		return *i
	}
	return store.Incident{Service: service}
}

// about returns what a message about a service says of it, with its incident as the steps have left it.
func (a *applying) about(service string) notify.About {
	is, i := *a.now.Service(service), a.incident(service)
	is.Incident = &i
	return is.About(a.Redactor.String)
}

// count sets streaks of healthy cycles, and empties the counters of services that have recovered (SPEC-0007 REQ-6).
type count struct {
	streaks   map[string]int
	recovered []string
}

func (s count) do(_ context.Context, a *applying) error {
	for name, n := range s.streaks {
		a.file.Ensure(name).ConsecutiveHealthy = n
	}
	for _, name := range s.recovered {
		is := a.file.Ensure(name)
		is.Restarts, is.Redeployments = nil, nil
	}
	a.cleared = append(a.cleared, s.recovered...)
	return nil
}

// save writes an incident, and opens one that has no id. link says that the round's session works on it.
type save struct {
	incident store.Incident
	link     bool
}

func (s save) do(ctx context.Context, a *applying) (err error) {
	i := s.incident
	if i.ID == 0 {
		i.ID, err = a.Store.OpenIncident(ctx, i)
	} else {
		err = a.Store.SaveIncident(ctx, i)
	}
	if err == nil && s.link {
		err = a.Store.LinkSession(ctx, i.ID, a.session, "", "")
	}
	a.incidents[i.Service] = i
	return err
}

// under records the trouble of a service under the incident of the one that it depends on.
type under struct {
	cause, service string
	status         check.Status
}

func (s under) do(ctx context.Context, a *applying) error {
	return a.Store.AddDependent(ctx, a.incident(s.cause).ID, s.service, s.status, a.now.Now)
}

// note records an event. theID in its text is the incident of the service of.
type note struct {
	level             store.Level
	service, text, of string
}

func (s note) do(ctx context.Context, a *applying) error {
	text := strings.ReplaceAll(s.text, theID, strconv.FormatInt(a.incident(s.of).ID, 10))
	return a.event(ctx, s.level, a.session, s.service, text)
}

// attention tells in the cycle's summary that a human is needed.
type attention Attention

func (s attention) do(_ context.Context, a *applying) error {
	a.summary.addAttention(s.Service, s.Reason)
	return nil
}

// ask asks a human about a service.
type ask struct {
	service string
	notify.Attention
}

func (s ask) do(ctx context.Context, a *applying) error {
	return a.RequestAttention(ctx, a.about(s.service), s.Attention)
}

// down tells people that a service is down, before anything was done.
type down struct {
	service string
	works   bool // a tier works on it
	next    string
}

func (s down) do(ctx context.Context, a *applying) error {
	return a.Queue(ctx, notify.Down(a.about(s.service), s.works, s.next, a.Now()))
}

// recovered tells in the cycle's summary that an incident has ended.
type recovered struct{ incident store.Incident }

func (s recovered) do(_ context.Context, a *applying) error {
	i := s.incident
	a.summary.Recovered = append(a.summary.Recovered, Recovered{i.Service, i.ID, i.ClosedAt.Sub(i.OpenedAt).Milliseconds()})
	return nil
}

// wellAgain tells people that an incident has ended.
type wellAgain struct{ incident store.Incident }

func (s wellAgain) do(ctx context.Context, a *applying) error {
	effort, err := a.Store.IncidentEffort(ctx, s.incident)
	if err != nil {
		return err
	}
	return a.Queue(ctx, notify.Recovered(s.incident, effort))
}

// notReported tells people that an incident was closed because its service is no longer reported.
type notReported struct{ incident store.Incident }

func (s notReported) do(ctx context.Context, a *applying) error {
	worked, err := a.Store.IncidentAttempts(ctx, s.incident.ID)
	return errors.Join(err, a.Queue(ctx, notify.NotReported(s.incident, worked)))
}

// void ends a proposal that no longer fits. Whoever approved it is told.
type void struct {
	proposal store.Proposal
	why      string
}

func (s void) do(ctx context.Context, a *applying) error {
	err := a.EndProposal(ctx, s.proposal, store.ProposalVoid, s.why)
	if errors.Is(err, store.ErrNotFound) { // it was decided meanwhile
		return nil
	}
	if err != nil || s.proposal.Status == store.ProposalWaiting {
		return err
	}
	return a.Queue(ctx, notify.ApprovedEnded(s.proposal, "It did not run: "+s.why))
}

// endRun records how the run of a proposal ended, and tells people.
type endRun struct {
	proposal store.Proposal
	status   store.ProposalStatus
	outcome  string
}

func (s endRun) do(ctx context.Context, a *applying) error {
	of := s.proposal
	if err := a.Store.EndProposal(ctx, of.ID, of.Status, s.status, a.Redactor.String(s.outcome)); err != nil {
		return err
	}
	level := store.Info
	if s.status == store.ProposalFailed {
		level = store.Critical
		a.summary.addAttention(of.Service, fmt.Sprintf("proposal %d failed: %s", of.ID, s.outcome))
	}
	if err := a.event(ctx, level, a.session, of.Service, fmt.Sprintf("proposal %d %s: %s", of.ID, s.status, s.outcome)); err != nil {
		return err
	}
	return a.Queue(ctx, notify.ApprovedEnded(of, s.outcome))
}

// news tells people of something that is about no incident.
type news struct{ notify.News }

func (s news) do(ctx context.Context, a *applying) error { return a.Queue(ctx, s.News) }

// decided tells in the cycle's summary what was decided on further tiers.
type decided string

func (s decided) do(_ context.Context, a *applying) error {
	a.summary.Decisions = append(a.summary.Decisions, string(s))
	return nil
}

// keptFindings limits what an incident stores of one session, in characters, so that its history fits into a context.
const keptFindings = 4000

// link links the round's session to the open incidents of services, with what it found and tried so far.
type link struct {
	services            []string
	findings, attempted string
}

func (s link) do(ctx context.Context, a *applying) error {
	kept := func(s string) string { return text.Shorten(a.Redactor.String(s), keptFindings) }
	for _, name := range s.services {
		i := a.incident(name)
		if i.ID == 0 || i.ClosedAt != nil {
			continue
		}
		if err := a.Store.LinkSession(ctx, i.ID, a.session, kept(s.findings), kept(s.attempted)); err != nil {
			return err
		}
	}
	return nil
}

// storeHandoff stores a handoff in the record of its session.
type storeHandoff struct{ *handoff.Handoff }

func (s storeHandoff) do(ctx context.Context, a *applying) error {
	return a.keepHandoff(ctx, a.session, s.Handoff)
}

// storeRenewed is storeHandoff, with the cooldown data of the services as they are now.
type storeRenewed struct{ *handoff.Handoff }

func (s storeRenewed) do(ctx context.Context, a *applying) (err error) {
	if s.CooldownState, err = a.now.Cooldowns(s.ServicesAffected, nil); err != nil {
		return err
	}
	return storeHandoff(s).do(ctx, a)
}

// escalated marks the session of a tier as one that started the next.
type escalated struct{ session int64 }

func (s escalated) do(ctx context.Context, a *applying) error {
	for n, t := range a.summary.Tiers {
		if t.Session == s.session {
			a.summary.Tiers[n].Status = store.Escalated
		}
	}
	return a.Store.SetSessionStatus(ctx, s.session, store.Escalated)
}

// overBudget tells people that a tier was not started because the day's budget is spent.
func overBudget(now *state.State, tier int) []step {
	budget := now.Config.DailyBudgetUSD
	said := fmt.Sprintf("the last 24 h have cost CLAUDEOPS_DAILY_BUDGET_USD (%.2f): Tier %d was not started", budget, tier)
	return []step{attention{"", said}, news{notify.BudgetSpent(tier, budget, now.BudgetFrees, now.Inventory.HasChecks())}}
}

// remediated tells that a tier has fixed a service.
type remediated struct {
	service string
	by      *tierRun
	did     []store.Act
	told    bool
}

func (s remediated) do(ctx context.Context, a *applying) error {
	by := s.by.session
	a.summary.Remediated = append(a.summary.Remediated, Remediated{s.service, by.Tier, by.Agent, by.ID})
	if !s.told {
		return nil
	}
	by.Response = a.Redactor.String(s.by.claim) // redact before a sentence is extracted
	return a.Queue(ctx, notify.Remediated(a.about(s.service), by, s.did, a.Now()))
}

// noAid records why a service got no first aid, for the model and the human that are next: once in an incident, until the reason changes by
// more than its numbers and times.
type noAid struct {
	run     *tierRun // to which its first aid belongs, which is over in this cycle
	service string
	why     string // a clause
}

func (s noAid) do(ctx context.Context, a *applying) error {
	s.run.aided[s.service] = true
	message := a.Redactor.String("no first aid for " + s.service + ": " + s.why)
	i := a.incident(s.service)
	if i.ID != 0 {
		before, err := a.Store.IncidentAttempts(ctx, i.ID)
		if err != nil {
			return err
		}
		session, findings := a.session, message
		for _, b := range before {
			same := func(line string) bool { return check.WithoutNumbers(line) == check.WithoutNumbers(message) }
			if slices.ContainsFunc(strings.Split(b.Findings, "\n"), same) {
				return nil
			}
			switch {
			case b.Findings == "":
			case b.Session.ID > session: // first aid that was given before
				session, findings = b.Session.ID, b.Findings+"\n"+message
			case b.Session.ID == session:
				findings = message + "\n" + b.Findings // people are told its first line
			}
		}
		if err := a.Store.LinkSession(ctx, i.ID, session, findings, ""); err != nil {
			return err
		}
	}
	return a.event(ctx, store.Info, a.session, s.service, message)
}

package notify

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Limits of a message about a service.
const (
	maxFound    = 70 // characters of a check's error in a title; phones show only part of it
	maxListed   = 3  // checks, or sessions
	maxTries    = 5
	maxOutcome  = 100 // characters of the reason why an attempt failed
	maxAskedWhy = maxWhy * 2 / 3
)

// About is what a message says of a service: how it is now.
type About struct {
	Incident store.Incident // the open one; without one it has no id, and only the service
	Found    []check.Result // what is wrong with it, worst first, each error in a line without secrets
	Limits   []string       // what is left of them
	Recent   []Try          // what counts against them now
	Owner    string
	Listed   bool // in the services file; the name of any other may be a sender's or an agent's choice
	Quiet    bool // people asked for quiet about it
}

// fault returns what is worst with the service, in words; empty if nothing says so.
func (a About) fault() string {
	if len(a.Found) == 0 {
		return ""
	}
	return a.Found[0].Error
}

// head returns the first line of a message: how the service is, since when, and why.
func (a About) head(is string, now time.Time) string {
	head := a.Incident.Service + is
	if a.Incident.ID != 0 {
		head += since(a.Incident.OpenedAt, now) + a.Incident.Returned()
	}
	return strings.TrimSuffix(head+": "+a.fault(), ": ")
}

// titled returns a title with the reason, in short.
func (a About) titled(title string) string {
	short, _, _ := strings.Cut(a.fault(), " from http")
	return strings.TrimSuffix(title+": "+Clip(short, maxFound), ": ")
}

// owned returns facts with the owner of the service.
func (a About) owned(facts []string) []string {
	if a.Owner == "" {
		return facts
	}
	return append(facts, "owner: "+a.Owner)
}

// Attention is why a human is asked about a service; the zero value asks nobody. Its sentences have no full stop and do
// not name the service, so that several can share them.
type Attention struct {
	Cause Cause
	Why   string   // why only a human can continue
	Next  string   // what claudeops does next; may be empty
	Facts []string // beside those that About has
}

// Try is a remediation as recorded in cooldown.json.
type Try struct {
	Action   statefile.Action
	FirstAid bool // no model did it; its tier is that of the session
	statefile.Record
}

// News returns the request: what is broken, why a human is needed, and what was tried. agent is the session of the agent
// that asks, 0 for none. Its type is always failure: nothing else looks after the service.
func (a Attention) News(about About, effort store.Effort, agent int64, now time.Time) News {
	i, state := about.Incident, about.Incident.Status
	if i.ID == 0 && len(about.Found) > 0 {
		state = about.Found[0].Status
	}
	n := News{
		Kind: store.HumanAttention, Type: store.FailureMessage, Cause: a.Cause, Service: i.Service, Incident: i.ID, Title: i.Service,
	}
	switch a.Cause {
	case ModelFailed, BadHandoff, DryRun: // it must not replace the message about a chain that fails later
		n.Kind = store.AgentFailing
	}
	if state != "" {
		is := " is " + string(state)
		if a.Cause == Reminder {
			is = " is still " + string(state)
		}
		n.Title += is + " and"
		n.Body.Head = about.head(is, now)
	}
	n.Title = about.titled(n.Title + " " + attention)
	if n.Body.Why = a.Why; a.Next != "" {
		n.Body.Why = sentence(Clip(a.Why, maxAskedWhy)) + " " + a.Next
	}
	did := tried(tries(effort.Acts), about.Recent)
	n.Body.Facts = slices.Concat(
		sessionFacts(effort.Sessions), otherFaults(about.Found), a.Facts, triedFacts("tried: ", did))
	if len(did) > 0 || effort.Above.Sessions > 0 || a.Cause == LimitsUsedUp {
		n.Body.Facts = append(n.Body.Facts, about.Limits...)
	}
	n.Body.Facts = about.owned(n.Body.Facts)
	n.Body.Look, n.Body.Quiet = about.look(max(agent, effort.Above.Last)), quietCommand(i.Service)
	n.Body.Page = servicePage(i.Service)
	if i.ID != 0 {
		n.Body.Page = incidentPage(i.ID)
	}
	return n
}

// Down returns the news that a service is down, before anything was done, and what follows, as a sentence without its
// full stop: a failure, like a request for a human, or a warning if a tier works on it.
func Down(about About, works bool, next string, now time.Time) News {
	i, is := about.Incident, " is down"
	n := News{Kind: store.Down, Type: store.FailureMessage, Service: i.Service, Incident: i.ID, Title: about.titled(i.Service + is)}
	if works {
		n.Type = store.WarningMessage
	}
	n.Body = Body{
		Head: about.head(is, now), Why: next, Facts: about.owned(slices.Concat(otherFaults(about.Found), about.Limits)),
		Look: []string{showIncident(i.ID)}, Page: incidentPage(i.ID), Quiet: quietCommand(i.Service),
	}
	return n
}

// sessionFacts returns what the last sessions tried and found. What first aid did is among the remediations; why it is
// over may follow what it found.
func sessionFacts(sessions []store.IncidentSession) (facts []string) {
	for _, s := range sessions[max(0, len(sessions)-maxListed):] {
		told := [][2]string{{" found: ", finding(s.Findings)}, {" tried: ", text.Unlinked(s.Attempted)}}
		if s.Session.Agent == store.FirstAid {
			_, over, _ := strings.Cut(s.Findings, "\nno first aid ")
			told[1] = [2]string{" found: no first aid ", finding(over)}
		}
		for _, did := range told {
			if did[1] != "" {
				facts = append(facts, fmt.Sprintf("%s (session %d)", Worker(s.Session), s.Session.ID)+did[0]+did[1])
			}
		}
	}
	return facts
}

// Worker names who a session was, at the start of a sentence.
func Worker(s store.Session) string {
	if s.Agent == store.FirstAid {
		return "First aid"
	}
	return fmt.Sprintf("Tier %d", s.Tier)
}

// maxFinding limits an agent's finding, in characters.
const maxFinding = 200

// finding returns the first sentence of an agent's text, which may be a page of Markdown, without links.
func finding(said string) string {
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") || strings.Trim(line, "-=*_`|: ") == "" {
			continue
		}
		line = oneLine(strings.ReplaceAll(strings.TrimLeft(line, "-*>|+ "), "**", ""))
		if end := strings.Index(line, ". "); end > 0 {
			line = line[:end]
		}
		return text.Shorten(text.Unlinked(text.Shorten(strings.TrimSuffix(line, "."), maxFinding)), maxFinding)
	}
	return ""
}

// found returns the finding of the last session that has one.
func found(sessions []store.IncidentSession) string {
	for _, s := range slices.Backward(sessions) {
		if what := finding(s.Findings); what != "" {
			return what
		}
	}
	return ""
}

// look returns the commands that show more: the incident, and what the last agent did, whose session is 0 if there is
// none.
func (a About) look(session int64) (commands []string) {
	if a.Incident.ID != 0 {
		commands = append(commands, showIncident(a.Incident.ID))
	}
	switch {
	case session != 0:
		commands = append(commands, showCommands(session))
	case a.Incident.ID == 0:
		commands = append(commands, "claudeops cooldown show "+a.Incident.Service)
	}
	return commands
}

// otherFaults returns the checks after the first, which the head names.
func otherFaults(found []check.Result) (facts []string) {
	for n, r := range found[min(1, len(found)):] {
		if n == maxListed {
			return append(facts, fmt.Sprintf("… and %s more", text.Count(len(found)-1-n, "check")))
		}
		fact := string(r.Type) + " check"
		if r.Status != found[0].Status {
			fact += " " + string(r.Status)
		}
		facts = append(facts, strings.TrimSuffix(fact+": "+r.Error, ": "))
	}
	return facts
}

// triedFacts returns a line for each of the last attempts, and one for the earlier ones.
func triedFacts(prefix string, tried []Try) (facts []string) {
	before := max(0, len(tried)-maxTries)
	if before > 0 {
		facts = append(facts, prefix+text.Count(before, "remediation")+" before these:")
	}
	for _, t := range tried[before:] {
		facts = append(facts, prefix+t.words())
	}
	return facts
}

// words says what was done, when, by whom and with what outcome: "docker restart shop at … by Tier 2: succeeded".
func (t Try) words() string {
	what, by := string(t.Action), ""
	if t.ActionDetail != "" {
		what = Code(t.ActionDetail)
	}
	if t.FirstAid {
		by = " by first aid"
	} else if t.Tier != 0 {
		by = fmt.Sprintf(" by Tier %d", t.Tier)
	}
	outcome := store.OutcomeOf(t.Success, text.Unlinked(Clip(t.Error, maxOutcome)))
	return what + " at " + text.Moment(t.Timestamp) + by + ": " + outcome
}

// quietCommand returns the command for a person who works on a service; empty if the service's name is not a plain shell word.
func quietCommand(service string) string {
	if service == "list" || service == "end" || strings.HasPrefix(service, "-") || text.ShellWord(service) != service {
		return ""
	}
	return "claudeops silence " + service + " --for 2h"
}

// since describes when something began: " since 2026-11-21 14:00 UTC (2 h)".
func since(began, now time.Time) string {
	line := " since " + text.Moment(began)
	if lasts := now.Sub(began); lasts >= time.Minute {
		line += " (" + text.Duration(lasts) + ")"
	}
	return line
}

func showIncident(id int64) string { return fmt.Sprintf("claudeops incidents show %d", id) }

func showCommands(session int64) string {
	return fmt.Sprintf("claudeops sessions show %d --commands", session)
}

// tried returns the remediations of an incident and those that count now, each once, oldest first.
func tried(incident, recent []Try) []Try {
	known := map[string]bool{}
	for _, t := range incident {
		known[t.ID] = true
	}
	all := incident
	for _, t := range recent {
		if t.ID == "" || !known[t.ID] {
			all = append(all, t)
		}
	}
	slices.SortStableFunc(all, func(x, y Try) int { return x.Timestamp.Compare(y.Timestamp) })
	return all
}

// tries converts acts of sessions.
func tries(acts []store.Act) (tries []Try) {
	for _, a := range acts {
		tries = append(tries, Try{Action: a.Action, FirstAid: a.FirstAid, Record: a.Record()})
	}
	return tries
}

// Remediated returns the news that a tier remediated a service and its checks have been healthy since. did is what it did.
func Remediated(about About, by store.Session, did []store.Act, now time.Time) News {
	i, service := about.Incident, about.Incident.Service
	n := News{
		Kind: store.Remediated, Service: service, Incident: i.ID, Title: service + " remediated by " + strings.Replace(Worker(by), "F", "f", 1),
		Body: Body{Why: Worker(by) + " remediated " + service + ": its checks are healthy again", Page: sessionPage(by.ID)},
	}
	if what := finding(by.Response); what != "" && by.Agent != store.FirstAid { // it says what was done, as another line does
		n.Body.Facts = append(n.Body.Facts, "found: "+what)
	}
	if i.ID != 0 {
		n.Body.Facts = append(n.Body.Facts, "it was "+string(i.Status)+since(i.OpenedAt, now)+i.Returned())
		n.Body.Look, n.Body.Page = append(n.Body.Look, showIncident(i.ID)), incidentPage(i.ID)
	}
	session := fmt.Sprintf("session %d: %s", by.ID, text.Dollars(by.CostUSD))
	if by.EndedAt != nil {
		session += " in " + text.Duration(by.EndedAt.Sub(by.StartedAt))
	}
	n.Body.Facts = slices.Concat(n.Body.Facts, triedFacts("", tries(did)), []string{session}, about.Limits)
	n.Body.Look = append(n.Body.Look, showCommands(by.ID))
	return n
}

// Recovered returns the news that an incident is over: its duration, what was done about it, and the cost.
func Recovered(i store.Incident, effort store.Effort) News {
	did := tries(effort.Acts)
	n := News{Kind: store.Recovered, Service: i.Service, Incident: i.ID, Title: i.Service + " recovered"}
	if lasted := i.ClosedAt.Sub(i.OpenedAt); lasted >= time.Minute {
		n.Title += " after " + text.Duration(lasted)
	}
	n.Body = Body{
		Why: fmt.Sprintf("%s is healthy again, in %d cycles in a row. It was unwell %s%s",
			i.Service, statefile.HealthyToReset, text.Between(i.OpenedAt, *i.ClosedAt), i.Returned()),
		Look: []string{showIncident(i.ID)}, Page: incidentPage(i.ID),
	}
	if what := found(effort.Sessions); what != "" {
		n.Body.Facts = append(n.Body.Facts, "found: "+what)
	}
	n.Body.Facts = append(n.Body.Facts, triedFacts("", did)...)
	if len(did) == 0 {
		n.Body.Facts = append(n.Body.Facts, "by itself: it was neither restarted nor redeployed")
	}
	if above := effort.Above; above.Sessions > 0 {
		cost := fmt.Sprintf("%s above Tier 1: %s", text.Count(above.Sessions, "session"), text.Dollars(above.CostUSD))
		n.Body.Facts = append(n.Body.Facts, cost)
		n.Body.Look = append(n.Body.Look, showCommands(above.Last))
	}
	return n
}

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

// Attention is the content of a request for a human about one service: what is broken, why only a human can continue, and what was tried.
type Attention struct {
	About
	Lasts  bool   // unchanged since people were last asked
	Hiccup bool   // a single failure or a rehearsal: it must not replace the message about a chain that fails later
	Why    string // a sentence without its full stop and without the service's name, so that several can share it
	Next   string // what claudeops does next, in the same form; may be empty
	Facts  []string
	UsedUp bool // a limit is the reason
	store.Effort
	Agent int64 // the session of the agent that asks; 0 means none
	Now   time.Time
}

// Try is a remediation as recorded in cooldown.json.
type Try struct {
	Action   statefile.Action
	FirstAid bool // no model did it; its tier is that of the session
	statefile.Record
}

// News returns the request. Its type is always failure: nothing else looks after the service.
func (a Attention) News() News {
	i, state, found := a.Incident, a.Incident.Status, ""
	if len(a.Found) > 0 {
		found = a.Found[0].Error
		if i.ID == 0 {
			state = a.Found[0].Status
		}
	}
	n := News{Kind: store.HumanAttention, Type: Failure, Service: i.Service, Incident: i.ID, Title: i.Service}
	if a.Hiccup {
		n.Kind = store.AgentFailing
	}
	if state != "" {
		is := " is " + string(state)
		if a.Lasts {
			is = " is still " + string(state)
		}
		n.Title += is + " and"
		n.Body.Head = i.Service + is
		if i.ID != 0 {
			n.Body.Head += since(i.OpenedAt, a.Now) + i.Returned()
		}
		if found != "" {
			n.Body.Head += ": " + found
		}
	}
	n.Title += " " + attention
	if found != "" {
		short, _, _ := strings.Cut(found, " from http")
		n.Title += ": " + Clip(short, maxFound)
	}
	if n.Body.Why = a.Why; a.Next != "" {
		n.Body.Why = sentence(Clip(a.Why, maxAskedWhy)) + " " + a.Next
	}
	did := tried(tries(a.Acts), a.Recent)
	n.Body.Facts = slices.Concat(sessionFacts(a.Sessions), otherFaults(a.Found), a.Facts, triedFacts("tried: ", did))
	if len(did) > 0 || a.Above.Sessions > 0 || a.UsedUp {
		n.Body.Facts = append(n.Body.Facts, a.Limits...)
	}
	if a.Owner != "" {
		n.Body.Facts = append(n.Body.Facts, "owner: "+a.Owner)
	}
	n.Body.Look, n.Body.Quiet, n.Body.Page = a.look(), quietCommand(i.Service), servicePage(i.Service)
	if i.ID != 0 {
		n.Body.Page = incidentPage(i.ID)
	}
	return n
}

// Down is the content of a message about a service that is down, before anything was done.
type Down struct {
	About
	Works bool   // a tier already works on it
	Next  string // what follows, as a sentence without its full stop
	Now   time.Time
}

// News returns a failure, like a request for a human, or a warning if a tier works on it.
func (d Down) News() News {
	i := d.Incident
	n := News{Kind: store.Down, Type: Failure, Service: i.Service, Incident: i.ID, Title: i.Service + " is down"}
	if d.Works {
		n.Type = Warning
	}
	n.Body = Body{
		Head: i.Service + " is down" + since(i.OpenedAt, d.Now) + i.Returned(), Why: d.Next, Facts: slices.Concat(otherFaults(d.Found), d.Limits),
		Look: []string{showIncident(i.ID)}, Page: incidentPage(i.ID), Quiet: quietCommand(i.Service),
	}
	if len(d.Found) > 0 && d.Found[0].Error != "" {
		n.Body.Head += ": " + d.Found[0].Error
		short, _, _ := strings.Cut(d.Found[0].Error, " from http")
		n.Title += ": " + Clip(short, maxFound)
	}
	if d.Owner != "" {
		n.Body.Facts = append(n.Body.Facts, "owner: "+d.Owner)
	}
	return n
}

// sessionFacts returns what the last sessions tried and found. What first aid did is among the remediations.
func sessionFacts(sessions []store.IncidentSession) (facts []string) {
	for _, s := range sessions[max(0, len(sessions)-maxListed):] {
		for _, did := range [][2]string{{" found: ", finding(s.Findings)}, {" tried: ", text.Unlinked(s.Attempted)}} {
			if did[1] != "" && !(s.Session.Agent == store.FirstAid && did[0] == " tried: ") {
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

// look returns the commands that show more: the incident, and what the last agent did.
func (a Attention) look() (commands []string) {
	if a.Incident.ID != 0 {
		commands = append(commands, showIncident(a.Incident.ID))
	}
	switch session := max(a.Agent, a.Above.Last); {
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

// triedFacts returns a line for each of the last attempts, with equal consecutive ones combined, and one for the earlier ones.
func triedFacts(prefix string, tried []Try) (facts []string) {
	type line struct {
		what, outcome string
		tries         []Try
	}
	var lines []line
	for _, t := range tried {
		what, outcome := t.words()
		if last := len(lines) - 1; last < 0 || lines[last].what != what || lines[last].outcome != outcome {
			lines = append(lines, line{what, outcome, nil})
		}
		last := &lines[len(lines)-1]
		last.tries = append(last.tries, t)
	}
	first, before := max(0, len(lines)-maxTries), 0
	for _, l := range lines[:first] {
		before += len(l.tries)
	}
	if before > 0 {
		facts = append(facts, prefix+text.Count(before, "remediation")+" before these:")
	}
	for _, l := range lines[first:] {
		when := text.Between(l.tries[0].Timestamp, l.tries[len(l.tries)-1].Timestamp)
		if many := len(l.tries); many > 1 {
			when = text.Count(many, "time") + ", " + when
		}
		facts = append(facts, prefix+l.what+" "+when+l.outcome)
	}
	return facts
}

// words describes what was done, by whom and the outcome: "docker restart shop", " by Tier 2: succeeded".
func (t Try) words() (what, outcome string) {
	what, outcome = string(t.Action), ": "+store.OutcomeOf(t.Success, text.Unlinked(Clip(t.Error, maxOutcome)))
	if t.ActionDetail != "" {
		what = Code(t.ActionDetail)
	}
	if t.FirstAid {
		outcome = " by first aid" + outcome
	} else if t.Tier != 0 {
		outcome = fmt.Sprintf(" by Tier %d", t.Tier) + outcome
	}
	return what, outcome
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

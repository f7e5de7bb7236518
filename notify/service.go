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

// Bounds of a message about a service.
const (
	maxFound    = 70 // characters of what a check says, in a title, of which a phone shows a part
	maxListed   = 3  // checks, or sessions
	maxTries    = 5
	maxOutcome  = 100 // characters of why a try failed
	maxAskedWhy = maxWhy * 2 / 3
)

// Attention is what a request for a human says about one service: what is broken, why nothing but a human goes on, what was tried.
type Attention struct {
	Incident store.Incident // with the service alone where there is none
	Found    []check.Result // those of its last checks that are not healthy, the worst first
	Lasts    bool           // it is as it was when people were last asked
	Hiccup   bool           // or a rehearsal: it must not use up the message on a chain that fails later
	Why      string         // a sentence without its full stop that does not name the service: many may share it
	Next     string         // what claudeops does next about it, likewise; may be empty
	Facts    []string
	Tried    []Try
	Limits   []string // where they are
	Owner    string
	Sessions []store.IncidentSession
	Agent    int64 // the session of the agent that asks; 0 is none
	Now      time.Time
}

// Try is a remediation as cooldown.json has it, or would.
type Try struct {
	Action statefile.Action
	statefile.Record
}

// News is the request. Its type is failure whatever its kind: nothing looks after the service.
func (a Attention) News() News {
	i, found := a.Incident, ""
	if len(a.Found) > 0 {
		found = a.Found[0].Error
	}
	state := ""
	switch {
	case a.Lasts:
		state = "still " + string(i.Status)
	case i.ID != 0:
		state = string(i.Status)
	case len(a.Found) > 0:
		state = string(a.Found[0].Status)
	}
	n := News{Kind: store.HumanAttention, Type: Failure, Service: i.Service, Incident: i.ID, Title: i.Service}
	if a.Hiccup {
		n.Kind = store.AgentFailing
	}
	if state != "" {
		n.Title += " is " + state + " and"
		n.Body.Head = i.Service + " is " + state
		if i.ID != 0 {
			n.Body.Head += strings.TrimPrefix(since(i, a.Now), string(i.Status))
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
	n.Body.Facts = slices.Concat(otherFaults(a.Found), a.Facts, triedFacts("tried: ", a.Tried), a.Limits)
	if a.Owner != "" {
		n.Body.Facts = append(n.Body.Facts, "owner: "+a.Owner)
	}
	session := a.Agent
	for _, s := range a.Sessions {
		if s.Session.Tier > 1 {
			session = max(session, s.Session.ID)
		}
	}
	for _, s := range a.Sessions[max(0, len(a.Sessions)-maxListed):] {
		who := fmt.Sprintf("Tier %d (session %d)", s.Session.Tier, s.Session.ID)
		if s.Attempted != "" {
			n.Body.Facts = append(n.Body.Facts, who+" tried: "+s.Attempted)
		}
		if s.Findings != "" {
			n.Body.Facts = append(n.Body.Facts, who+" found: "+s.Findings)
		}
	}
	if i.ID != 0 {
		n.Body.Look = append(n.Body.Look, showIncident(i.ID))
	}
	switch {
	case session != 0:
		n.Body.Look = append(n.Body.Look, showCommands(session))
	case i.ID == 0:
		n.Body.Look = append(n.Body.Look, "claudeops cooldown show "+i.Service)
	}
	n.Body.Quiet = quietCommand(i.Service)
	return n
}

// otherFaults are the checks behind the first, which the head names.
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

// triedFacts has a line for each of the last tries, and one for those before.
func triedFacts(prefix string, tried []Try) (facts []string) {
	first := max(0, len(tried)-maxTries)
	if first > 0 {
		facts = append(facts, prefix+text.Count(first, "remediation")+" before these:")
	}
	for _, t := range tried[first:] {
		what, by, outcome := string(t.Action), "", "succeeded"
		if t.ActionDetail != "" {
			what = Code(t.ActionDetail)
		}
		if t.Tier != 0 {
			by = fmt.Sprintf(" by Tier %d", t.Tier)
		}
		if !t.Success {
			outcome = strings.TrimSuffix("failed: "+Clip(t.Error, maxOutcome), ": ")
		}
		facts = append(facts, prefix+what+" at "+text.Moment(t.Timestamp.Time)+by+": "+outcome)
	}
	return facts
}

// quietCommand is the command for whoever works on a service; empty where a shell would read its name differently.
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
func since(i store.Incident, now time.Time) string {
	line := fmt.Sprintf("%s since %s", i.Status, text.Moment(i.OpenedAt))
	if lasts := now.Sub(i.OpenedAt); lasts >= time.Minute {
		line += " (" + text.Duration(lasts) + ")"
	}
	return line + i.Returned()
}

func showIncident(id int64) string { return fmt.Sprintf("claudeops incidents show %d", id) }

func showCommands(session int64) string {
	return fmt.Sprintf("claudeops sessions show %d --commands", session)
}

// Remediated says that a tier remediated a service, which its checks find healthy since. An incident of ID 0 is none.
func Remediated(service string, i store.Incident, by store.Session, did []Try, limits []string, now time.Time) News {
	n := News{
		Kind: store.Remediated, Service: service, Incident: i.ID, Title: fmt.Sprintf("%s remediated by Tier %d", service, by.Tier),
		Body: Body{Why: fmt.Sprintf("Tier %d remediated %s: its checks are healthy again", by.Tier, service)},
	}
	if i.ID != 0 {
		n.Body.Facts = append(n.Body.Facts, "it was "+since(i, now))
		n.Body.Look = append(n.Body.Look, showIncident(i.ID))
	}
	session := fmt.Sprintf("session %d: %s", by.ID, text.Dollars(by.CostUSD))
	if by.EndedAt != nil {
		session += " in " + text.Duration(by.EndedAt.Sub(by.StartedAt))
	}
	n.Body.Facts = slices.Concat(n.Body.Facts, triedFacts("", did), []string{session}, limits)
	n.Body.Look = append(n.Body.Look, showCommands(by.ID))
	return n
}

// Recovered says that an incident is over: how long it lasted, what was done about it, and what that cost.
func Recovered(i store.Incident, effort store.Effort, did []Try) News {
	n := News{Kind: store.Recovered, Service: i.Service, Incident: i.ID, Title: i.Service + " recovered"}
	if lasted := i.ClosedAt.Sub(i.OpenedAt); lasted >= time.Minute {
		n.Title += " after " + text.Duration(lasted)
	}
	n.Body = Body{
		Why: fmt.Sprintf("%s is healthy again, in %d cycles in a row. It was unwell %s%s",
			i.Service, statefile.HealthyToReset, text.Between(i.OpenedAt, *i.ClosedAt), i.Returned()),
		Facts: triedFacts("", did), Look: []string{showIncident(i.ID)},
	}
	if len(did) == 0 {
		n.Body.Facts = append(n.Body.Facts, "by itself: it was neither restarted nor redeployed")
	}
	if effort.Sessions > 0 {
		n.Body.Facts = append(n.Body.Facts, fmt.Sprintf("%s above Tier 1: %s", text.Count(effort.Sessions, "session"), text.Dollars(effort.CostUSD)))
		n.Body.Look = append(n.Body.Look, showCommands(effort.Last))
	}
	return n
}

package notify

import (
	"fmt"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

// The news in this file is about the monitoring itself, which has no incident.

// TierFails returns the news that Tier 1 failed in its last sessions, newest first. probed means that the program's own
// checks ran in its place.
func TierFails(last []store.Session, probed bool) News {
	n := News{Kind: store.AgentFailing, Cause: "nothing_watches", Type: store.FailureMessage, Title: "claudeops cannot watch"}
	watching := "nothing is being watched"
	if probed {
		n.Cause, n.Type = TierFailed, store.WarningMessage
		n.Title = fmt.Sprintf("The agent of claudeops failed in %d cycles in a row", len(last))
		watching = "the program's own checks watch in its place, and nothing is investigated"
	}
	n.Body = Body{
		Why:  fmt.Sprintf("Tier 1 failed in the last %d cycles: %s", len(last), watching),
		Look: []string{"claudeops doctor", fmt.Sprintf("claudeops sessions show %d", last[0].ID)},
	}
	for _, s := range last {
		how := strings.TrimSuffix(strings.ReplaceAll(string(s.Status), "_", " ")+": "+s.Error, ": ")
		n.Body.Facts = append(n.Body.Facts, fmt.Sprintf("session %d at %s: %s", s.ID, text.Moment(s.StartedAt), how))
	}
	return n
}

// NothingSaid returns the news that Tier 1's model ended without a result, and what it said instead, without links.
func NothingSaid(session int64, said string) News {
	n := News{Kind: store.AgentFailing, Cause: "nothing_is_said", Type: store.FailureMessage, Title: "Tier 1 reported nothing"}
	n.Body = Body{
		Why:  "Tier 1 ended without a valid report, so nothing is known of services without checks in the services file",
		Look: []string{fmt.Sprintf("claudeops sessions show %d", session)}, Page: sessionPage(session),
	}
	if said != "" {
		n.Body.Facts = []string{"its words, which start nothing: " + said}
	}
	return n
}

// NotReported returns the news that an incident was closed because nothing reports its service any more, and what was
// found and tried.
func NotReported(i store.Incident, worked []store.IncidentSession) News {
	n := News{
		Kind: store.AgentFailing, Cause: Cause(fmt.Sprintf("not_reported: %d", i.ID)), Service: i.Service,
		Title: i.Service + " is no longer reported",
	}
	n.Body = Body{
		Head:  fmt.Sprintf("%s is no longer reported: incident %d is closed", i.Service, i.ID),
		Why:   "Whether it is well is not known. If it is still there, give it checks in the services file",
		Facts: append(sessionFacts(worked), fmt.Sprintf("it was last found %s at %s", i.Status, text.Moment(i.LastSeenAt))),
		Look:  []string{showIncident(i.ID)}, Page: incidentPage(i.ID),
	}
	return n
}

// BudgetSpent returns the news that a tier was not started, and when the budget frees up. frees is zero if that is
// unknown.
func BudgetSpent(tier int, budget float64, frees time.Time, probed bool) News {
	body := Body{
		Why: fmt.Sprintf("The last 24 h have cost CLAUDEOPS_DAILY_BUDGET_USD (%s): Tier %d was not started",
			text.Dollars(budget), tier),
		Look: []string{"claudeops sessions list"}, Page: "/sessions",
	}
	if !frees.IsZero() {
		body.Facts = append(body.Facts, "models start again after "+text.Moment(frees)+", or with a larger budget")
	}
	if probed {
		body.Facts = append(body.Facts, "the program's own checks go on")
	}
	return News{Kind: store.HumanAttention, Cause: NoBudget, Title: "The day's budget is spent", Body: body}
}

// AlertsLost returns the news that alerts of other programs were not kept because too many fire, and why.
func AlertsLost(why string) News {
	return News{
		Kind: store.AgentFailing, Cause: "alerts_lost", Type: store.FailureMessage, Title: "Alerts are lost: too many fire",
		Body: Body{
			Why:   "Alerts that other programs sent were " + text.Unlinked(why), // names are the senders' choice
			Facts: []string{"their senders got an error; there is room again when alerts that fire have ended"},
			Look:  []string{"claudeops status"},
		},
	}
}

// CycleHangs returns the news that a cycle has been running for too long, and why.
func CycleHangs(by statedir.Holder, why string) News {
	return News{
		Kind: store.AgentFailing, Cause: Cause(fmt.Sprintf("cycle_hangs: %d", by.PID)), Type: store.FailureMessage,
		Title: "A cycle hangs: nothing is watched",
		Body: Body{
			Why:   capital(why) + ": until it ends no other cycle starts, and nothing is watched",
			Facts: append(by.Remedies(), "the next cycle recovers what it leaves"), Look: []string{"claudeops doctor"},
		},
	}
}

// NotStarted returns the news that the set-up is at fault, so that no cycle starts, and what is wrong first.
func NotStarted(why string) News {
	return News{
		Kind: store.AgentFailing, Cause: "not_started", Type: store.FailureMessage,
		Title: "claudeops does not start: nothing is watched",
		Body:  Body{Why: capital(why), Look: []string{"claudeops doctor"}},
	}
}

// DatabaseSetAside returns the news that a new database is in the place of an unusable one, with the reason and what
// that means.
func DatabaseSetAside(why string, facts []string) News {
	return News{
		Kind: store.HumanAttention, Cause: UnusableDatabase, Title: capital(why),
		Body: Body{
			Why: capital(why) + ". A new one is in its place, and watching goes on", Facts: facts,
			Look: []string{"claudeops events"},
		},
	}
}

// CooldownRemade returns the news that cooldown.json was corrupt or missing, with what became of it.
func CooldownRemade(said string) News {
	return News{
		Kind: store.HumanAttention, Cause: "remade_cooldown", Title: "cooldown.json was made anew",
		Body: Body{Why: said, Look: []string{"claudeops cooldown show", "claudeops events"}},
	}
}

// InvalidHandoff returns the news that a tier's handoff was invalid.
func InvalidHandoff(tier int, session int64, faults []string) News {
	return News{
		Kind: store.HumanAttention, Cause: BadHandoff,
		Title: fmt.Sprintf("Tier %d left an invalid handoff", tier),
		Body: Body{
			Why:   fmt.Sprintf("Tier %d asked for the next tier in a form that could not be read, so no further tier was started", tier),
			Facts: faults, Look: []string{fmt.Sprintf("claudeops sessions show %d", session)}, Page: sessionPage(session),
		},
	}
}

// RecordsErased returns the news that a session's agent removed or altered records in its copy of cooldown.json; what
// names them.
func RecordsErased(session int64, what string) News {
	return News{
		Kind: store.HumanAttention, Cause: "erased_records", Title: "An agent tampered with cooldown records",
		Body: Body{
			Why: "An agent removed or altered records in its copy of cooldown.json, which changes nothing", Facts: []string{what},
			Look: []string{showCommands(session), fmt.Sprintf("claudeops events --session %d", session)}, Page: sessionPage(session),
		},
	}
}

// CannotCheck returns the news that checks cannot be made for one reason, and what is not monitored because of it.
// service is empty if there are several.
func CannotCheck(cause Cause, service string, checks []check.Result, why string) News {
	title, names := CannotCheckTitle(checks)
	return News{
		Kind: store.AgentFailing, Cause: cause, Service: service, Title: title,
		Body: Body{
			Head: title, Why: capital(why),
			Facts: []string{
				"not watched: " + text.Few(names, 10),
				"nothing is known of these services by these checks, so nothing is done about them",
			},
			Look: []string{"claudeops doctor", "claudeops probe"},
		},
	}
}

// CannotCheckTitle returns the title of CannotCheck, and the checks by name: "shop (http)".
func CannotCheckTitle(checks []check.Result) (title string, names []string) {
	for _, r := range checks {
		names = append(names, fmt.Sprintf("%s (%s)", r.Service, r.Type))
	}
	if len(names) == 1 {
		return names[0] + " cannot be checked", names
	}
	return text.Count(len(checks), "check") + " cannot be made", names
}

// AgentRequest returns the news that an agent asks a human for something, about no single service.
func AgentRequest(tier int, session int64, why string) News {
	return News{
		Kind: store.HumanAttention, Cause: AgentAsks, Type: store.FailureMessage,
		Title: fmt.Sprintf("Tier %d asks for a human", tier),
		Body:  Body{Why: why, Look: []string{fmt.Sprintf("claudeops sessions show %d", session)}, Page: sessionPage(session)},
	}
}

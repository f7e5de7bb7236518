package notify

import (
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// maxCommand limits the command in a message, in characters.
const maxCommand = 240

// Proposed returns the question whether a proposal may run, whose command is as a shell would take it. It names the
// commands that answer it; a link for each target is added when the message is sent.
func Proposed(about About, asks store.Proposal, command string) News {
	i := about.Incident
	n := News{
		Kind: store.AskApproval, Service: asks.Service, Incident: i.ID, Proposal: asks.ID, Title: ProposalTitle(asks),
	}
	if i.ID != 0 {
		n.Body.Head = about.head(" is "+string(i.Status), asks.CreatedAt)
	}
	look := fmt.Sprintf("claudeops proposals show %d", asks.ID)
	wanted, answer := ticked(command), fmt.Sprintf("yes: `claudeops approve %d`; no: `claudeops reject %d`", asks.ID, asks.ID)
	if utf8.RuneCountInString(command) > maxCommand { // nobody says yes to half of it
		wanted, answer = "a command too long for a message", "read it before you answer: `"+look+"`"
	}
	n.Body.Why = fmt.Sprintf("Tier %d wants to run %s. It waits for your answer until %s; without one it does not run, and the service stays as it is",
		asks.Tier, wanted, text.Moment(asks.ExpiresAt))
	n.Body.Facts = []string{answer}
	if asks.Reason != "" {
		n.Body.Facts = append(n.Body.Facts, fmt.Sprintf("the agent says: “%s”", text.Unlinked(asks.Reason)))
	}
	n.Body.Facts = append(n.Body.Facts, otherFaults(about.Found)...)
	counts := "it counts as a " + string(asks.Action) + " of " + asks.Service
	if asks.Action == store.ProposedAsk || asks.Action == statefile.Other {
		counts = "it counts toward the day's remediations of " + asks.Service + " alone"
	}
	n.Body.Facts = about.owned(append(append(n.Body.Facts, counts), about.Limits...))
	n.Body.Look, n.Body.Page = []string{look}, ProposalPage(asks.ID)
	return n
}

// ProposalTitle returns the question that a proposal asks: "shop: may Tier 2 restart it?".
func ProposalTitle(p store.Proposal) string {
	if p.Service == "" {
		return fmt.Sprintf("May Tier %d run a command?", p.Tier)
	}
	what := "run a command for it"
	switch p.Action {
	case statefile.Restart:
		what = "restart it"
	case statefile.Redeployment:
		what = "redeploy it"
	case statefile.Other:
		what = "do an action of it"
	}
	return fmt.Sprintf("%s: may Tier %d %s?", p.Service, p.Tier, what)
}

// ProposalPage returns the dashboard page of a proposal.
func ProposalPage(id int64) string { return fmt.Sprintf("/proposals/%d", id) }

// ApprovedEnded returns the news of what came of a proposal that people had approved. what is a sentence without its full stop.
func ApprovedEnded(p store.Proposal, what string) News {
	n := News{Kind: store.Message, Service: p.Service, Title: fmt.Sprintf("Proposal %d", p.ID)}
	if p.Service != "" {
		n.Title += " about " + p.Service
	}
	n.Title += " has ended"
	n.Body = Body{Why: capital(what), Look: []string{fmt.Sprintf("claudeops proposals show %d", p.ID)}, Page: ProposalPage(p.ID)}
	return n
}

// ProposalState describes the phase of a proposal: "approved at 2026-03-01 12:00 UTC (command, by root)".
func ProposalState(p store.Proposal) string {
	state := string(p.Status)
	if p.DecidedAt != nil {
		if p.Status != store.ProposalApproved && p.Status != store.ProposalRejected {
			state += ", approved"
		}
		state += fmt.Sprintf(" at %s (%s)", text.Moment(*p.DecidedAt), p.DecidedBy)
	} else if p.Status == store.ProposalWaiting {
		state += " until " + text.Moment(p.ExpiresAt)
	} else if p.Status == store.ProposalExpired {
		state += " at " + text.Moment(p.ExpiresAt)
	}
	if p.Outcome != "" {
		state += ": " + p.Outcome
	}
	return state
}

// ProposalAt returns a proposal as it is at a time: the next cycle notes that one has expired.
func ProposalAt(p store.Proposal, now time.Time) store.Proposal {
	if p.Status == store.ProposalWaiting && !now.Before(p.ExpiresAt) {
		p.Status, p.Outcome = store.ProposalExpired, "nobody answered"
	}
	return p
}

// ProposalWaits says of a waiting proposal that it waits, as the reason why no tier starts.
func ProposalWaits(p store.Proposal) string {
	return fmt.Sprintf("proposal %d waits for a person until %s", p.ID, text.Moment(p.ExpiresAt))
}

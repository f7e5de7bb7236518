package records

import (
	"context"
	"fmt"
	"slices"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// mostTold bounds each list in a request.
const mostTold = 3

// story is what was done to a service, in the incident or within the windows, and then, or where limits are what it is about, where
// they stand.
func (l Limits) story(ctx context.Context, service string, acts []store.Act, limited bool) (facts []string, err error) {
	restart, redeployment, err := l.Both(ctx, service)
	if err != nil {
		return nil, err
	}
	tries := l.tries(acts)
	of := map[string]bool{}
	for _, t := range tries {
		of[t.ID] = true
	}
	for _, action := range statefile.Actions() {
		for _, r := range l.within(service, action) {
			if r.ID == "" || !of[r.ID] {
				tries = append(tries, try{action, r})
			}
		}
	}
	if len(tries) == 0 && !limited {
		return nil, nil
	}
	slices.SortStableFunc(tries, func(x, y try) int { return x.Timestamp.Compare(y.Timestamp.Time) })
	return append(tryWords("tried: ", tries), restart.told(), redeployment.told()), nil
}

// try is a remediation as cooldown.json has it, or would.
type try struct {
	action statefile.Action
	statefile.Record
}

// tries are acts with the commands that cooldown.json has of them.
func (l Limits) tries(acts []store.Act) (tries []try) {
	for _, a := range acts {
		t := try{a.Action, a.Record()}
		for _, known := range l.State.Service(a.Service).Records(a.Action) {
			if known.ID == a.ID {
				t.ActionDetail = known.ActionDetail
			}
		}
		tries = append(tries, t)
	}
	return tries
}

// tryWords are a line for each of the last tries, and one for those before.
func tryWords(prefix string, tries []try) (facts []string) {
	first := max(0, len(tries)-maxTried)
	if first > 0 {
		facts = append(facts, prefix+Counted(first, "remediation")+" before these:")
	}
	for _, t := range tries[first:] {
		what := string(t.action)
		if t.ActionDetail != "" {
			what = code(t.ActionDetail)
		}
		facts = append(facts, prefix+what+" at "+Moment(t.Timestamp.Time)+byTier(t.Tier)+": "+outcomeWords(t.Success, t.Error))
	}
	return facts
}

func byTier(tier int) string {
	if tier == 0 {
		return ""
	}
	return fmt.Sprintf(" by Tier %d", tier)
}

func outcomeWords(success bool, fault string) string {
	switch {
	case success:
		return "succeeded"
	case fault == "":
		return "failed"
	}
	return "failed: " + Clip(fault, maxFact/3)
}

// attempts are what the last sessions of an incident found and tried.
func attempts(sessions []store.IncidentSession) (facts []string) {
	for _, s := range sessions[max(0, len(sessions)-mostTold):] {
		who := fmt.Sprintf("Tier %d (session %d)", s.Session.Tier, s.Session.ID)
		if s.Attempted != "" {
			facts = append(facts, who+" tried: "+s.Attempted)
		}
		if s.Findings != "" {
			facts = append(facts, who+" found: "+s.Findings)
		}
	}
	return facts
}

// look are the commands that show more of an incident and of the session that worked on it last.
func (b *Records) look(i store.Incident, sessions []store.IncidentSession) (commands []string) {
	if i.ID != 0 {
		commands = append(commands, fmt.Sprintf("claudeops incidents show %d", i.ID))
	}
	session := b.Config.Agent.SessionID
	for _, s := range sessions {
		if s.Session.Tier > 1 {
			session = max(session, s.Session.ID)
		}
	}
	switch {
	case session != 0:
		commands = append(commands, showCommands(session))
	case i.ID == 0:
		commands = append(commands, "claudeops cooldown show "+i.Service)
	}
	return commands
}

func showCommands(session int64) string {
	return fmt.Sprintf("claudeops sessions show %d --commands", session)
}

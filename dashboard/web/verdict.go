package web

import (
	"fmt"
	"slices"

	"github.com/dustin/go-humanize/english"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/store"
)

// A judgement is the verdict in words.
type judgement struct{ State, Icon, Class, Text string }

// verdict says in one line whether everything is all right, and what is being done where it is not.
func verdict(v view, o *dashboard.Overview) judgement {
	l := looks[string(o.Verdict)]
	j := judgement{State: string(o.Verdict), Icon: l.icon, Class: l.class}
	switch o.Verdict {
	case dashboard.NeedsHuman:
		j.Text = needsHuman(o)
	case dashboard.Trouble:
		j.Text = trouble(o)
	case dashboard.Unwatched:
		j.Text = unwatched(v, o)
	default:
		j.Text = allWell(o.Counts)
	}
	if o.Verdict == dashboard.Trouble && slices.ContainsFunc(o.Incidents, func(i dashboard.IncidentLine) bool { return i.Status == check.Down }) {
		j.Icon, j.Class = "bad", "bad"
	}
	return j
}

// unwatched says why nothing is known, or too little.
func unwatched(v view, o *dashboard.Overview) string {
	healthy, unknown := o.Counts[string(check.Healthy)], o.Counts[string(check.Unknown)]
	switch {
	case o.StaleSince != nil:
		return "The watch has stopped: the last cycle ended " + relative(v.Now, *o.StaleSince)
	case o.LastCycle == nil && atWork(o) != nil:
		return "The first cycle is running"
	case o.LastCycle == nil:
		return "No cycle has run yet"
	case healthy > 0:
		return fmt.Sprintf("%d of %d services %s no result of the last day", unknown, healthy+unknown, english.PluralWord(unknown, "has", "have"))
	case unknown == 1:
		return "The one service has no result of the last day"
	case unknown > 1:
		return fmt.Sprintf("None of the %d services has a result of the last day", unknown)
	}
	return "No service is known yet"
}

func allWell(counts map[string]int) string {
	healthy, unknown := counts[string(check.Healthy)], counts[string(check.Unknown)]
	switch {
	case healthy == 0:
		return "Nothing is known to be wrong"
	case unknown > 0:
		return fmt.Sprintf("%d of %d services %s healthy, the rest was not checked", healthy, healthy+unknown, english.PluralWord(healthy, "is", "are"))
	case healthy == 1:
		return "The one service is healthy"
	}
	return fmt.Sprintf("All %d services are healthy", healthy)
}

func needsHuman(o *dashboard.Overview) string {
	things := len(o.Attention)
	switch {
	case things == 1 && o.Attention[0].Service != "":
		return clip(maxName, o.Attention[0].Service) + " needs you"
	case things <= 1:
		return "The watch itself needs you"
	}
	return fmt.Sprintf("%d things need you", things)
}

// trouble names what is not healthy, and who is at it.
func trouble(o *dashboard.Overview) string {
	var unwell []string
	state := ""
	again := 0
	for _, incident := range o.Incidents {
		if incident.State == store.IncidentRecovering {
			again++
			continue
		}
		unwell = append(unwell, clip(maxName, incident.Service))
		state = string(incident.Status)
	}
	if len(unwell) == 0 {
		for _, service := range o.Services {
			if service.Status.Worse(check.Healthy) {
				unwell = append(unwell, clip(maxName, service.Name))
				state = string(service.Status)
			}
		}
	}
	total := max(len(unwell), o.OpenIncidents-again)
	text := "Something is not healthy"
	switch {
	case len(unwell) == 0 && again > 0:
		text = "What was not healthy is healthy again"
	case total == 1 && len(unwell) == 1:
		text = unwell[0] + " is " + state
	case total == 2 && len(unwell) == 2:
		text = unwell[0] + " and " + unwell[1] + " are not healthy"
	case len(unwell) > 0:
		text = fmt.Sprintf("%s and %d more are not healthy", unwell[0], total-1)
	}
	switch session := atWork(o); {
	case session != nil:
		text += fmt.Sprintf("; Tier %d is at it", session.Tier)
	case len(o.Incidents) == 1 && o.Incidents[0].Held != "":
		text += "; " + clip(maxName, o.Incidents[0].Held)
	}
	return text
}

// atWork is the session of the highest tier that is running; nil where none is.
func atWork(o *dashboard.Overview) (highest *store.Session) {
	for i, running := range o.Running {
		if !running.Gone && (highest == nil || running.Session.Tier > highest.Tier) {
			highest = &o.Running[i].Session
		}
	}
	return highest
}

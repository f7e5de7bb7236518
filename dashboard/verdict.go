package dashboard

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

// Verdict is the answer to: is everything all right?
type Verdict string

// The verdicts, from good to bad.
const (
	AllWell    Verdict = "ok"        // every checked service is healthy, and no human is needed
	Unwatched  Verdict = "unwatched" // no recent cycle, or no recent result for most services: too little is known
	Trouble    Verdict = "trouble"   // a service is unhealthy; agents work on it, or it is held back on purpose
	NeedsHuman Verdict = "attention" // there is an open request for a human
)

// verdict returns the verdict from the rest of the page; unseen means that most services have no recent result.
func (o *Overview) verdict(unseen bool) Verdict {
	switch {
	case len(o.Attention) > 0:
		return NeedsHuman
	case o.Counts[string(check.Down)] > 0 || o.Counts[string(check.Degraded)] > 0: // even if the result is old
		return Trouble
	case o.StaleSince != nil || o.LastCycle == nil && o.AtWork() == nil:
		return Unwatched
	case o.OpenIncidents > 0:
		return Trouble
	case unseen || o.Counts[string(check.Healthy)] == 0: // or there is nothing to check
		return Unwatched
	}
	return AllWell
}

// Headline returns the verdict in one line, including what is being done.
func (o *Overview) Headline() string {
	switch o.Verdict {
	case NeedsHuman:
		return o.needsHuman()
	case Trouble:
		return o.trouble()
	case Unwatched:
		return o.unwatched()
	case AllWell:
	}
	return allWell(o.Counts)
}

// unwatched says why nothing or too little is known.
func (o *Overview) unwatched() string {
	healthy, unknown := o.Counts[string(check.Healthy)], o.Counts[string(check.Unknown)]
	switch {
	case o.StaleSince != nil:
		return "The watch has stopped: the last cycle ended " + text.Ago(o.At.Sub(*o.StaleSince))
	case o.LastCycle == nil && o.AtWork() != nil:
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

func (o *Overview) needsHuman() string {
	things := len(o.Attention)
	switch {
	case things == 1 && o.Attention[0].Service != "":
		return o.Attention[0].Service + " needs you"
	case things <= 1:
		return "The watch itself needs you"
	}
	return fmt.Sprintf("%d things need you", things)
}

// trouble names the unhealthy services, and the tier that works on them.
func (o *Overview) trouble() string {
	var unwell []string
	state := ""
	again := 0
	for _, incident := range o.Incidents {
		if incident.State == store.IncidentRecovering {
			again++
			continue
		}
		unwell = append(unwell, incident.Service)
		state = string(incident.Status)
	}
	if len(unwell) == 0 {
		for _, service := range o.Services {
			if service.Status.Worse(check.Healthy) {
				unwell = append(unwell, service.Name)
				state = string(service.Status)
			}
		}
	}
	total := max(len(unwell), o.OpenIncidents-again)
	says := "Something is not healthy"
	switch {
	case len(unwell) == 0 && again > 0:
		says = "What was not healthy is healthy again"
	case total == 1 && len(unwell) == 1:
		says = unwell[0] + " is " + state
	case total == 2 && len(unwell) == 2:
		says = unwell[0] + " and " + unwell[1] + " are not healthy"
	case len(unwell) > 0:
		says = fmt.Sprintf("%s and %d more are not healthy", unwell[0], total-1)
	}
	switch session := o.AtWork(); {
	case session != nil && session.Tier > 1: // Tier 1 checks everything in each cycle
		says += fmt.Sprintf("; Tier %d is at it", session.Tier)
	case len(o.Incidents) == 1 && o.Incidents[0].Held != "":
		says += "; " + text.Shorten(o.Incidents[0].Held, 200)
	}
	return says
}

// AtWork returns the running session of the highest tier; nil if there is none.
func (o *Overview) AtWork() (highest *store.Session) {
	for i, running := range o.Running {
		if !running.Gone && (highest == nil || running.Session.Tier > highest.Tier) {
			highest = &o.Running[i].Session
		}
	}
	return highest
}

// NextCycle returns when the next cycle begins; nil unless cycles are known to run automatically.
func (o *Overview) NextCycle() *time.Time {
	if o.LastCycle == nil || o.LastCycle.Trigger == manual {
		return nil
	}
	return o.NextRun
}

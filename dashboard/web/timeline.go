package web

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

// pins are the marks of a timeline by kind; a check has the mark of its status.
var pins = map[string]string{
	"dependent": "services", "session": "sessions", "finding": "find", "attempt": "wrench", "action": "wrench", "notification": "bell",
	"granted": "ok", "refused": "deny", "opened": "incidents", "recovered": "ok",
}

func pin(e store.TimelineEntry) string {
	if e.Kind == "check" {
		return looks[string(e.Status)].icon
	}
	if name := pins[e.Kind]; name != "" {
		return name
	}
	return "unknown"
}

// kind names a timeline entry in a word or two.
func kind(e store.TimelineEntry) string {
	switch e.Kind {
	case "check":
		if name, _, found := strings.Cut(e.Text, " check: "+string(e.Status)); found {
			return clip(40, name) + " check: " + clip(40, string(e.Status))
		}
		return "check: " + clip(40, cmp.Or(string(e.Status), "unknown"))
	case "opened":
		return "incident opened"
	case "recovered":
		return "recovered, incident closed"
	case "action":
		return "remediation"
	case "attempt":
		return "tried"
	case "notification":
		return "message to people"
	case "granted":
		return "granted"
	case "refused":
		return "refused"
	}
	return clip(40, words(e.Kind))
}

// messages describes how often people were notified of an incident.
func messages(d *dashboard.IncidentDetail) string {
	n := 0
	for _, e := range d.Timeline {
		if e.Kind == "notification" {
			n++
		}
	}
	words := text.Count(n, "time")
	switch n {
	case 0:
		words = "never"
	case 1:
		words = "once"
	}
	if d.Omitted > 0 {
		words += " or more"
	}
	return words
}

// said returns an entry's text without what its kind and link already say.
func said(v view, e store.TimelineEntry) string {
	rest := e.Text
	switch e.Kind {
	case "opened", "recovered":
		return ""
	case "check":
		if _, found, ok := strings.Cut(rest, " check: "+string(e.Status)); ok {
			rest = strings.TrimLeft(found, ": ")
		}
	case "session":
		if e.SessionID != nil {
			rest = strings.ReplaceAll(strings.TrimPrefix(rest, fmt.Sprintf("session %d: ", *e.SessionID)), "timed_out", "timed out")
		}
	case "notification":
		rest = strings.TrimPrefix(rest, "human_attention: ")
	case "finding", "attempt":
		return rest
	}
	return inZone(v, rest)
}

// finding is the latest about an incident: what is wrong, what was found or what was tried.
type finding struct {
	Title, Text string
	At          time.Time
	SessionID   *int64
}

func findings(v view, d *dashboard.IncidentDetail) (all []finding) {
	for _, about := range []struct{ kind, title string }{{"check", "What is wrong"}, {"finding", "What was found"}, {"attempt", "What was tried"}} {
		for _, e := range slices.Backward(d.Timeline) {
			if e.Kind == about.kind && e.Status != check.Healthy {
				words := said(v, e)
				if e.Kind == "check" {
					words = strings.TrimSuffix(kind(e)+": "+words, ": ")
				}
				all = append(all, finding{about.title, clip(2000, words), e.At, e.SessionID})
				break
			}
		}
	}
	return all
}

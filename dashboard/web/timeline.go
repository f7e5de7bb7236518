package web

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/dashboard"
)

// pins are the marks of a timeline, by kind; a check has that of its status.
var pins = map[string]string{
	"dependent": "services", "session": "sessions", "finding": "find", "attempt": "wrench", "action": "wrench", "notification": "bell",
	"granted": "ok", "refused": "deny", "opened": "incidents", "recovered": "ok",
}

func pin(e dashboard.TimelineEntry) string {
	if e.Kind == "check" {
		return looks[string(e.Status)].icon
	}
	if name := pins[e.Kind]; name != "" {
		return name
	}
	return "unknown"
}

// kind is what an entry of a timeline is, in a word or two.
func kind(e dashboard.TimelineEntry) string {
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

// timesTold is how often people were told of an incident, in words.
func timesTold(d *dashboard.IncidentDetail) string {
	n := 0
	for _, e := range d.Timeline {
		if e.Kind == "notification" {
			n++
		}
	}
	words := fmt.Sprintf("%d times", n)
	switch n {
	case 0:
		words = "never"
	case 1:
		words = "once"
	}
	if d.Omitted > 0 {
		return words + " or more"
	}
	return words
}

// told is an entry's text without what its kind and the link beside it say already.
func told(v view, e dashboard.TimelineEntry) string {
	text := e.Text
	switch e.Kind {
	case "opened", "recovered":
		return ""
	case "check":
		if _, rest, found := strings.Cut(text, " check: "+string(e.Status)); found {
			text = strings.TrimLeft(rest, ": ")
		}
	case "session":
		if e.SessionID != nil {
			text = strings.ReplaceAll(strings.TrimPrefix(text, fmt.Sprintf("session %d: ", *e.SessionID)), "timed_out", "timed out")
		}
	case "notification":
		text = strings.TrimPrefix(text, "human_attention: ")
	case "finding", "attempt":
		return text
	}
	return inZone(v, text)
}

// parted is what a granted or refused call was to do, and the command itself.
func parted(e dashboard.TimelineEntry) (deed, command string) {
	deed, command, found := strings.Cut(e.Text, ": ")
	if !found || strings.ContainsAny(deed, "\n`$|;&\"'") {
		return "", e.Text
	}
	return clip(maxName, deed), command
}

// A stand is one answer to how an incident stands.
type stand struct {
	Title, Text string
	At          time.Time
	SessionID   *int64
}

// standing are the last words of an incident's story about what is wrong, what was found and what was tried.
func standing(v view, d *dashboard.IncidentDetail) (stands []stand) {
	for _, about := range []struct{ kind, title string }{{"check", "What is wrong"}, {"finding", "What was found"}, {"attempt", "What was tried"}} {
		for _, e := range slices.Backward(d.Timeline) {
			if e.Kind == about.kind && e.Status != check.Healthy {
				text := told(v, e)
				if e.Kind == "check" {
					text = strings.TrimSuffix(kind(e)+": "+text, ": ")
				}
				stands = append(stands, stand{about.title, clip(2000, text), e.At, e.SessionID})
				break
			}
		}
	}
	return stands
}

package tiers

import (
	"strings"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
)

// Marker is one `[COOLDOWN:action:service] result — message` line that the agent wrote (SPEC-0007 REQ-7; the form is the
// cooldown skill's).
type Marker struct {
	Action  statefile.Action
	Service string
	Success bool
	Message string
}

// maxMessage bounds what is kept of a marker's message.
const maxMessage = 1000

// Markers returns the first markers in an agent's text, at most so many, each of which stands on a line of its own. What only
// resembles one is left out.
func Markers(text string, most int) []Marker {
	if !strings.Contains(text, "[COOLDOWN:") {
		return nil
	}
	var found []Marker
	for line := range strings.Lines(text) {
		if len(found) >= most {
			break
		}
		if m, ok := parseMarker(line); ok {
			found = append(found, m)
		}
	}
	return found
}

func parseMarker(line string) (Marker, bool) {
	line = strings.Trim(strings.TrimSpace(line), "`*")
	rest, ok := strings.CutPrefix(line, "[COOLDOWN:")
	if !ok {
		return Marker{}, false
	}
	head, tail, ok := strings.Cut(rest, "]")
	if !ok {
		return Marker{}, false
	}
	name, service, ok := strings.Cut(head, ":")
	if !ok || !markerService(service) {
		return Marker{}, false
	}
	action, err := statefile.ParseAction(name)
	if err != nil {
		return Marker{}, false
	}
	verdict, message := firstWord(strings.TrimSpace(tail))
	if verdict != "success" && verdict != "failure" {
		return Marker{}, false
	}
	message = strings.TrimLeft(message, " —–-:")
	if len(message) > maxMessage {
		message = strings.ToValidUTF8(message[:maxMessage], "")
	}
	return Marker{action, service, verdict == "success", message}, true
}

// markerService reports whether s is a name that a marker may carry: letters, digits, hyphen, underscore, and dots, which
// container and unit names have.
func markerService(s string) bool {
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
		default:
			return false
		}
	}
	return s != "" && len(s) <= check.MaxServiceName
}

func firstWord(s string) (word, rest string) {
	if i := strings.IndexFunc(s, func(r rune) bool { return r == ' ' || r == '\t' || r == '—' || r == '–' || r == '-' }); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

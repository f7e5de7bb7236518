package tiers

import (
	"regexp"
	"strings"

	"github.com/claudeops/claudeops/internal/text"
)

// Marker is one line `[COOLDOWN:action:service] result — message` that the agent wrote (SPEC-0007 REQ-7). It counts nothing.
type Marker struct{ Service, Text string }

// maxMarker limits the text of a marker that is kept, in characters.
const maxMarker = 300

// markerForm matches a line that is a marker, perhaps in Markdown's emphasis or list.
var markerForm = regexp.MustCompile(`(?m)^[\s*>-]*\[COOLDOWN:\w+:([\w.-]{1,100})\].*$`)

// Markers returns the first markers in an agent's text, at most most of them.
func Markers(message string, most int) (found []Marker) {
	for _, m := range markerForm.FindAllStringSubmatch(message, most) {
		found = append(found, Marker{m[1], text.Shorten(strings.TrimSpace(m[0]), maxMarker)})
	}
	return found
}

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
// resembles one is left out, and so is what stands in code or a quotation (Markdown's): an agent shows there what others wrote.
func Markers(text string, most int) []Marker {
	if !strings.Contains(text, "[COOLDOWN:") {
		return nil
	}
	var found []Marker
	for _, paragraph := range paragraphs(text) {
		for _, line := range withoutCodeSpans(paragraph) {
			if len(found) >= most {
				return found
			}
			if m, ok := parseMarker(line); ok {
				found = append(found, m)
			}
		}
	}
	return found
}

// codeIndent is how many spaces before a line make it code.
const codeIndent = 4

// paragraphs are the lines of a Markdown text that are neither code nor quoted, as they follow each other.
func paragraphs(text string) (all [][]string) {
	var paragraph []string
	end := func() {
		if len(paragraph) > 0 {
			all = append(all, paragraph)
		}
		paragraph = nil
	}
	var fence string // what opened the block of code that we are in
	var fenceIndent int
	quoted := false // a quotation goes on to the next blank line
	for line := range strings.Lines(text) {
		content := strings.TrimLeft(line, " ")
		indent := len(line) - len(content)
		if fence != "" {
			if indent < fenceIndent+codeIndent && closesFence(content, fence) {
				fence = ""
			}
			continue
		}
		if strings.TrimSpace(content) == "" {
			end()
			quoted = false
			continue
		}
		if indent >= codeIndent || content[0] == '\t' {
			continue
		}
		inItem := withoutListMarkers(content)
		if fence = opensFence(inItem); fence != "" {
			fenceIndent = len(line) - len(inItem)
			quoted = false
			end()
			continue
		}
		if quoted = quoted || strings.HasPrefix(inItem, ">"); quoted {
			end()
			continue
		}
		paragraph = append(paragraph, line)
	}
	end()
	return all
}

// withoutListMarkers is a line behind the bullets and numbers of the list items that it begins: a quotation or a block of code may stand there.
func withoutListMarkers(line string) string {
	for {
		rest := strings.TrimLeft(line, "0123456789")
		if rest == "" || rest == line && !strings.ContainsAny(rest[:1], "-+*") || rest != line && !strings.ContainsAny(rest[:1], ".)") {
			return line
		}
		content := strings.TrimLeft(rest[1:], " \t")
		if content == rest[1:] {
			return line
		}
		line = content
	}
}

// opensFence returns the run of backticks or tildes by which a line begins a block of code; empty where it begins none.
func opensFence(line string) string {
	for _, char := range []string{"`", "~"} {
		behind := strings.TrimLeft(line, char)
		if run := line[:len(line)-len(behind)]; len(run) >= 3 && (char == "~" || !strings.Contains(behind, "`")) {
			return run
		}
	}
	return ""
}

func closesFence(line, fence string) bool {
	behind := strings.TrimLeft(line, fence[:1])
	return len(line)-len(behind) >= len(fence) && strings.TrimSpace(behind) == ""
}

// withoutCodeSpans are the lines of a paragraph that do not begin within code that backticks enclose, which may go over several lines.
func withoutCodeSpans(paragraph []string) (lines []string) {
	text := strings.Join(paragraph, "")
	runs := backticks(text)
	next := make([]int, len(runs)) // the next run of the same length, which closes what a run opens; 0 is none
	last := map[int]int{}          // by length
	for i := len(runs) - 1; i >= 0; i-- {
		length := runs[i][1] - runs[i][0]
		next[i] = last[length]
		last[length] = i
	}
	at, run, codeEnds := 0, 0, 0
	for _, line := range paragraph {
		for run < len(runs) && runs[run][0] < at {
			if run = run + 1; next[run-1] > 0 {
				codeEnds, run = runs[next[run-1]][1], next[run-1]+1
			}
		}
		if codeEnds <= at {
			lines = append(lines, line)
		}
		at += len(line)
	}
	return lines
}

// backticks are where the runs of them in a text begin and end.
func backticks(text string) (runs [][2]int) {
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '`')
		if i < 0 {
			return runs
		}
		begin := at + i
		at = len(text) - len(strings.TrimLeft(text[begin:], "`"))
		runs = append(runs, [2]int{begin, at})
	}
}

func parseMarker(line string) (Marker, bool) {
	line = strings.Trim(strings.TrimSpace(line), "*")
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

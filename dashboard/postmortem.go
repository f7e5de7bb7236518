package dashboard

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/text"
)

const (
	// momentLayout is how times stand in a postmortem, which says once that they are UTC.
	momentLayout = "2006-01-02 15:04:05"
	// mostSpan is how much of a text stands on a line of a list, in bytes.
	mostSpan = 600
	// toFill is where people write.
	toFill = "_To be filled in._"
)

// Postmortem is an incident as Markdown, to begin a postmortem with. What is foreign in it stands in code spans and blocks that it cannot end.
func (d *IncidentDetail) Postmortem() string {
	m := &markdown{}
	m.paragraph(fmt.Sprintf("# Postmortem: incident %d of %s", d.ID, span(d.Service)))
	m.summary(d)
	m.section("Impact", toFill)
	m.section("Root cause", toFill)
	m.timeline(d)
	m.texts(d, "What was found", "finding")
	m.texts(d, "What was tried", "attempt", "action")
	m.list(d, "Commands granted and refused", "granted", "refused")
	m.list(d, "What people were told", "notification")
	m.section("Action items", "- [ ] "+toFill)
	return m.String()
}

// markdown is a document that is being written. What is handed to it is Markdown: foreign text goes through span or block before.
type markdown struct{ strings.Builder }

func (m *markdown) paragraph(text string) {
	if m.Len() > 0 {
		m.WriteByte('\n')
	}
	m.WriteString(text + "\n")
}

func (m *markdown) section(title, text string) {
	m.paragraph("## " + title)
	m.paragraph(text)
}

func (m *markdown) summary(d *IncidentDetail) {
	recovered := "not yet, " + cell(string(d.Status)) + " when last seen, " + d.LastSeenAt.UTC().Format(momentLayout)
	if d.ClosedAt != nil {
		recovered = d.ClosedAt.UTC().Format(momentLayout)
	}
	rows := []string{
		"| | |", "|---|---|",
		"| Service | " + cell(d.Service) + " |",
		"| Opened | " + d.OpenedAt.UTC().Format(momentLayout) + " |",
		"| Recovered | " + recovered + " |",
		"| Duration | " + (time.Duration(d.DurationMS) * time.Millisecond).Round(time.Second).String() + d.Returned() + " |",
		fmt.Sprintf("| Sessions of Tier 2 and 3 | %d |", d.Sessions),
		fmt.Sprintf("| Their whole cost | $%.2f |", d.CostUSD),
	}
	for _, dependent := range d.Dependents {
		rows = append(rows, "| Affected with it | "+cell(dependent.Service)+", "+cell(string(dependent.Status))+" |")
	}
	m.paragraph(strings.Join(rows, "\n"))
	m.paragraph("All times are UTC.")
}

func (m *markdown) timeline(d *IncidentDetail) {
	m.paragraph("## Timeline")
	lines := make([]string, len(d.Timeline))
	for n, e := range d.Timeline {
		lines[n] = line(e)
		if d.Omitted > 0 && n == len(d.Timeline)/2 {
			lines[n] = fmt.Sprintf("- … %d entries were left out here …\n%s", d.Omitted, lines[n])
		}
	}
	m.paragraph(orNothing(lines))
}

// list is the entries of some kinds, a line each.
func (m *markdown) list(d *IncidentDetail, title string, kinds ...string) {
	lines := []string{}
	for _, e := range d.Timeline {
		if slices.Contains(kinds, e.Kind) || e.missing && slices.Contains(kinds, "granted") {
			lines = append(lines, line(e))
		}
	}
	m.section(title, orNothing(lines))
}

// texts is the entries of some kinds, each in full.
func (m *markdown) texts(d *IncidentDetail, title string, kinds ...string) {
	m.paragraph("## " + title)
	none := true
	for _, e := range d.Timeline {
		if slices.Contains(kinds, e.Kind) {
			m.paragraph(fmt.Sprintf("%s, %s%s:", e.At.UTC().Format(momentLayout), e.Kind, by(e)))
			m.paragraph(block(e.Text))
			none = false
		}
	}
	if none {
		m.paragraph(orNothing(nil))
	}
}

// line is an entry in a list.
func line(e TimelineEntry) string {
	text := fmt.Sprintf("- %s **%s**%s: %s", e.At.UTC().Format(momentLayout), e.Kind, by(e), span(e.Text))
	if e.Reason != "" {
		text += ", because " + span(e.Reason)
	}
	return text
}

func by(e TimelineEntry) string {
	if e.SessionID == nil {
		return ""
	}
	return fmt.Sprintf(" in session %d", *e.SessionID)
}

func orNothing(lines []string) string {
	if len(lines) == 0 {
		return "Nothing."
	}
	return strings.Join(lines, "\n")
}

// span is foreign text as a code span, on one line: its longest run of backticks is shorter than what encloses it.
func span(foreign string) string {
	line := clip(text.Line(foreign), mostSpan)
	if line == "" {
		return "(nothing)"
	}
	run := longestRun(line)
	if run == 0 {
		return "`" + line + "`"
	}
	fence := strings.Repeat("`", run+1)
	return fence + " " + line + " " + fence // one space on either side is no part of a span
}

// cell is a span in a cell of a table, which any bar would end.
func cell(text string) string { return span(strings.ReplaceAll(text, "|", "¦")) }

// block is foreign text as a code block, whose fence is longer than its longest run of backticks.
func block(foreign string) string {
	foreign = text.Printable(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(foreign))
	fence := strings.Repeat("`", max(3, longestRun(foreign)+1))
	return fence + "text\n" + strings.TrimSuffix(foreign, "\n") + "\n" + fence
}

// longestRun is how many backticks stand behind each other at most.
func longestRun(text string) (longest int) {
	run := 0
	for _, r := range text {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

package dashboard

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/template"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

// mostSpan limits a text on a line of a list, in bytes.
const mostSpan = 600

//go:embed postmortem.md.tmpl
var postmortemText string

// postmortem writes foreign text as code spans and blocks that it cannot break out of.
var postmortem = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"span":     span,
		"cell":     func(foreign any) string { return span(strings.ReplaceAll(fmt.Sprint(foreign), "|", "¦")) }, // a bar would end the cell
		"fenced":   block,
		"time":     func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") },
		"duration": func(ms int64) string { return (time.Duration(ms) * time.Millisecond).Round(time.Second).String() },
		"half":     func(n int) int { return n / 2 },
		"of": func(d *IncidentDetail, kinds ...string) (entries []store.TimelineEntry) {
			for _, e := range d.Timeline {
				if slices.Contains(kinds, e.Kind) {
					entries = append(entries, e)
				}
			}
			return entries
		},
	}).Parse(postmortemText))
})

// Postmortem returns an incident as Markdown, as the start of a postmortem.
func (d *IncidentDetail) Postmortem() string {
	var out strings.Builder
	if err := postmortem().Execute(&out, d); err != nil {
		panic("write a postmortem: " + err.Error()) // only a fault of the template can cause it
	}
	return out.String()
}

// span returns foreign text as a code span on one line: the fence is longer than its longest run of backticks.
func span(foreign string) string {
	line := text.Clip(text.Line(foreign), mostSpan)
	if line == "" {
		return "(nothing)"
	}
	run := longestRun(line)
	if run == 0 {
		return "`" + line + "`"
	}
	fence := strings.Repeat("`", run+1)
	return fence + " " + line + " " + fence // one space on each side is not part of a span
}

// block returns foreign text as a code block: the fence is longer than its longest run of backticks.
func block(foreign string) string {
	foreign = text.Printable(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(foreign))
	fence := strings.Repeat("`", max(3, longestRun(foreign)+1))
	return fence + "text\n" + strings.TrimSuffix(foreign, "\n") + "\n" + fence
}

// longestRun returns the length of the longest run of backticks.
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

package dashboard

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/store"
)

// told is an incident with text in every place that foreign text may take.
func told(foreign string) *IncidentDetail {
	at := time.Date(2026, 3, 4, 12, 0, 0, 0, time.FixedZone("", 3600))
	session := int64(12)
	d := &IncidentDetail{
		IncidentLine: IncidentLine{Incident: store.Incident{ID: 7, Service: foreign, Status: check.Status(foreign), OpenedAt: at, LastSeenAt: at}, DurationMS: 3_723_000, CostUSD: 0.5, Sessions: 2},
		Dependents:   []store.Dependent{{Service: foreign, Status: check.Down}},
	}
	for n, kind := range []string{"opened", "check", "session", "finding", "attempt", "action", "granted", "refused", "notification", "dependent"} {
		d.Timeline = append(d.Timeline, store.TimelineEntry{At: at.Add(time.Duration(n) * time.Second), Kind: kind, SessionID: &session, Text: foreign, Reason: foreign})
	}
	return d
}

// shape is the structure of a Markdown document: its headings, the numbers of its items and cells, and everything that could be a link or
// markup.
func shape(t *testing.T, markdown string) (headings []string, counts map[string]int) {
	t.Helper()
	source := []byte(markdown)
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	counts = map[string]int{}
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		counts[n.Kind().String()]++
		if h, is := n.(*ast.Heading); is {
			headings = append(headings, fmt.Sprint(h.Level, string(h.Lines().Value(source))))
		}
		if n.Kind() == ast.KindCodeSpan {
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	fine(t, err)
	delete(counts, "Text") // the division of a text is irrelevant
	return headings, counts
}

// holds fails if foreign text gives the document another structure than a harmless word does.
func holds(t *testing.T, foreign string) {
	t.Helper()
	wantHeadings, want := shape(t, told("harmless").Postmortem())
	headings, counts := shape(t, told(foreign).Postmortem())
	if !slices.Equal(headings[1:], wantHeadings[1:]) {
		t.Errorf("%q makes these headings: %q", foreign, headings)
	}
	if strings.TrimSpace(foreign) == "" {
		return // is described in words
	}
	for _, kind := range slices.Concat(keys(counts), keys(want)) {
		if counts[kind] != want[kind] {
			t.Errorf("%q makes %d of %s, not %d:\n%s", foreign, counts[kind], kind, want[kind], told(foreign).Postmortem())
		}
	}
}

func keys(m map[string]int) (all []string) {
	for k := range m {
		all = append(all, k)
	}
	return all
}

var hostile = []string{
	"`", "``", "```", "````\n# x\n", "` `", "a`", "`a", "~~~", "```\n\n# Root cause\n\n[x](javascript:alert(1))", "a\n\n# b", "a\r\r# b", "a\r\n\r\n- b",
	"<script>alert(1)</script>", "<!-- ", "|", "a | b", `\|`, `\`, "a\\", "](javascript:x)", "http://example.com", "www.example.com", "a@example.com",
	"\u2028# x", "\u202e", "\x00", "\x1b[31m", "    indented", "\t# x", "- [ ] x", "1. x", "> x", "***", "---", "| a |\n|---|\n| b |", "[x]: http://y", "&#96;", strings.Repeat("`", 300),
}

func TestForeignTextCannotEndItsSpanOrBlock(t *testing.T) {
	for _, foreign := range hostile {
		holds(t, foreign)
	}
}

func FuzzPostmortem(f *testing.F) {
	for _, foreign := range hostile {
		f.Add(foreign)
	}
	f.Fuzz(func(t *testing.T, foreign string) {
		if len(foreign) > 4<<10 {
			t.Skip()
		}
		holds(t, foreign)
	})
}

func TestAPostmortemSaysWhatHappened(t *testing.T) {
	d := told("it is down")
	d.Service, d.Status, d.Omitted = "shop", check.Down, 3
	d.ClosedAt = new(d.OpenedAt.Add(time.Hour))
	text := d.Postmortem()
	for _, want := range []string{
		"# Postmortem: incident 7 of `shop`\n", "| Service | `shop` |", "| Opened | 2026-03-04 11:00:00 |", "| Recovered | 2026-03-04 12:00:00 |", "| Duration | 1h2m3s |",
		"| Their cost | $0.50 |", "| Sessions of Tier 2 and 3 | 2 |", "\n## Impact\n\n_To be filled in._\n", "\n## Root cause\n", "\n## Timeline\n", "\n## What was found\n",
		"\n## What was tried\n", "\n## Commands granted and refused\n", "\n## What people were told\n", "\n## Action items\n\n- [ ] _To be filled in._\n",
		"- 2026-03-04 11:00:07 **refused** in session 12: `it is down`, because `it is down`\n", "- … 3 entries were left out here …\n", "All times are UTC.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in it:\n%s", want, text)
		}
	}
	open := told("x")
	open.Service = "shop"
	if text := open.Postmortem(); !strings.Contains(text, "| Recovered | not yet, `x` when last seen, 2026-03-04 11:00:00 |") {
		t.Errorf("an open one says:\n%s", text)
	}
}

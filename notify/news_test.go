package notify

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func asIs(s string) string { return s }

// A body keeps its first and last line, and says how much was left out.
func TestABodyFits(t *testing.T) {
	for _, n := range []int{0, 1, 20, 1000} {
		l := Body{Why: strings.Repeat("why ", 1000), Look: []string{"claudeops incidents show 1", "claudeops sessions show 2 --commands"}}
		for i := range n {
			l.Facts = append(l.Facts, fmt.Sprintf("fact %d\nof\tmany %s", i, strings.Repeat("ä", 1000)))
		}
		text := l.Text(asIs)
		if runes := utf8.RuneCountInString(text); runes > MaxBody {
			t.Errorf("%d facts are %d characters", n, runes)
		}
		if !strings.HasPrefix(text, "why why") || !strings.HasSuffix(text, "\n\nEverything: `claudeops incidents show 1`, `claudeops sessions show 2 --commands`") {
			t.Errorf("%d facts: the ends are not as they were:\n%s", n, text)
		}
		told := strings.Count(text, "\n- fact ")
		if left := fmt.Sprintf("\n- … and %d more\n", n-told); n != told && !strings.Contains(text, left) {
			t.Errorf("%d of %d facts are told, but not %q:\n%s", told, n, left, text)
		}
	}
	same(t, Body{Why: "nothing else"}.Text(asIs), "nothing else.")
	linked := Body{Why: "why", Look: []string{"l"}, Quiet: "q", Page: "/incidents/1", Dashboard: "https://ops.example.org/x/"}
	same(t, linked.Text(asIs), "why.\n\nEverything: https://ops.example.org/x/incidents/1\nWorking on it: `q`")
	linked.Quiet, linked.Page = "", servicePage("my_shop / *2*")
	same(t, linked.Text(asIs), "why.\n\nEverything: https://ops.example.org/x/services/my%5Fshop%20%2F%20%2A2%2A")
	same(t, Message{Body: linked.Text(asIs)}.Markdown().Body, linked.Text(asIs)) // it contains no markup
	linked.Page = ""                                                             // no page of the dashboard shows it
	same(t, linked.Text(asIs), "why.\n\nEverything: `l`")
	same(t, Body{Head: "what", Why: "why.", Facts: []string{"f"}, Look: []string{"l"}, Quiet: "q"}.Text(asIs), "what.\nwhy.\n\n- f\n\nEverything: `l`. Working on it: `q`")
}

// A text that is cut must not end with part of a password.
func TestNoHalfOfASecretIsLeftByACut(t *testing.T) {
	redact := func(s string) string { return strings.ReplaceAll(s, "hunter22", "[redacted]") }
	for before := 280; before < 310; before++ {
		text := Body{Why: "w", Facts: []string{strings.Repeat("x", before) + "hunter22"}}.Text(redact)
		if strings.Contains(text, "hun") {
			t.Fatalf("after %d characters: %s", before, text)
		}
	}
	for _, split := range []string{"hun\x1b[0mter22", "hunter\x1b]0;x\a22"} {
		if text := (Body{Head: split, Why: split, Facts: []string{split}}).Text(redact); strings.Contains(text, "hunter22") {
			t.Errorf("%q becomes whole: %s", split, text)
		}
	}
}

func TestTheFirstSentenceOfWhatAnAgentFound(t *testing.T) {
	for said, want := range map[string]string{
		"": "", "The disk is full": "The disk is full", "The disk is full. I removed logs.": "The disk is full",
		"## Summary\n\n- **shop** is down: version 1.2.3 has a fault. More.\n": "shop is down: version 1.2.3 has a fault",
		"---\n```\n| a |\n": "a |", "\x1b[31mred\x1b[0m alert": "red alert", strings.Repeat("x", 300): strings.Repeat("x", maxFinding-1) + "…",
	} {
		same(t, finding(said), want)
	}
}

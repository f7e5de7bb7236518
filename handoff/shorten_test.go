package handoff

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
)

// sized makes a handoff from Tier 2 with results of the given statuses and error lengths.
func sized(results ...check.Result) Handoff {
	return Handoff{
		SchemaVersion: 1, RecommendedTier: 3, ServicesAffected: []string{"s"}, CheckResults: results,
		InvestigationFindings: "f", RemediationAttempted: "a", CooldownState: jsontext.Value("{}"),
	}
}

func result(status check.Status, text string) check.Result {
	return check.Result{Service: "s", Type: check.HTTP, Status: status, Error: text}
}

func chars(n int) string { return strings.Repeat("ä", n) } // a character of two bytes: the limit counts characters

func jsonLength(t fataler, h Handoff) int {
	t.Helper()
	text, _ := h.Context(nil)
	return utf8.RuneCountInString(body(t, text))
}

func TestSPEC0016_HandoffContextSerialization_HandoffContextSizeLimit(t *testing.T) {
	empty := jsonLength(t, sized(result(check.Down, ""), result(check.Healthy, "")))
	room := ContextLimit - empty
	history := []Attempt{{Service: "s", Findings: chars(100)}}
	for name, tt := range map[string]struct {
		down, healthy string
		history       []Attempt
		says          string
	}{
		"exactly full":      {chars(room), "", nil, ""},
		"healthy goes":      {chars(room), chars(1), nil, "1 healthy check result dropped"},
		"history first":     {chars(room - 100), chars(100), history, "incident history dropped"},
		"then healthy":      {chars(room), chars(1), history, "incident history dropped, 1 healthy check result dropped"},
		"then error texts":  {chars(2 * room), chars(1), history, "incident history dropped, 1 healthy check result dropped, 1 error text shortened"},
		"escapes are width": {strings.Repeat("<", room/6+5), "", nil, "1 healthy check result dropped"},
	} {
		t.Run(name, func(t *testing.T) {
			h := sized(result(check.Down, tt.down), result(check.Healthy, tt.healthy))
			text, cut := h.Context(tt.history)
			if cut != tt.says {
				t.Errorf("says %q", cut)
			}
			checkContext(t, text, h)
			if n := utf8.RuneCountInString(body(t, text)); n > ContextLimit {
				t.Errorf("%d characters", n)
			}
		})
	}
}

func TestHistoryThatJustFitsIsKept(t *testing.T) {
	history := []Attempt{{Service: "s", Findings: "x"}}
	for add, want := range map[int]string{0: "", 1: "incident history dropped"} {
		h := sized(result(check.Down, ""))
		text, _ := h.Context(history)
		h.InvestigationFindings += chars(ContextLimit - utf8.RuneCountInString(body(t, text)) + add)
		if _, cut := h.Context(history); cut != want {
			t.Errorf("%d over: cut %q", add, cut)
		}
	}
}

func TestErrorTextsAreShortenedLongestFirst(t *testing.T) {
	h := sized(result(check.Down, "short"), result(check.Down, chars(60_000)), result(check.Degraded, chars(300)))
	text, cut := h.Context(nil)
	got := checkContext(t, text, h)
	if cut != "1 error text shortened" {
		t.Error(cut)
	}
	if got.CheckResults[0].Error != "short" || got.CheckResults[2].Error != chars(300) {
		t.Error("a shorter text was cut")
	}
	kept, marked := strings.CutSuffix(got.CheckResults[1].Error, shortenedMark)
	if !marked || !strings.HasPrefix(chars(60_000), kept) || len(kept) < 10_000 {
		t.Errorf("kept %d bytes, marked %v", len(kept), marked)
	}
	if h.CheckResults[1].Error != chars(60_000) {
		t.Error("the handoff itself was changed")
	}
}

func TestTwoLongErrorTextsBothKeepABeginning(t *testing.T) {
	h := sized(result(check.Down, chars(60_000)), result(check.Down, chars(59_000)))
	text, cut := h.Context(nil)
	got := checkContext(t, text, h)
	if cut != "2 error texts shortened" {
		t.Error(cut)
	}
	for _, r := range got.CheckResults {
		if n := utf8.RuneCountInString(r.Error); n < 13_000 {
			t.Errorf("only %d characters kept", n)
		}
	}
}

func TestNothingElseIsEverCut(t *testing.T) {
	h := sized(result(check.Down, chars(1000)), result(check.Degraded, "[tiny]"))
	h.InvestigationFindings, h.RemediationAttempted = chars(80_000), chars(10_000)
	h.CooldownState = jsontext.Value(`{"x":"` + chars(10_000) + `"}`)
	text, cut := h.Context(nil)
	got := checkContext(t, text, h)
	if cut != "1 error text shortened" || len(got.CheckResults[0].Error) > 300 || got.CheckResults[1].Error != "[tiny]" {
		t.Errorf("cut %q, results %+v", cut, got.CheckResults)
	}
}

func TestAHandoffOfHealthyResultsKeepsAnArray(t *testing.T) {
	h := sized(result(check.Healthy, chars(60_000)))
	text, _ := h.Context(nil)
	if !strings.Contains(text, `"check_results":[]`) {
		t.Errorf("got %s", text)
	}
}

// drawHandoff draws a handoff whose context is around the limit.
func drawHandoff(t *rapid.T) Handoff {
	letters := rapid.SampledFrom([]rune{'a', 'ä', '<', '"', '\n', '\x01', '\u2028', '😀', '&'})
	drawText := func(label string, most int) string {
		pattern := rapid.StringOfN(letters, 1, 5, -1).Draw(t, label)
		return strings.Repeat(pattern, rapid.IntRange(0, most).Draw(t, label+" times")/5)
	}
	h := sized()
	for range rapid.IntRange(1, 12).Draw(t, "results") {
		h.CheckResults = append(h.CheckResults, result(rapid.SampledFrom([]check.Status{check.Healthy, check.Degraded, check.Down}).Draw(t, "status"), drawText("error", 9000)))
	}
	h.InvestigationFindings += drawText("findings", 40_000)
	return h
}

func TestTruncationDropsExactlyWhatTheRuleSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawHandoff(t)
		history := make([]Attempt, rapid.IntRange(0, 2).Draw(t, "history"))
		for i := range history {
			history[i].Findings = chars(rapid.IntRange(0, 30_000).Draw(t, "findings"))
		}
		text, cut := h.Context(history)
		got := checkContext(t, text, h)
		over := func(c content) bool {
			text, err := json.Marshal(c, jsontext.EscapeForHTML(true), jsontext.EscapeForJS(true))
			must(t, err)
			return utf8.RuneCount(text) > ContextLimit
		}
		lean := h
		lean.CheckResults = unwell(h.CheckResults)
		full, bare, least := over(content{h, history}), over(content{h, nil}), over(content{lean, nil})
		healthy := len(h.CheckResults) - len(lean.CheckResults)
		for what, want := range map[string]bool{"history dropped": full && len(history) > 0, "healthy check result": bare && healthy > 0} {
			if strings.Contains(cut, what) != want {
				t.Fatalf("cut %q; %q is said: want %t", cut, what, want)
			}
		}
		if strings.Contains(cut, "shortened") && !least {
			t.Fatalf("shortened too early: %s", cut)
		}
		checkShortened(t, h, got, cut)
		if n := utf8.RuneCountInString(body(t, text)); n > ContextLimit && slices.ContainsFunc(got.CheckResults, func(r check.Result) bool {
			return utf8.RuneCountInString(r.Error) > shortestText*4/3+utf8.RuneCountInString(shortenedMark)
		}) {
			t.Fatalf("%d characters, though there is more to shorten", n)
		}
	})
}

func unwell(results []check.Result) []check.Result {
	return slices.DeleteFunc(slices.Clone(results), func(r check.Result) bool { return r.Status == check.Healthy })
}

// checkShortened checks that the longest error texts of a context were shortened first, and that each of them is marked and is a prefix
// of the original.
func checkShortened(t fataler, h Handoff, got rendered, cut string) {
	t.Helper()
	was := h.CheckResults
	if strings.Contains(cut, "healthy") {
		was = unwell(was)
	}
	touched, leastTouched, mostWhole := 0, 1<<30, 0
	for i, r := range got.CheckResults {
		if r.Error == was[i].Error {
			mostWhole = max(mostWhole, utf8.RuneCountInString(r.Error))
			continue
		}
		touched++
		leastTouched = min(leastTouched, utf8.RuneCountInString(was[i].Error))
		kept, marked := strings.CutSuffix(r.Error, shortenedMark)
		if !marked || !strings.HasPrefix(was[i].Error, kept) {
			t.Fatalf("not a marked beginning: %q", r.Error)
		}
	}
	said := touched == 0 || strings.HasSuffix(cut, text.Count(touched, "error text")+" shortened")
	if !said || strings.Contains(cut, "shortened") && touched == 0 || touched > 0 && mostWhole > leastTouched {
		t.Fatalf("%d shortened, said %q; longest whole %d, shortest touched %d", touched, cut, mostWhole, leastTouched)
	}
}

package cli

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/cycle"
	"github.com/claudeops/claudeops/internal/mask"
)

// printing is an app with secrets in its environment, and its output.
func printing(secrets ...string) (*app, *bytes.Buffer) {
	var out bytes.Buffer
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	a := &app{Streams: Streams{Out: &out, Now: func() time.Time { return now }}, redactor: mask.New(secrets)}
	return a, &out
}

func TestTableShowsNoSecret(t *testing.T) {
	a, out := printing("hunter 22\tand more", "-----BEGIN\nKEY-----")
	rows := [][]string{{"its hunter 22\tand more", "x"}, {"short", "a -----BEGIN\nKEY----- b\r\nforged"}}
	err := show(a, rows, "", []string{"A", "B"}, slices.Clone[[]string])
	want := "A               B\nits [redacted]  x\nshort           a [redacted] b forged\n"
	if err != nil || out.String() != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}

func TestPrintedTextDoesNotSteer(t *testing.T) {
	a, out := printing("hunter22")
	if err := a.print("a\x1b[2J\u009b1m\u202e\u200f\u2028 hunter22\ttab\n"); err != nil {
		t.Fatal(err)
	}
	if want := "a\uFFFD1m\uFFFD\uFFFD\uFFFD [redacted]\ttab\n"; out.String() != want {
		t.Errorf("%q, want %q", out, want)
	}
	if got, want := a.indented(" one\ntwo hunter22\n", 3), "one\n   two [redacted]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// JSON stays valid and keeps its meaning, whatever is masked or made visible.
func TestPrintedJSON(t *testing.T) {
	a, out := printing("123456", "hunter22", "swordfish")
	given := map[string]any{"number": 123456, "text": "123456 \u202e\u007f <&>", "hunter22": 1, "swordfish": nil, "fraction": 1.50}
	if err := a.printJSON(given); err != nil {
		t.Fatal(err)
	}
	want := `{
  "fraction": 1.5,
  "[redacted]": 1,
  "number": 123456,
  "[redacted]": null,
  "text": "[redacted] \u202e\u007f <&>"
}
`
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out, want)
	}
	a, out = printing()
	text := "a\u202e\u0085\n\x1b"
	if err := a.printJSON(text); err != nil {
		t.Fatal(err)
	}
	var back string
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || back != text {
		t.Errorf("%q became %q: %v", text, back, err)
	}
}

func TestOutputPassesErrorsOn(t *testing.T) {
	a := &app{Streams: Streams{Out: brokenWriter{}}}
	for name, err := range map[string]error{
		"text": a.print("x"), "json": a.printJSON(1), "table": show(a, [][]string{{"x"}}, "", []string{"A"}, slices.Clone[[]string]),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := a.printJSON(make(chan int)); err == nil {
		t.Error("no error for what is no JSON")
	}
}

func TestFirstLines(t *testing.T) {
	names := strings.Split("abcdefghijklm", "")
	for n, want := range map[int]string{0: "", 1: "a", 10: "a b c d e f g h i j", 11: "a b c d e f g h i j and 1 more", 13: "a b c d e f g h i j and 3 more"} {
		if got := strings.Join(firstLines(names[:n], strings.Clone), " "); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if names[10] != "k" {
		t.Error("the names given were changed")
	}
}

func summaryOf(tiers ...cycle.TierSummary) cycle.Summary {
	return cycle.Summary{
		StartedAt: time.Date(2026, 11, 21, 11, 0, 0, 5, time.FixedZone("CET", 3600)), Tiers: tiers,
		Services:  []cycle.ServiceSummary{{Service: "a", Status: check.Degraded}, {Service: "b", Status: check.Healthy}, {Service: "c\nFORGED", Status: check.Down}},
		Attention: []cycle.Attention{{Service: "c", Reason: "hunter22\nFORGED"}, {Reason: "x"}},
	}
}

func TestSummary(t *testing.T) {
	a, out := printing("hunter22")
	tier := cycle.TierSummary{Session: 7, Tier: 1, Model: "haiku", Status: "failed", Reason: "one\ntwo hunter22", DurationMS: 61_000, NumTurns: 3, CostUSD: 0.5}
	if err := a.writeSummary(summaryOf(tier), nil); err != nil {
		t.Fatal(err)
	}
	want := `cycle of 2026-11-21 10:00:00 UTC: 0.0 s, $0.0000
  Tier 1  session 7     failed         1 min 1 s    3 turns  $0.5000  haiku
          one
          two [redacted]
services: 1 healthy, 1 degraded, 1 down
  c FORGED down
  a degraded
needs a human:
  c: [redacted]
    FORGED
  claudeops itself: x
`
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out, want)
	}
}

// A cycle that could not run any tier has no summary, which would read like that of a quiet, good one.
func TestNoSummaryOfNothing(t *testing.T) {
	failed := errors.New("no room")
	for name, row := range map[string]struct {
		json    bool
		summary cycle.Summary
		err     error
		want    string // with %s
		absent  string
	}{
		"no tier and an error":       {false, summaryOf(), failed, "", "cycle of"},
		"no tier and no error":       {false, summaryOf(), nil, "cycle of", ""},
		"a tier and an error":        {false, summaryOf(cycle.TierSummary{Tier: 1}), failed, "Tier 1", ""},
		"JSON, no tier and an error": {true, summaryOf(), failed, "{\n  \"error\": \"no room\"\n}\n", "started_at"},
		"JSON, a tier and an error":  {true, summaryOf(cycle.TierSummary{Tier: 1}), failed, `"error": "no room"`, ""},
		"JSON, time":                 {true, summaryOf(), nil, `"started_at": "2026-11-21T10:00:00Z"`, `"error"`},
	} {
		t.Run(name, func(t *testing.T) {
			a, out := printing()
			a.json = row.json
			if err := a.writeSummary(row.summary, row.err); err != nil {
				t.Fatal(err)
			}
			if got := out.String(); !strings.Contains(got, row.want) || row.want == "" && got != "" || row.absent != "" && strings.Contains(got, row.absent) {
				t.Errorf("%q, want %q", got, row.want)
			}
		})
	}
}

func TestManyServicesAreNotAllNamed(t *testing.T) {
	a, out := printing()
	var s cycle.Summary
	for range 5000 {
		s.Services = append(s.Services, cycle.ServiceSummary{Service: "web", Status: check.Degraded})
		s.Attention = append(s.Attention, cycle.Attention{Service: "web", Reason: "it is down"})
	}
	if err := a.writeSummary(s, nil); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.Count(got, "web degraded") != 10 || strings.Count(got, "web, web") != 5 || strings.Count(got, "it is down") != 1 || strings.Count(got, "and 4990 more") != 2 {
		t.Errorf("%s", got)
	}
	a, out = printing()
	a.json = true
	if err := a.writeSummary(s, nil); err != nil || strings.Count(out.String(), `"web"`) != 10_000 {
		t.Errorf("%v: %d services in JSON", err, strings.Count(out.String(), `"web"`))
	}
}

func TestZone(t *testing.T) {
	for name, want := range map[string]string{"UTC": "UTC", "Europe/Berlin": "CET, UTC+01:00", "Asia/Dubai": "UTC+04:00", "America/St_Johns": "NST, UTC-03:30"} {
		location, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := zone(time.Date(2026, 11, 21, 10, 0, 0, 0, location)); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

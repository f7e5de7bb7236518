package settings_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/hooks/settings"
)

var usual = settings.Options{Program: []string{"claude-hooks"}}

func TestWrapLine(t *testing.T) {
	const head, tail = `CLAUDE_HOOK='`, `'; command -v claude-hooks >/dev/null 2>&1 && exec claude-hooks run`
	const end = ` -c \"$CLAUDE_HOOK\"; eval \"$CLAUDE_HOOK\"`
	for _, tc := range []struct{ name, hook, want string }{
		{"plain", `"command":"a && b"`, `"command":"` + head + `a && b` + tail + end + `"`},
		{"escapes are kept", `"command":"\u0026\/ \"x\" \\ é\u00e9\n"`, `"command":"` + head + `\u0026\/ \"x\" \\ é\u00e9\n` + tail + end + `"`},
		{"quotes", `"command":"'a' \u0027"`, `"command":"` + head + `'\\''a'\\'' '\\\u0027'` + tail + end + `"`},
		{"timeout", `"command":"x","timeout":60`, `"command":"` + head + `x` + tail + ` --timeout 57s` + end + `","timeout":60`},
		{"at least 0.8 s less", `"timeout":2,"command":"x"`, `"timeout":2,"command":"` + head + `x` + tail + ` --timeout 1.2s` + end + `"`},
		{"at most 5 s less", `"command":"x","timeout":6e2`, `"command":"` + head + `x` + tail + ` --timeout 9m55s` + end + `","timeout":6e2`},
		{"short", `"command":"x","timeout":0.2`, `"command":"` + head + `x` + tail + ` --timeout 100ms` + end + `","timeout":0.2`},
		{"too short for another inside", `"command":"x","timeout":0.001`, `"command":"` + head + `x` + tail + end + `","timeout":0.001`},
		{"no timeout", `"command":"x","timeout":"60"`, `"command":"` + head + `x` + tail + end + `","timeout":"60"`},
		{"asynchronous", `"command":"x","async":true`, `"command":"` + head + `x` + tail + ` --quiet` + end + `","async":true`},
		{"wakes the model", `"command":"x","asyncRewake":true`, `"command":"` + head + `x` + tail + end + `","asyncRewake":true`},
		{"not asynchronous", `"command":"x","async":false`, `"command":"` + head + `x` + tail + end + `","async":false`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			doc := func(hook string) string { return `{"hooks":{"Stop":[{"hooks":[{"type":"command",` + hook + `}]}]}}` }
			got, entries := wrap(t, doc(tc.hook), usual)
			if diff := cmp.Diff(doc(tc.want), got); diff != "" {
				t.Error(diff)
			}
			if len(entries) != 1 || entries[0].Action != settings.Wrapped {
				t.Errorf("entries %v", entries)
			}
			wantBack(t, got, doc(tc.hook))
		})
	}
}

func TestWrapArgs(t *testing.T) {
	const script = `"-c", "command -v claude-hooks >/dev/null 2>&1 && exec claude-hooks run FLAGS-- \"$@\"; exec \"$@\"", "claude-hooks", `
	for _, tc := range []struct{ name, hook, want, flags string }{
		{"none", `"command":"a\u0062","args":[]`, `"command":"/bin/sh","args":[` + script + `"a\u0062"]`, ""},
		{"blank", `"command":"ab","args":[ ]`, `"command":"/bin/sh","args":[` + script + `"ab" ]`, ""},
		{"some", `"args":["x","y z"],"command":"ab"`, `"args":[` + script + `"ab","x","y z"],"command":"/bin/sh"`, ""},
		{"lines", "\"command\":\"ab\",\"args\":[\n\t\"'x'\" ,\n\t\"y\"\n]",
			"\"command\":\"/bin/sh\",\"args\":[" + script + "\"ab\",\n\t\"'x'\" ,\n\t\"y\"\n]", ""},
		{"timeout", `"command":"ab","args":[],"timeout":10`, `"command":"/bin/sh","args":[` + script + `"ab"],"timeout":10`, "--timeout 9.2s "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			doc := func(hook string) string { return `{"hooks":{"Stop":[{"hooks":[{"type":"command",` + hook + `}]}]}}` }
			got, _ := wrap(t, doc(tc.hook), usual)
			if diff := cmp.Diff(doc(strings.Replace(tc.want, "FLAGS", tc.flags, 1)), got); diff != "" {
				t.Error(diff)
			}
			wantBack(t, got, doc(tc.hook))
		})
	}
}

func TestEveryFileComesBackByteForByte(t *testing.T) {
	for name, doc := range files(t) {
		for _, o := range []settings.Options{
			usual,
			{Program: []string{"/opt/it's here/claudeops", "hooks"}, Include: []string{"PreToolUse"}},
			{Program: []string{"/opt/my tools/claudeops", "hooks"}, Include: []string{"PreToolUse"}},
		} {
			t.Run(name+" "+o.Program[0], func(t *testing.T) {
				wrapped, entries := wrap(t, doc, o)
				if wrapped == doc {
					t.Error("nothing was wrapped")
				}
				again, second := wrap(t, wrapped, o)
				if again != wrapped {
					t.Errorf("wrapped twice:\n%s", cmp.Diff(wrapped, again))
				}
				for i := range entries {
					if entries[i].Action == settings.Wrapped {
						entries[i].Action = settings.Already
					}
				}
				if diff := cmp.Diff(entries, second); diff != "" {
					t.Error(diff)
				}
				wantBack(t, wrapped, doc)
			})
		}
	}
}

func TestWhatIsLeftAlone(t *testing.T) {
	var got []string
	for _, name := range []string{"typical.json", "odd.json"} {
		_, entries := wrap(t, files(t)[name], usual)
		for _, e := range entries {
			if e.Action == settings.Left {
				got = append(got, e.Event+": "+e.Command+": "+e.Why)
			}
		}
	}
	const guard = ": " + settings.MayRefuse
	want := []string{
		"PreToolUse: uv run $CLAUDE_PROJECT_DIR/.claude/hooks/damage-control/bash-tool-damage-control.py" + guard,
		`PreToolUse: jq -r '"\(.tool_input.command) - \(.tool_input.description // "No description")"' >> ~/.claude/bash-command-log.txt` + guard,
		"Stop: : it is no command: its type is prompt",
		"Stop: : it is no command: its type is http",
		"PostToolUse: : it has no command",
		"PostToolUse: : it has no command",
		"PostToolUse: : it has no command",
		"PostToolUse: a\x00b: it holds a NUL, which no command can",
		"PostToolUse: Get-Date: it runs in PowerShell",
		"PostToolUse: x: its args are no list of strings",
		"PostToolUse: x a: its args are no list of strings",
		"PostToolUse: claude-hooks run -- ./mine.sh: it calls claude-hooks already",
		"PostToolUse: /opt/claudeops hooks run -c 'x': it calls claude-hooks already",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestIncludeAndExclude(t *testing.T) {
	const doc = `{"hooks":{
		"PreToolUse":[{"hooks":[{"type":"command","command":"guard.sh"},{"type":"command","command":"log.sh"}]}],
		"Stop":[{"hooks":[{"type":"command","command":"check.py --all"},{"type":"command","command":"python3","args":["a b.py"]}]}]}}`
	for _, tc := range []struct {
		name             string
		include, exclude []string
		want             []settings.Action
	}{
		{"neither", nil, nil, []settings.Action{settings.Left, settings.Left, settings.Wrapped, settings.Wrapped}},
		{"an event", []string{"PreToolUse"}, nil, []settings.Action{settings.Wrapped, settings.Wrapped, settings.Wrapped, settings.Wrapped}},
		{"a part of a command", []string{"log"}, nil, []settings.Action{settings.Left, settings.Wrapped, settings.Wrapped, settings.Wrapped}},
		{"a glob", nil, []string{"check*[a-c]ll"}, []settings.Action{settings.Left, settings.Left, settings.Left, settings.Wrapped}},
		{"its arguments", nil, []string{"a b.py"}, []settings.Action{settings.Left, settings.Left, settings.Wrapped, settings.Left}},
		{"exclude is stronger", []string{"PreToolUse"}, []string{"guard", "Stop"},
			[]settings.Action{settings.Left, settings.Wrapped, settings.Left, settings.Left}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := usual
			o.Include, o.Exclude = tc.include, tc.exclude
			_, entries := wrap(t, doc, o)
			if diff := cmp.Diff(tc.want, actions(entries)); diff != "" {
				t.Error(diff)
			}
		})
	}
	all := usual
	all.Include = []string{"PreToolUse"}
	wrapped, _ := wrap(t, doc, all)
	// A wrapped hook stays wrapped, whether it is named again or not, until it is excluded.
	again, _ := wrap(t, wrapped, usual)
	if again != wrapped {
		t.Errorf("a PreToolUse hook that was wrapped is not any more:\n%s", again)
	}
	excluding := usual
	excluding.Exclude = []string{".sh"}
	less, entries := wrap(t, wrapped, excluding)
	want := []settings.Action{settings.Unwrapped, settings.Unwrapped, settings.Already, settings.Already}
	if diff := cmp.Diff(want, actions(entries)); diff != "" {
		t.Error(diff)
	}
	if plain, _ := wrap(t, doc, usual); less != plain {
		t.Errorf("unwrapped by --exclude:\n%s", cmp.Diff(plain, less))
	}
}

func TestWrappingAgainUpdates(t *testing.T) {
	for _, form := range []string{`"command":"x 'y'"`, `"command":"x","args":["a"]`} {
		doc := func(timeout string) string {
			return `{"hooks":{"Stop":[{"hooks":[{"type":"command",` + form + `,"timeout":` + timeout + `}]}]}}`
		}
		wrapped, _ := wrap(t, doc("10"), usual)
		changed := strings.Replace(wrapped, `"timeout":10`, `"timeout":20`, 1)
		got, entries := wrap(t, changed, usual)
		if want, _ := wrap(t, doc("20"), usual); got != want || entries[0].Action != settings.Updated {
			t.Errorf("%v:\n%s", entries, cmp.Diff(want, got))
		}
		wantBack(t, got, doc("20"))

		other := settings.Options{Program: []string{"/opt/claudeops", "hooks"}}
		got, entries = wrap(t, wrapped, other)
		if want, _ := wrap(t, doc("10"), other); got != want || entries[0].Action != settings.Updated {
			t.Errorf("another program: %v:\n%s", entries, cmp.Diff(want, got))
		}
	}
}

// The agent program runs equal hooks of an event once, so they must stay equal.
func TestEqualHooksStayEqual(t *testing.T) {
	wrapped, _ := wrap(t, `{"hooks":{"Stop":[
		{"matcher":"a","hooks":[{"type":"command","command":"x","timeout":10},{"type":"command","command":"y","timeout":10}]},
		{"matcher":"b","hooks":[{"type":"command","command":"x","timeout":20},{"type":"command","command":"y"},
			{"type":"command","command":"x","if":"Bash(ls)"}]}
	],"SessionEnd":[{"hooks":[{"type":"command","command":"x","timeout":1}]}]}}`, usual)
	var got []string
	for _, command := range commands(t, wrapped) {
		name := command[len("CLAUDE_HOOK='"):][:1]
		_, flags, _ := strings.Cut(command, " run")
		flags, _, _ = strings.Cut(flags, " -c ")
		got = append(got, name+flags)
	}
	want := []string{"x --timeout 500ms", "x --timeout 19s", "y", "x --timeout 19s", "y", "x"}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// When a person changes a setting in the agent program, it rewrites the file with two spaces and minimal escapes. Wrapped hooks can still
// be unwrapped then.
func TestUnwrapsWhatWasFormattedAnew(t *testing.T) {
	for name, doc := range files(t) {
		t.Run(name, func(t *testing.T) {
			wrapped, _ := wrap(t, doc, usual)
			formatted := func(text string) string {
				v := jsontext.Value(strings.TrimPrefix(text, "\ufeff"))
				if err := v.Format(jsontext.Multiline(true), jsontext.WithIndent("  "), jsontext.PreserveRawStrings(false),
					jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
					t.Fatal(err)
				}
				return string(v)
			}
			anew := formatted(wrapped)
			if again, _ := wrap(t, anew, usual); again != anew {
				t.Errorf("wrapped again:\n%s", cmp.Diff(anew, again))
			}
			back, _, err := settings.Unwrap([]byte(anew))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(formatted(doc), formatted(string(back))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWhatIsNoSettings(t *testing.T) {
	for _, tc := range []struct{ doc, want string }{
		{"{\n  \"hooks\": {\n    \"Stop\": [,]\n  }\n}", `3:14: invalid character ',' at start of value`},
		{"{\"ü\": tru}", `1:10: `},
		{"\ufeff{\"ü\" 1}", `1:6: `},
		{"{\"a\": 1,}", `1:8: `},
		{"{\n// no\n}", `2:1: `},
		{"{\"a\": [", `1:8: it ends in the middle`},
		{"{\"a\": \"", `1:8: it ends in the middle`},
		{"{} x", `1:4: `},
		{"{}\n{}", `2:1: something follows the end of the settings`},
		{" []", `1:2: settings are a JSON object, which begins with {`},
		{"null", `1:1: settings are a JSON object, which begins with {`},
		{"\"\\ud800\"", `1:1: settings are a JSON object, which begins with {`},
		{"{\"a\": \"\\x\"}", `1:8: `},
		{strings.Repeat("[", 1<<20), `1:10001: `},
	} {
		_, _, err := settings.Wrap([]byte(tc.doc), usual)
		_, _, uerr := settings.Unwrap([]byte(tc.doc))
		syntax := (*settings.SyntaxError)(nil)
		if !errors.As(err, &syntax) || !strings.HasPrefix(err.Error(), tc.want) || uerr == nil || uerr.Error() != err.Error() {
			t.Errorf("%.20q: %v and %v, want %s", tc.doc, err, uerr, tc.want)
		}
	}
}

func TestBlankSettings(t *testing.T) {
	for _, doc := range []string{"", "\n", "\ufeff", "\ufeff \r\n\t"} {
		if got, entries := wrap(t, doc, usual); got != doc || len(entries) > 0 {
			t.Errorf("%q: %q, %v", doc, got, entries)
		}
	}
}

func TestLinesThatWouldMeanSomethingElse(t *testing.T) {
	for line, want := range map[string]string{
		"-x":                     "a shell takes it for an option",
		"+x":                     "a shell takes it for an option",
		"echo $CLAUDE_HOOK":      "it has a CLAUDE_HOOK of its own",
		"CLAUDE_HOOK=1 x":        "it has a CLAUDE_HOOK of its own",
		"A_CLAUDE_HOOK=1 x":      "",
		"CLAUDE_HOOKS_SKIP=a x":  "",
		"echo ${CLAUDE_HOOK:-x}": "it has a CLAUDE_HOOK of its own",
	} {
		doc := `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"` + line + `"}]}]}}`
		if got, entries := wrap(t, doc, usual); entries[0].Why != want || (got == doc) != (want != "") {
			t.Errorf("%s: %v", line, entries)
		}
	}
}

func TestALineThatIsTooLong(t *testing.T) {
	doc := `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":": ` + strings.Repeat("'", 30_000) + `"}]}]}}`
	got, entries := wrap(t, doc, usual)
	if got != doc || entries[0].Action != settings.Left || entries[0].Why != "it is too long" {
		t.Errorf("action %s, %s", entries[0].Action, entries[0].Why)
	}
}

// A line that only looks like a wrapped one is left alone.
func TestLookalikes(t *testing.T) {
	for _, line := range []string{
		`CLAUDE_HOOK='x'; command -v a >/dev/null 2>&1 && exec b run -c \"$CLAUDE_HOOK\"; eval \"$CLAUDE_HOOK\"`,
		`CLAUDE_HOOK='x'; command -v a >/dev/null 2>&1 && exec a run; rm x -c \"$CLAUDE_HOOK\"; eval \"$CLAUDE_HOOK\"`,
		`CLAUDE_HOOK='x'; command -v a >/dev/null 2>&1 && exec a run -c \"$CLAUDE_HOOK\"; eval \"$CLAUDE_HOOK\" | tee log`,
		`CLAUDE_HOOK='x' command -v a >/dev/null 2>&1 && exec a run -c \"$CLAUDE_HOOK\"; eval \"$CLAUDE_HOOK\"`,
		`CLAUDE_HOOK='x'; exec a run -c \"$CLAUDE_HOOK\"`,
		`CLAUDE_HOOK='x'; exec a walk -c \"$CLAUDE_HOOK\"`,
		`CLAUDE_HOOK='x'; command -v a >/dev/null 2>&1 && exec a run $(b) -c \"$CLAUDE_HOOK\"; eval \"$CLAUDE_HOOK\"`,
		`CLAUDE_HOOK='x`,
		`CLAUDE_HOOK='x'\\''`,
		`CLAUDE_HOOK=''`,
		`CLAUDE_HOOK=`,
	} {
		doc := `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"` + line + `"}]}]}}`
		wantBack(t, doc, doc)
		wrapped, entries := wrap(t, doc, usual)
		if entries[0].Action == settings.Wrapped {
			wantBack(t, wrapped, doc)
		} else if wrapped != doc {
			t.Errorf("%s: changed without being wrapped", line)
		}
	}
}

func wrap(t *testing.T, doc string, o settings.Options) (string, []settings.Entry) {
	t.Helper()
	got, entries, err := settings.Wrap([]byte(doc), o)
	if err != nil {
		t.Fatal(err)
	}
	return string(got), entries
}

func wantBack(t *testing.T, wrapped, want string) {
	t.Helper()
	got, _, err := settings.Unwrap([]byte(wrapped))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("unwrapped:\n%s", cmp.Diff(want, string(got)))
	}
}

func actions(entries []settings.Entry) []settings.Action {
	var all []settings.Action
	for _, e := range entries {
		all = append(all, e.Action)
	}
	return all
}

// commands returns the commands of all hooks, sorted by event.
func commands(t *testing.T, doc string) []string {
	t.Helper()
	var s struct {
		Hooks map[string][]struct {
			Hooks []struct{ Command string }
		}
	}
	if err := json.Unmarshal([]byte(doc), &s, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, event := range slices.Sorted(maps.Keys(s.Hooks)) {
		for _, group := range s.Hooks[event] {
			for _, h := range group.Hooks {
				all = append(all, h.Command)
			}
		}
	}
	return all
}

func files(t testing.TB) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.json")
	if err != nil || len(paths) < 5 {
		t.Fatalf("settings files to test with: %v, %v", paths, err)
	}
	all := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(path)] = string(text)
	}
	return all
}

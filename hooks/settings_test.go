package hooks

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const typical = `{
  // with a comment
  "permissions": {"allow": ["Bash"],},
  "hooks": {
    "Stop": [{"hooks": [
      {"type": "command", "command": "uv run $CLAUDE_PROJECT_DIR/check.py --directory \u0027a b\u0027", "timeout": 30},
      {"type": "command", "command": "sh", "args": ["${CLAUDE_PROJECT_DIR}/probe.sh", "a  b", "it's"]},
      {"type": "prompt", "prompt": "Is it done?"}
    ]}],
    "PostToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": "format.sh", "async": true}]}],
    "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "guard.sh"}]}],
    "SessionStart": [{"hooks": [{"type": "command", "command": "claude-hooks", "args": ["run", "--", "x.sh"]}, {"type": "command", "command": "x", "shell": "powershell"}]}]
  },
}
`

func TestWhatInstallWraps(t *testing.T) {
	wrapped, entries, err := Wrap([]byte(typical), "claude-hooks", nil)
	must(t, err)
	want := []Entry{
		{Event: "Stop", Command: "uv run $CLAUDE_PROJECT_DIR/check.py --directory 'a b'", Action: Wrapped},
		{Event: "Stop", Command: "sh '${CLAUDE_PROJECT_DIR}/probe.sh' 'a  b' 'it'\\''s'", Action: Wrapped},
		{Event: "Stop", Action: Left, Why: "it is no command"},
		{Event: "PostToolUse", Command: "format.sh", Action: Wrapped},
		{Event: "PreToolUse", Command: "guard.sh", Action: Left, Why: "it may be a guard, which would refuse nothing while it is switched off; --include NAME wraps it"},
		{Event: "SessionStart", Command: "claude-hooks run -- x.sh", Action: Left, Why: "it calls the circuit breaker by itself; `claudeops hooks` and `claudeops-hook` are `claude-hooks` now"},
		{Event: "SessionStart", Command: "x", Action: Left, Why: "it runs in PowerShell"},
	}
	if diff := cmp.Diff(want, entries); diff != "" {
		t.Error(diff)
	}
	for _, part := range []string{
		`"CLAUDE_HOOK='uv run $CLAUDE_PROJECT_DIR/check.py --directory '\\\u0027'a b'\\\u0027''; command -v claude-hooks >/dev/null 2>&1 && ` +
			`exec claude-hooks run -c \"$CLAUDE_HOOK\"; eval \"$CLAUDE_HOOK\"", "timeout": 30}`,
		`"command": "/bin/sh", "args": ["-c", "command -v claude-hooks >/dev/null 2>&1 && exec claude-hooks run -- \"$@\"; exec \"$@\"", ` +
			`"claude-hooks", "sh","${CLAUDE_PROJECT_DIR}/probe.sh", "a  b", "it's"]`,
		`exec claude-hooks run --quiet -c`,
		`"command": "guard.sh"`,
		"// with a comment",
	} {
		if !strings.Contains(string(wrapped), part) {
			t.Errorf("%s is missing:\n%s", part, wrapped)
		}
	}
	for _, include := range []string{"guard", "PreToolUse"} {
		_, entries, err = Wrap(wrapped, "claude-hooks", []string{include})
		must(t, err)
		var actions []string
		for _, e := range entries {
			actions = append(actions, e.Action)
		}
		if got := strings.Join(actions, ","); got != "already wrapped,already wrapped,left alone,already wrapped,wrapped,left alone,left alone" {
			t.Errorf("--include %s: %s", include, got)
		}
	}
	back, _, err := Unwrap(wrapped)
	must(t, err)
	if diff := cmp.Diff(typical, string(back)); diff != "" {
		t.Errorf("uninstalled: %s", diff)
	}
}

// What earlier versions wrote is replaced.
func TestEarlierFormsAreReplaced(t *testing.T) {
	for _, earlier := range []struct{ program, run string }{
		{"/usr/bin/claudeops", " hooks run --timeout 57s"}, {"/opt/claudeops-hook", " hooks run"},
		{"claude-hooks", " run --timeout 28.5s --quiet"}, {"'/a b/claudeops'", " hooks run"},
	} {
		call := "command -v " + earlier.program + " >/dev/null 2>&1 && exec " + earlier.program + earlier.run
		line, err := json.Marshal(`CLAUDE_HOOK='it'\''s'; ` + call + ` -c "$CLAUDE_HOOK"; eval "$CLAUDE_HOOK"`)
		must(t, err)
		exact, err := json.Marshal([]string{"-c", call + ` -- "$@"; exec "$@"`, "claude-hooks", "sh", "x.sh"})
		must(t, err)
		doc := `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":` + string(line) + `},` +
			`{"type":"command","command":"/bin/sh","args":` + string(exact) + `}]}]}}`
		wrapped, entries, err := Wrap([]byte(doc), "claude-hooks", nil)
		must(t, err)
		want := []Entry{
			{Event: "Stop", Command: "it's", Action: Replaced},
			{Event: "Stop", Command: "sh x.sh", Action: Replaced},
		}
		if diff := cmp.Diff(want, entries); diff != "" || strings.Count(string(wrapped), "exec claude-hooks run -") != 2 {
			t.Errorf("%s: %s\n%s", call, diff, wrapped)
		}
	}
}

// A wrapped line is the original for the shell, with the program and without it.
func TestAWrappedLineRunsWhereTheProgramIsMissing(t *testing.T) {
	const line = `printf '[%s]' "it's" '"' \\$HOME "$(echo a  b)"; exit 3`
	quoted, err := json.Marshal(line)
	must(t, err)
	wrapped, _, err := Wrap([]byte(`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":`+string(quoted)+`}]}]}}`), "no-such-program", nil)
	must(t, err)
	run := func(command string) string {
		out, err := exec.Command("/bin/sh", "-c", command).CombinedOutput()
		return fmt.Sprintf("%s %v", out, err)
	}
	if want, got := run(line), run(listed(t, wrapped)[0].Command); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestSettingsThatAreNone(t *testing.T) {
	for _, doc := range []string{"[]", `"x"`, "{", `{"hooks": }`} {
		if _, _, err := Wrap([]byte(doc), "claude-hooks", nil); err == nil {
			t.Errorf("%q was taken", doc)
		}
	}
	for _, doc := range []string{"", " \n", "{}", `{"hooks": []}`, `{"hooks": {"Stop": [5, {"hooks": [7]}]}}`} {
		if got, entries, err := Wrap([]byte(doc), "claude-hooks", nil); err != nil || string(got) != doc || len(entries) > 0 {
			t.Errorf("%q became %q, %v, %v", doc, got, entries, err)
		}
	}
}

type listedHook struct {
	Command string
	Args    []string
}

// listed returns the hooks of a document, as another JSON library reads them.
func listed(t interface{ Fatalf(string, ...any) }, doc []byte) (all []listedHook) {
	var s struct {
		Hooks map[string][]struct{ Hooks []listedHook }
	}
	if err := json.Unmarshal(doc, &s); err != nil {
		t.Fatalf("%q: %v", doc, err)
	}
	for _, group := range s.Hooks["Stop"] {
		all = append(all, group.Hooks...)
	}
	return all
}

// For any command in any spelling: wrapping twice is wrapping once, the shell gets the original command, and unwrapping restores the bytes.
func TestUninstallTakesExactlyThatBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.OneOf(
			rapid.StringOfN(rapid.RuneFrom([]rune(`'"\ $;&|a=-ü✓😀`+"\n\t\x01\x7f\u2028")), 1, 12, -1),
			rapid.SampledFrom([]string{"uv run x.py", "it's", `'`, `\`, `\'`, `'\''`, `'"'"'`, "a\n'", "# x", `\u0027`, `\\u0027`}),
		).Filter(func(s string) bool { return strings.TrimSpace(s) != "" })
		var entries []string
		for range rapid.IntRange(1, 4).Draw(t, "hooks") {
			entry := `{"type":"command", "command" : ` + spelled(t, word.Draw(t, "command"))
			if rapid.Bool().Draw(t, "exec") {
				entry += ` , "args":[ ` + spelled(t, word.Draw(t, "arg")) + ` ]`
			}
			if rapid.Bool().Draw(t, "async") {
				entry += `,"async":true`
			}
			entries = append(entries, entry+"}")
		}
		doc := []byte(`{"hooks":{"Stop":[{"hooks":[` + strings.Join(entries, " ,\n") + "]}]}}\n")
		program := rapid.SampledFrom([]string{"claude-hooks", `/opt/it's "here"/ü`}).Draw(t, "program")
		once, report, err := Wrap(doc, program, nil)
		if err != nil {
			t.Fatalf("%s: %v", doc, err)
		}
		if twice, _, err := Wrap(once, program, nil); err != nil || string(twice) != string(once) {
			t.Fatalf("wrapped twice: %v\n%s\n%s", err, once, twice)
		}
		if back, _, err := Unwrap(once); err != nil || string(back) != string(doc) {
			t.Fatalf("unwrapped: %v\n%s\n%s", err, doc, back)
		}
		before := listed(t, doc)
		for i, h := range listed(t, once) {
			is := before[i]
			quoted := "CLAUDE_HOOK='" + strings.ReplaceAll(is.Command, "'", `'\''`) + "'; command -v "
			switch {
			case report[i].Action != Wrapped:
				t.Fatalf("%+v", report[i])
			case is.Args == nil && !strings.HasPrefix(h.Command, quoted):
				t.Fatalf("%q became %q", is.Command, h.Command)
			case is.Args != nil && !slices.Equal(h.Args[3:], append([]string{is.Command}, is.Args...)):
				t.Fatalf("%+v became %+v", is, h)
			}
		}
	})
}

// spelled writes a string as JSON, with the necessary escapes, and sometimes with others.
func spelled(t *rapid.T, text string) string {
	var b strings.Builder
	for _, r := range text {
		plain, _ := json.Marshal(string(r))
		if r < 0x10000 && rapid.IntRange(0, 5).Draw(t, "escaped") == 0 {
			fmt.Fprintf(&b, `\u%04X`, r)
		} else {
			b.Write(plain[1 : len(plain)-1])
		}
	}
	return `"` + b.String() + `"`
}

func FuzzWrap(f *testing.F) {
	f.Add(typical)
	f.Add(`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"CLAUDE_HOOK='x'; exec a run -c \"$CLAUDE_HOOK\""}]}]}}`)
	f.Fuzz(func(t *testing.T, doc string) {
		before, _, err := Unwrap([]byte(doc))
		once, _, wrapErr := Wrap([]byte(doc), "claude-hooks", nil)
		if fmt.Sprint(err) != fmt.Sprint(wrapErr) {
			t.Fatalf("wrapped %v, unwrapped %v", wrapErr, err)
		}
		if err != nil {
			return
		}
		if twice, _, err := Wrap(once, "claude-hooks", nil); err != nil || string(twice) != string(once) {
			t.Fatalf("wrapped twice: %v\n%q\n%q", err, once, twice)
		}
		if back, _, err := Unwrap(once); err != nil || string(back) != string(before) {
			t.Fatalf("unwrapped: %v\n%q\n%q", err, before, back)
		}
	})
}

package settings_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/hooks/settings"
)

func TestSetPrefix(t *testing.T) {
	const script, set = "/home/me/.claude/claude-hooks-prefix", `"CLAUDE_CODE_SHELL_PREFIX": "/home/me/.claude/claude-hooks-prefix"`
	for _, tc := range []struct{ name, doc, want string }{
		{"an env", "{\n  \"env\": {\n    \"A\": \"b\"\n  }\n}\n", "{\n  \"env\": {\n    " + set + ",\n    \"A\": \"b\"\n  }\n}\n"},
		{"an empty env", `{"env": { } }`, `{"env": {` + set + ` } }`},
		{"no env", "{\r\n\t\"x\" : 1\r\n}", "{\r\n\t\"env\": { " + set + " },\r\n\t\"x\" : 1\r\n}"},
		{"minified", `{"env":{"A":"b"}}`, `{"env":{` + strings.Replace(set, ": ", ":", 1) + `,"A":"b"}}`},
		{"minified without env", `{"x":1}`, `{"env":{ ` + strings.Replace(set, ": ", ":", 1) + ` },"x":1}`},
		{"nothing in it", `{}`, `{"env": { ` + set + ` }}`},
		{"two", `{"env":{"A":"1"},"env":{"B":"2"}}`, `{"env":{"A":"1"},"env":{` + strings.Replace(set, ": ", ":", 1) + `,"B":"2"}}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := settings.SetPrefix([]byte(tc.doc), script)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, string(got)); diff != "" {
				t.Error(diff)
			}
			again, err := settings.SetPrefix(got, script)
			if err != nil || string(again) != string(got) {
				t.Errorf("set twice: %v\n%s", err, again)
			}
			moved, err := settings.SetPrefix(got, "/elsewhere/claude-hooks-prefix")
			if err != nil || string(moved) != strings.ReplaceAll(string(got), "/home/me/.claude", "/elsewhere") {
				t.Errorf("set to another place: %v\n%s", err, moved)
			}
			back, was, err := settings.UnsetPrefix(got)
			if err != nil || was != script || string(back) != tc.doc {
				t.Errorf("taken away: %q, %v\n%s", was, err, cmp.Diff(tc.doc, string(back)))
			}
		})
	}
	for _, tc := range []struct{ doc, script, want string }{
		{`{"env":{"CLAUDE_CODE_SHELL_PREFIX":"/opt/nix-shell"}}`, script,
			`1:36: CLAUDE_CODE_SHELL_PREFIX is set to another program: "/opt/nix-shell"`},
		{`{"env":[]}`, script, "1:8: env is no JSON object"},
		{`{`, script, "1:2: it ends in the middle"},
		{`{}`, "claude-hooks-prefix", "absolute path"},
		{`{}`, "/home/me -x/claude-hooks-prefix", "absolute path"},
	} {
		if got, err := settings.SetPrefix([]byte(tc.doc), tc.script); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %q, %v; want %s", tc.doc, got, err, tc.want)
		}
	}
	for _, doc := range []string{"", "{}", `{"env":{"CLAUDE_CODE_SHELL_PREFIX":"/opt/nix-shell"}}`, `{"env":{"CLAUDE_CODE_SHELL_PREFIX":1}}`} {
		if got, was, err := settings.UnsetPrefix([]byte(doc)); err != nil || was != "" || string(got) != doc {
			t.Errorf("%s: %q, %q, %v", doc, got, was, err)
		}
	}
	for doc, want := range map[string]string{ // moved by a person since
		`{"env": {"A": "1" , ` + set + `, "B": "2"}}`:      `{"env": {"A": "1", "B": "2"}}`,
		`{"x": 1, "env": { ` + set + ` }, "y": 2}`:         `{"x": 1, "y": 2}`,
		"{\n \"x\": 1,\n \"env\": {\n  " + set + "\n }\n}": "{\n \"x\": 1\n}",
	} {
		if got, _, err := settings.UnsetPrefix([]byte(doc)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v; want %q", doc, got, err, want)
		}
	}
	got, err := settings.SetPrefix(nil, script)
	if err != nil || string(got) != `{"env": { `+set+` }}`+"\n" {
		t.Errorf("blank settings: %v %s", err, got)
	}
}

// The agent program runs hooks, its Bash tool and MCP servers through the script. Only hooks may reach the breaker.
func TestPrefixScript(t *testing.T) {
	const (
		hook   = "AI_AGENT=claude-code_2-1-197_harness CLAUDE_CODE_CHILD_SESSION=1"
		tool   = "AI_AGENT=claude-code_2-1-197_agent CLAUDE_CODE_CHILD_SESSION=1"
		server = "AI_AGENT=claude-code_2-1-197_harness"
	)
	excluding := usual
	excluding.Exclude = []string{"it's*safe", "guard", "x[0-9]", "Stop"}
	included := usual
	included.Include = []string{"PreToolUse"}
	some := usual
	some.Include, some.Exclude = []string{"b[!x]", "it's"}, []string{"Stop"}
	wrapped := wrapHook(t, hookOf{Command: "log a"}).Command
	for _, tc := range []struct {
		name, env, line string
		o               settings.Options
		want            string // the arguments of claude-hooks
	}{
		{"hook", hook, `log 'a b' "$FOO"; exit 3`, usual, "run\n--plugin\n--always\nPreToolUse\n-c\nlog 'a b' \"$FOO\"; exit 3\n"},
		{"hook, PreToolUse included", hook, `log x`, included, "run\n--plugin\n-c\nlog x\n"},
		{"hook in lines", hook, "log a\nlog b # c", usual, "run\n--plugin\n--always\nPreToolUse\n-c\nlog a\nlog b # c\n"},
		{"excluded", hook, `log "it's quite safe"`, excluding, ""},
		{"excluded by a part", hook, `log bash-guard.py`, excluding, ""},
		{"excluded by a class", hook, `log x7`, excluding, ""},
		{"not excluded, but an event is", hook, `log xy`, excluding, "run\n--plugin\n--always\nStop,PreToolUse\n-c\nlog xy\n"},
		{"included by a part", hook, `log "it's"`, some, "run\n--plugin\n--always\nStop\n-c\nlog \"it's\"\n"},
		{"included by a class", hook, `log by`, some, "run\n--plugin\n--always\nStop\n-c\nlog by\n"},
		{"not included", hook, `log bx`, some, "run\n--plugin\n--always\nStop,PreToolUse\n-c\nlog bx\n"},
		{"wrapped by hand", hook, `true || claude-hooks run -- x; log y`, usual, ""},
		{"Bash tool", tool, `eval 'log "$0"' < /dev/null && pwd -P`, usual, ""},
		{"Bash tool of an older version", "SHELL=/bin/bash", `log "${BASH_VERSION+bash}" && pwd -P >| cwd; exit 5`, usual, ""},
		{"MCP server", server, `log 'a b' '$FOO'`, usual, ""},
		{"whatever else", "A=1", `log "$0"; exit 4`, usual, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachShell(t, func(t *testing.T, w world) {
				write(t, filepath.Join(w.dir, "claude-hooks-prefix"), string(settings.PrefixScript(tc.o)), 0o755)
				write(t, filepath.Join(w.dir, "hooks/claude-hooks"),
					"#!/bin/sh\nprintf '%s\\n' \"$@\" >>\"$TRACE\"\nwhile [ $# -gt 1 ]; do shift; done\nexec /bin/sh -c \"$1\"\n", 0o755)
				interpreter := []string{"/bin/sh"}
				if strings.HasPrefix(tc.name, "Bash tool") {
					interpreter = []string{"/bin/bash"}
				}
				want, _ := w.through(t, false, tc.env, append(interpreter, "-c", tc.line))
				for _, installed := range []bool{false, true} {
					script := filepath.Join(w.dir, "claude-hooks-prefix")
					got, called := w.through(t, installed, tc.env, append(w.shell[:len(w.shell):len(w.shell)], script, tc.line))
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("claude-hooks installed: %v:\n%s", installed, diff)
					}
					if installed && called != tc.want || !installed && called != "" {
						t.Errorf("claude-hooks installed: %v: it was called with %q, want %q", installed, called, tc.want)
					}
				}
			})
		})
	}
	t.Run("a wrapped line", func(t *testing.T) {
		eachShell(t, func(t *testing.T, w world) {
			write(t, filepath.Join(w.dir, "claude-hooks-prefix"), string(settings.PrefixScript(usual)), 0o755)
			_, called := w.through(t, true, hook, append(w.shell[:len(w.shell):len(w.shell)], filepath.Join(w.dir, "claude-hooks-prefix"), wrapped))
			if called != "run\n" {
				t.Errorf("claude-hooks was called with %q, want once", called)
			}
		})
	})
	if !settings.IsPrefixScript(settings.PrefixScript(usual)) || settings.IsPrefixScript([]byte("#!/bin/sh\nexec sh -c \"$1\"\n")) {
		t.Error("the script is not recognised")
	}
}

// through runs a command with the environment that the agent program sets for it.
func (w world) through(t *testing.T, installed bool, env string, args []string) (e ended, called string) {
	t.Helper()
	trace := filepath.Join(w.dir, "trace")
	path := filepath.Join(w.dir, "bin") + ":/usr/bin:/bin"
	if installed {
		path = filepath.Join(w.dir, "hooks") + ":" + path
	}
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir = w.dir
	cmd.Env = append(strings.Fields(env), "PATH="+path, "TRACE="+trace, "SHELL_OF_TEST="+filepath.Join(w.dir, "sh"), "FOO=from outside")
	if !strings.Contains(env, "SHELL=") {
		cmd.Env = append(cmd.Env, "SHELL=/bin/bash")
	}
	cmd.Stdin = strings.NewReader("{}\n")
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run()
	text, _ := os.ReadFile(trace)
	os.Remove(trace)
	return ended{out.String(), talk(errs.String()), cmd.ProcessState.String()}, string(text)
}

package hooks

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// called is how a call ended.
type called struct {
	code     int
	out, err string
}

// call runs a hook as the agent program does. The input's pipe stays open, as it sometimes does.
func call(t *testing.T, input string, args ...string) called {
	t.Helper()
	r, w, err := os.Pipe()
	must(t, err)
	go func() { _, _ = w.WriteString(input) }()
	var out, errs bytes.Buffer
	code := Run(args, Streams{In: r, Out: &out, Err: &errs, Now: time.Now})
	_, _ = w.Close(), r.Close()
	return called{code, out.String(), errs.String()}
}

func inHome(t *testing.T, guardrails string) (home string) {
	t.Helper()
	home = newHome(t, guardrails)
	t.Setenv("HOME", home)
	return home
}

const stop = `{"session_id":"s","hook_event_name":"Stop"}` + "\n"

func TestANTILOOP_Wrapper(t *testing.T) {
	inHome(t, "")
	big := `{"session_id":"s","hook_event_name":"PostToolUse","tool_response":"` + strings.Repeat("x", 2*maxRead) + "\"}\n"
	for name, tt := range map[string]struct {
		input string
		args  []string
		want  called
	}{
		"a line":                 {stop, []string{"-c", "read -r line; echo \"$line\"; echo said >&2; exit 3"}, called{3, stop, "said\n"}},
		"a command":              {stop, []string{"--", "printf", "[%s]", "a  b", "$HOME", "it's", "", "-c"}, called{0, "[a  b][$HOME][it's][][-c]", ""}},
		"no JSON":                {"hello\n", []string{"-c", "read -r line; echo \"$line\""}, called{0, "hello\n", ""}},
		"much input":             {big, []string{"-c", "head -n1 | wc -c"}, called{0, fmt.Sprintln(len(big)), ""}},
		"much output":            {stop, []string{"-c", "head -c 9000000 /dev/zero | tr '\\0' x"}, called{0, strings.Repeat("x", 9_000_000), ""}},
		"input unread":           {big, []string{"-c", "exit 0"}, called{0, "", ""}},
		"no such program":        {stop, []string{"--", "/nowhere/x"}, called{127, "", "claude-hooks: /nowhere/x: No such file or directory\n"}},
		"ended by signal":        {stop, []string{"-c", "kill -9 $$"}, called{137, "", ""}},
		"of a plugin, as before": {stop, []string{"--plugin", "--always", "PreToolUse", "-c", "exit 4"}, called{4, "", ""}},
		"options of before":      {stop, []string{"--timeout", "57s", "--quiet", "-c", "echo ran"}, called{0, "ran\n", ""}},
		"no command":             {stop, []string{"--quiet"}, called{1, "", "claude-hooks: run: expected -c LINE or -- COMMAND…\n"}},
		"two lines":              {stop, []string{"-c", "a", "b"}, called{1, "", "claude-hooks: run: expected -c LINE or -- COMMAND…\n"}},
	} {
		if got := call(t, tt.input, tt.args...); got != tt.want {
			t.Errorf("%s: %d, %.200q, %.200q", name, got.code, got.out, got.err)
		}
	}
}

// What is printed in place of a hook that is skipped.
func TestANTILOOP_GracefulDegradation(t *testing.T) {
	home := inHome(t, "circuit_breaker: {depends_on: {client: [server]}}")
	const hook = "exit 1"
	for range 3 {
		call(t, stop, "-c", hook)
	}
	const disabled = `{"result":"continue","message":"Hook disabled due to repeated failures"`
	first := call(t, stop, "-c", hook)
	told := regexp.MustCompile(`,"systemMessage":"claude-hooks: exit is switched off until \d\d:\d\d:\d\d because it failed: Exit code 1; claude-hooks health shows more"}`)
	if !strings.HasPrefix(first.out, disabled) || !told.MatchString(first.out) || first.code != 0 {
		t.Errorf("%+v", first)
	}
	for event, want := range map[string]string{"Stop": disabled + "}\n", "PreCompact": "", "Notification": ""} {
		if got := call(t, strings.Replace(stop, "Stop", event, 1), "-c", hook); got.out != want || got.code != 0 {
			t.Errorf("%s: %+v", event, got)
		}
	}
	if got := call(t, stop, "--quiet", "-c", hook); got.out != "" || got.code != 0 {
		t.Errorf("quiet: %+v", got)
	}
	if got := call(t, strings.Replace(stop, "Stop", "WorktreeCreate", 1), "-c", hook); got.code != 1 {
		t.Errorf("what makes a worktree is never skipped: %+v", got)
	}
	f := &File{Path: filepath.Join(home, ".claude", "hook_state.json"), Now: time.Now}
	_, err := f.Update(lockWait, func(s *Hooks) {
		s.Edit("echo off", "", func(h *Hook) { h.DisabledByHand = &noon })
		s.Edit("sh server.sh", "", func(h *Hook) { h.DisabledByHand = &noon })
	})
	must(t, err)
	t.Setenv("CLAUDE_HOOKS_SKIP", "asked,other")
	for line, want := range map[string]string{
		"echo off":     "Hook is switched off by hand",
		"echo asked":   "Hook is skipped because CLAUDE_HOOKS_SKIP names it",
		"sh client.sh": "Hook is skipped while server.sh, which it depends on, is switched off",
	} {
		if got := call(t, stop, "-c", line); !strings.HasPrefix(got.out, `{"result":"continue","message":"`+want+`","systemMessage":"claude-hooks: `) {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

// Faults of the breaker do not keep a hook from running.
func TestFaultsOfTheBreakerDoNotKeepAHookFromRunning(t *testing.T) {
	for name, breaks := range map[string]func(home string){
		"no home":           func(string) { t.Setenv("HOME", "") },
		"home is no folder": func(string) { t.Setenv("HOME", "/dev/null") },
		"state is a folder": func(home string) { must(t, os.Mkdir(filepath.Join(home, ".claude", "hook_state.json"), 0o700)) },
		"configuration wrong": func(home string) {
			must(t, os.WriteFile(ConfigPath(home), []byte("circuit_breaker: {failure_threshold: -1}"), 0o600))
		},
		"breaker is off": func(home string) {
			must(t, os.WriteFile(ConfigPath(home), []byte("circuit_breaker: {enabled: false}"), 0o600))
		},
	} {
		breaks(inHome(t, ""))
		for range 4 {
			if got := call(t, stop, "-c", "echo ran; exit 1"); got != (called{1, "ran\n", ""}) {
				t.Errorf("%s: %+v", name, got)
			}
		}
	}
}

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/claudeops/claudeops/testkit/need"
)

func TestANTILOOP_Integration_FullHookExecutionWithWrapper(t *testing.T) {
	t.Parallel()
	d := newHooksHome(t, nil)
	d.env["CLAUDE_PROJECT_DIR"] = d.path(project)
	a := d.call("PostToolUse", "-c", `cat; echo "$CLAUDE_PROJECT_DIR|$0" >&2; exit 1`)
	if a.code != 1 || a.out != input("PostToolUse", "s") || a.err != d.path(project)+"|/bin/sh\n" {
		t.Errorf("%+v", a)
	}
	a = d.call("Stop", "--", "printf", "[%s]", "a  b", "$HOME", "it's", `"`, "", "-c", "--quiet")
	if a.code != 0 || a.out != `[a  b][$HOME][it's]["][][-c][--quiet]` || a.err != "" {
		t.Errorf("%+v", a)
	}
	d.write(project+"/my hook.sh", "echo \"$# $1\"; exit 2\n")
	for _, args := range [][]string{
		{"--", "sh", d.path(project, "my hook.sh"), "a b"}, {"-c", `sh "$CLAUDE_PROJECT_DIR/my hook.sh" 'a b'`},
	} {
		if a := d.call("PostToolUse", args...); a.code != 2 || a.out != "1 a b\n" {
			t.Errorf("%q: %+v", args, a)
		}
	}
	flood := strings.Repeat("x", 6<<20) // more than is looked at
	if a := d.feed(flood, "run", "-c", "cat; cat /dev/null >&2"); a.code != 0 || a.out != flood {
		t.Errorf("exit code %d, %d bytes of %d", a.code, len(a.out), len(flood))
	}
}

func TestANTILOOP_Integration_StatePersistsAcrossRuns(t *testing.T) {
	t.Parallel()
	d := newHooksHome(t, nil)
	const line = "echo run >> $TEST_DIR/runs; exit 1"
	for session := range 5 { // each in its own process and session
		a := d.feed(input("PostToolUse", strconv.Itoa(session)), "run", "-c", line)
		if skipped := session >= 3; a.code != 0 != !skipped || strings.HasPrefix(a.out, skippedMessage) != skipped {
			t.Errorf("call %d: %+v", session+1, a)
		}
	}
	hook := d.state().Hooks[line]
	if d.lines("runs") != 3 || hook.State != "open" || hook.Executions != 3 || hook.Skips != 2 {
		t.Fatalf("%d runs, state %s", d.lines("runs"), d.read(stateFile))
	}
	// The file holds whole seconds, and no trial may come too early. The cooldown grows with the share of calls that failed.
	if wait := hook.RetryAfter.Sub(*hook.DisabledAt); wait < 300*time.Second {
		t.Errorf("the next trial comes after %v", wait)
	}
	// A skipped call answers each time, and tells the person once a session.
	for _, tell := range []bool{true, false, false} {
		a := d.call("PostToolUse", "-c", line)
		if !strings.HasPrefix(a.out, skippedMessage) || strings.Contains(a.out, `"systemMessage":"claude-hooks: `) != tell {
			t.Errorf("%+v, want the person told: %t", a, tell)
		}
	}
}

func TestANTILOOP_Integration_RecoveryFromFailures(t *testing.T) {
	t.Parallel()
	d := newHooksHome(t, nil)
	const line = "echo run >> $TEST_DIR/runs; test -e $TEST_DIR/mended"
	d.write(stateFile, openCircuit(line))
	call := func(wantState string, wantCode, wantRuns int) {
		t.Helper()
		a := d.call("PostToolUse", "-c", line)
		if hook := d.state().Hooks[line]; a.code != wantCode || hook.State != wantState || d.lines("runs") != wantRuns {
			t.Errorf("%+v after %d runs, state %s", a, d.lines("runs"), d.read(stateFile))
		}
	}
	call("open", 1, 1) // the trial fails
	call("open", 0, 1) // and the circuit is open again
	d.write("mended", "")
	d.cooldownOver()
	call("half_open", 0, 2) // one success is not enough
	call("closed", 0, 3)
	if s := d.state(); s.Stats.Disabled != 0 || s.Stats.Executions != 1526 {
		t.Errorf("state %s", d.read(stateFile))
	}
}

// 200 hooks at once, each with a circuit of its own, and all in one file.
func TestANTILOOP_Integration_ConcurrentExecutions(t *testing.T) {
	t.Parallel()
	d := newHooksHome(t, nil)
	const calls = 200
	line := func(i int) string { return fmt.Sprintf("echo run >> $TEST_DIR/runs; exit %d", i) }
	var all []*exec.Cmd
	for i := range calls {
		all = append(all, d.starts(nil, line(i)))
	}
	for i, cmd := range all {
		_ = cmd.Wait() // its exit code is checked
		if code := cmd.ProcessState.ExitCode(); code != i {
			t.Errorf("hook %d ended with %d", i, code)
		}
	}
	s := d.state()
	for i := range calls {
		failures := 1
		if i == 0 || i == 2 { // a success, and a verdict
			failures = 0
		}
		if hook := s.Hooks[line(i)]; hook.Executions != 1 || hook.Failures != failures {
			t.Errorf("hook %d: %+v", i, hook)
		}
	}
	if d.lines("runs") != calls || s.Stats.Executions != calls || s.Stats.Failures != calls-2 {
		t.Errorf("%d runs, %+v", d.lines("runs"), s.Stats)
	}
}

// Ten calls at once after the cooldown: one of them is the trial, and the others do not wait for it.
func TestANTILOOP_Integration_OneTrialAtATime(t *testing.T) {
	t.Parallel()
	d := newHooksHome(t, nil)
	must(t, syscall.Mkfifo(d.path("go"), 0o600))
	const line = "echo run >> $TEST_DIR/runs; cat $TEST_DIR/go"
	d.write(stateFile, openCircuit(line))
	const calls = 10
	ended := make(chan string)
	for range calls {
		var out bytes.Buffer
		cmd := d.starts(&out, line)
		go func() {
			err := cmd.Wait()
			ended <- fmt.Sprint(out.String(), err)
		}()
	}
	told := 0
	for range calls - 1 { // while the trial hangs
		out := <-ended
		if !strings.HasPrefix(out, skippedMessage) || !strings.HasSuffix(out, "<nil>") {
			t.Errorf("a call that is skipped answered %q", out)
		}
		told += strings.Count(out, "systemMessage")
	}
	equal(t, "the person was told so often", told, 1)
	d.write("go", "trial\n")
	equal(t, "the trial answered", <-ended, "trial\n<nil>")
	if hook := d.state().Hooks[line]; d.lines("runs") != 1 || hook.State != "half_open" {
		t.Errorf("%d runs, state %s", d.lines("runs"), d.read(stateFile))
	}
}

// A state file of the Python wrapper: times without a zone, with microseconds, with another zone, and members of its own.
func TestANTILOOP_Integration_StateOfAnotherProgram(t *testing.T) {
	need.Full(t, "python3")
	t.Parallel()
	d := newHooksHome(t, nil)
	const line = "echo run >> $TEST_DIR/runs"
	script := `
import json, os, sys
from datetime import datetime, timedelta, timezone
past = datetime(2026, 2, 10, 23, 35, 42, 123456)
zoned = past.replace(tzinfo=timezone(timedelta(hours=5, minutes=30)))
hook = {"state": "open", "failure_count": 5, "consecutive_failures": 5, "consecutive_successes": 0,
        "first_failure": past.isoformat(), "last_failure": zoned.isoformat(), "last_success": None, "last_error": "é\u2028\ud800",
        "disabled_at": past.isoformat(), "retry_after": zoned.isoformat(), "owner": "prüfer"}
ahead = (datetime.now(timezone.utc) + timedelta(seconds=200)).isoformat()
waits = dict(hook, disabled_at=ahead, retry_after=ahead)
print(json.dumps({"hooks": {sys.argv[1]: hook, "waits": waits},
                  "global_stats": {"total_executions": 7, "total_failures": 5, "hooks_disabled": 2, "last_updated": past.isoformat(), "host": "a"},
                  "schema": [1, 2]}))`
	text, err := exec.CommandContext(t.Context(), "python3", "-c", script, line).Output()
	must(t, err)
	d.write(stateFile, string(text))
	for range 2 {
		if a := d.call("PostToolUse", "-c", line); a != (answer{}) {
			t.Errorf("%+v", a)
		}
	}
	if a := d.call("PostToolUse", "-c", "waits"); !strings.HasPrefix(a.out, skippedMessage) {
		t.Errorf("%+v", a)
	}
	s := d.state()
	hook := s.Hooks[line]
	if hook.State != "closed" || s.Stats.Executions != 9 || s.Stats.Disabled != 1 || s.Hooks["waits"].State != "open" || d.lines("runs") != 2 {
		t.Errorf("state %s", d.read(stateFile))
	}
	if hook.Owner != "prüfer" || s.Stats.Host != "a" || fmt.Sprint(s.Schema) != "[1 2]" {
		t.Errorf("what another program had added is lost: %s", d.read(stateFile))
	}
	if want := time.Date(2026, 2, 10, 18, 5, 42, 0, time.UTC); !hook.LastFailure.Equal(want) {
		t.Errorf("the last failure was at %v, want %v", hook.LastFailure, want)
	}
}

func TestANTILOOP_Integration_ExcludedHooks(t *testing.T) {
	t.Parallel()
	d := newHooksHome(t, nil)
	d.write(guardrails, "circuit_breaker:\n  exclude: [damage-control/bash-tool.py, 'edit-*.py']\n")
	for _, line := range []string{"exit 1 # damage-control/bash-tool.py", "exit 1 # edit-tool.py --all", "exit 1 # read-tool.py"} {
		excluded := !strings.Contains(line, "read")
		for i := range 5 {
			if a := d.call("PostToolUse", "-c", line); a.code == 1 != (excluded || i < 3) {
				t.Errorf("%s, call %d: %+v", line, i+1, a)
			}
		}
		if hook := d.state().Hooks[line]; excluded != (hook.State == "closed" && hook.Failures == 5) {
			t.Errorf("%s: %+v", line, hook)
		}
	}
	if got := strings.Count(d.read("home/.claude/logs/circuit_breaker.log"), "# damage-control/bash-tool.py | Hook failed: Exit code 1"); got != 5 {
		t.Errorf("%d failures are logged, want 5", got)
	}
}

// Who configured Apprise URLs is told when a circuit opens and when it closes, and no hook waits for that.
func TestHooksNotify(t *testing.T) {
	t.Parallel()
	d := newHooksHome(t, nil)
	must(t, syscall.Mkfifo(d.path("news"), 0o600))
	d.program("apprise", `printf '%s\n' "$APPRISE_URLS" "$@" > "$TEST_DIR/news"`) // hangs until somebody reads
	d.write(guardrails, "circuit_breaker: {failure_threshold: 1}\nnotify: ['ntfys://ops', 'json://desk']\n")
	const line = "test -e $TEST_DIR/mended # check.sh"
	sent := func() string {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), deadline)
		defer cancel()
		text, err := exec.CommandContext(ctx, "cat", d.path("news")).Output()
		must(t, err)
		return string(text)
	}
	if a := d.call("PostToolUse", "-c", line); a.code != 1 {
		t.Errorf("%+v", a)
	}
	if got := sent(); !strings.HasPrefix(got, "ntfys://ops json://desk\n--title\nHook check.sh is switched off\n--body\nExit code 1.\n\n"+line) {
		t.Errorf("sent %q", got)
	}
	d.write("mended", "")
	d.cooldownOver()
	for range 2 {
		if a := d.call("PostToolUse", "-c", line); a != (answer{}) {
			t.Errorf("%+v", a)
		}
	}
	if got := sent(); !strings.HasPrefix(got, "ntfys://ops json://desk\n--title\nHook check.sh works again\n--body\n") {
		t.Errorf("sent %q", got)
	}
}

// What is downloaded and started at every tool call.
func TestClaudeHooksIsSmall(t *testing.T) {
	t.Parallel()
	program := t.TempDir() + "/claude-hooks"
	cmd := exec.CommandContext(t.Context(), "go", "build", "-ldflags", "-s -w", "-o", program, "../cmd/claude-hooks")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	is, err := os.Stat(program)
	must(t, err)
	if is.Size() > 6<<20 {
		t.Errorf("claude-hooks has %.1f MB, want at most 6", float64(is.Size())/(1<<20))
	}
}

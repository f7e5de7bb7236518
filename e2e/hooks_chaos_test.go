package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/claudeops/claudeops/testkit/modeltest"
	"github.com/claudeops/claudeops/testkit/need"
)

func TestANTILOOP_Integration_FullHookExecutionWithWrapper(t *testing.T) {
	t.Parallel()
	d := newHooksHome(t, nil)
	a := d.claudeHooks(input("PostToolUse", "s1"), "run", "-c", `cat; echo "$CLAUDE_PROJECT_DIR|$0" >&2; exit 1`)
	if a.code != 1 || a.out != input("PostToolUse", "s1") || a.err != "|/bin/sh\n" {
		t.Errorf("%+v", a)
	}
	a = d.claudeHooks(input("Stop", "s1"), "run", "--", "printf", "[%s]", "a  b", "$HOME", "it's", "", "-c", "--quiet")
	if a.code != 0 || a.out != "[a  b][$HOME][it's][][-c][--quiet]" || a.err != "" {
		t.Errorf("%+v", a)
	}
}

func TestANTILOOP_Integration_StatePersistsAcrossRuns(t *testing.T) {
	t.Parallel()
	d := newHooksHome(t, nil)
	const line = "echo run >> $TEST_DIR/runs; exit 1"
	for session := range 5 { // each in its own process and session
		a := d.claudeHooks(input("PostToolUse", strconv.Itoa(session)), "run", "-c", line)
		if skipped := session >= 3; a.code != 0 != !skipped || strings.Contains(a.out, skippedMessage) != skipped {
			t.Errorf("call %d: %+v", session+1, a)
		}
	}
	hook := d.state().Hooks[line]
	if d.lines("runs") != 3 || hook.State != "open" || hook.Executions != 3 || hook.Skips != 2 ||
		hook.DisabledAt == nil || hook.RetryAfter == nil {
		t.Fatalf("%d runs, state %s", d.lines("runs"), d.read(stateFile))
	}
	// The file holds whole seconds, and no trial may come too early.
	if wait := hook.RetryAfter.Sub(*hook.DisabledAt); wait != 300*time.Second && wait != 301*time.Second {
		t.Errorf("%d runs, state %s", d.lines("runs"), d.read(stateFile))
	}
}

// openedLongAgo returns a state file as in ANTI-LOOP, as the Python wrapper would have left it.
func openedLongAgo(command string) string {
	return fmt.Sprintf(`{
  "hooks": {
    %q: {
      "state": "open",
      "failure_count": 5,
      "consecutive_failures": 5,
      "consecutive_successes": 0,
      "first_failure": "2026-02-10T23:32:15Z",
      "last_failure": "2026-02-10T23:35:42Z",
      "last_success": null,
      "last_error": "Failed to spawn: No such file or directory",
      "disabled_at": "2026-02-10T23:35:42Z",
      "retry_after": "2026-02-10T23:40:42Z"
    }
  },
  "global_stats": {
    "total_executions": 1523,
    "total_failures": 12,
    "hooks_disabled": 1,
    "last_updated": "2026-02-10T23:35:42Z"
  }
}
`, command)
}

func TestANTILOOP_Integration_RecoveryFromFailures(t *testing.T) {
	t.Parallel()
	d := newHooksHome(t, nil)
	const line = "echo run >> $TEST_DIR/runs; test -e $TEST_DIR/mended"
	d.write(stateFile, openedLongAgo(line))
	call := func(wantState string, wantCode, wantRuns int) {
		t.Helper()
		a := d.claudeHooks(input("PostToolUse", "s"), "run", "-c", line)
		if hook := d.state().Hooks[line]; a.code != wantCode || hook.State != wantState || d.lines("runs") != wantRuns {
			t.Errorf("%+v after %d runs, state %s", a, d.lines("runs"), d.read(stateFile))
		}
	}
	call("open", 1, 1) // the trial fails
	call("open", 0, 1) // and the circuit is open again
	d.write("mended", "")
	d.write(stateFile, openedLongAgo(line))
	call("half_open", 0, 2) // one success is not enough
	call("closed", 0, 3)
	if s := d.state(); s.Stats.Disabled != 0 || s.Stats.Executions != 1525 {
		t.Errorf("state %s", d.read(stateFile))
	}
}

func TestANTILOOP_Integration_ConcurrentExecutions(t *testing.T) {
	t.Parallel()
	d := newHooksHome(t, nil)
	d.env["GUARDRAILS_FAILURE_THRESHOLD"] = "1000"
	const runs = 50
	const line = `read -r run; echo run >> $TEST_DIR/runs; exit $((run % 2))`
	const atOnce = 10 // a run that waits too long for the state's lock is not counted
	codes := make([]int, runs)
	var wg sync.WaitGroup
	for first := range atOnce {
		wg.Go(func() {
			for i := first; i < runs; i += atOnce {
				cmd := d.command(t.Context(), d.path("bin/claude-hooks"), "run", "-c", line)
				cmd.Stdin = strings.NewReader(strconv.Itoa(i) + "\n")
				_ = cmd.Run() // its exit code is checked
				codes[i] = cmd.ProcessState.ExitCode()
			}
		})
	}
	wg.Wait()
	for i, code := range codes {
		if code != i%2 {
			t.Errorf("run %d ended with %d", i, code)
		}
	}
	s := d.state()
	if hook := s.Hooks[line]; hook.Executions != runs || hook.FailureCount != runs/2 || len(hook.Running) != 0 || d.lines("runs") != runs ||
		s.Stats.Executions != runs || s.Stats.Failures != runs/2 {
		t.Errorf("%d runs, state %s", d.lines("runs"), d.read(stateFile))
	}
}

// Ten concurrent calls after the cooldown: one of them is the trial, and the others do not wait for it.
func TestANTILOOP_Integration_OneTrialAtATime(t *testing.T) {
	t.Parallel()
	d := newHooksHome(t, nil)
	must(t, exec.Command("mkfifo", d.path("go")).Run())
	const line = "echo run >> $TEST_DIR/runs; cat $TEST_DIR/go"
	d.write(stateFile, openedLongAgo(line))
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	ended := make(chan string)
	const calls = 10
	for range calls {
		cmd := d.command(ctx, d.path("bin/claude-hooks"), "run", "-c", line)
		cmd.Stdin = strings.NewReader(input("PostToolUse", "s"))
		go func() {
			out, err := cmd.Output()
			ended <- fmt.Sprint(string(out), err)
		}()
	}
	sent := 0
	for range calls - 1 { // while the trial hangs
		out := <-ended
		if strings.Contains(out, skippedMessage) {
			sent++
		} else if out != "<nil>" {
			t.Errorf("a call that is skipped answered %q", out)
		}
	}
	if sent != 1 {
		t.Errorf("the session was told %d times", sent)
	}
	d.write("go", "trial\n") // into the pipe
	equal(t, "the trial answered", <-ended, "trial\n<nil>")
	if hook := d.state().Hooks[line]; d.lines("runs") != 1 || hook.State != "half_open" {
		t.Errorf("%d runs, state %s", d.lines("runs"), d.read(stateFile))
	}
}

func TestANTILOOP_Chaos_MissingFile(t *testing.T) {
	need.Full(t, "python3, gawk and busybox")
	t.Parallel()
	for _, args := range [][]string{
		{"-c", "python3 $HOME/missing.py"}, {"-c", "sh $HOME/missing.sh"}, {"-c", "$HOME/missing"}, {"-c", "no-such-program --flag"},
		{"--", "/nowhere/hook"}, {"--", "no-such-program"}, {"--", "python3", "/nowhere/hook.py"},
	} {
		d := newHooksHome(t, nil)
		for i := range 4 {
			a := d.claudeHooks(input("PreToolUse", "s"), append([]string{"run"}, args...)...)
			if skipped := i == 3; a.code == 0 != skipped || a.err == "" != skipped || strings.Contains(a.out, skippedMessage) != skipped {
				t.Errorf("%q, call %d: %+v", args, i+1, a)
			}
		}
		for _, hook := range d.state().Hooks {
			if hook.State != "open" || !strings.HasPrefix(hook.LastError, missingFile) {
				t.Errorf("%q: %s, last error %q", args, hook.State, hook.LastError)
			}
		}
	}
}

func TestANTILOOP_Chaos_PermissionErrors(t *testing.T) {
	t.Parallel()
	// A hook that is not executable.
	d := newHooksHome(t, nil)
	d.write("hook", "#!/bin/sh\n")
	for _, args := range [][]string{{"-c", "$TEST_DIR/hook"}, {"--", d.path("hook")}} {
		if a := d.claudeHooks(input("Stop", "s"), append([]string{"run"}, args...)...); a.code != 126 || a.err == "" {
			t.Errorf("%+v", a)
		}
	}
	for command, hook := range d.state().Hooks {
		if !strings.HasPrefix(hook.LastError, "Failed to spawn: Permission denied") {
			t.Errorf("%q: last error %q", command, hook.LastError)
		}
	}
	// If the state file cannot be written, the hook runs as without a wrapper.
	d = newHooksHome(t, nil)
	d.asUser()
	must(t, os.Chmod(d.path("home/.claude"), 0o500))
	t.Cleanup(func() { must(t, os.Chmod(d.path("home/.claude"), 0o700)) })
	for range 5 {
		cmd := d.command(t.Context(), claudeopsBin, "hooks", "run", "-c", "cat; echo said >&2; exit 2")
		cmd.Stdin = strings.NewReader(input("Stop", "s"))
		cmd.SysProcAttr = d.sysProcAttr()
		if a := d.answer(cmd); a.code != 2 || a.out != input("Stop", "s") || a.err != "said\n" {
			t.Errorf("%+v", a)
		}
	}
}

func TestANTILOOP_Chaos_Timeouts(t *testing.T) {
	t.Parallel()
	d := newHooksHome(t, nil)
	const line = "echo $$ >> $TEST_DIR/pids; (trap '' TERM; echo $$ >> $TEST_DIR/pids; sleep 3600 & echo $! >> $TEST_DIR/pids; wait) & sleep 3600"
	for i := range 4 {
		a := d.claudeHooks(input("PostToolUse", "s"), "run", "--timeout", "300ms", "-c", line)
		if skipped := i == 3; a.code == 0 != skipped || !skipped && a.code != 124 {
			t.Errorf("call %d: %+v", i+1, a)
		}
	}
	if hook := d.state().Hooks[line]; hook.State != "open" || !strings.HasPrefix(hook.LastError, "Timed out after ") {
		t.Errorf("state %s", d.read(stateFile))
	}
	for _, field := range strings.Fields(d.read("pids")) {
		pid, err := strconv.Atoi(field)
		must(t, err)
		if alive(pid) {
			t.Errorf("process %d of a hook that timed out is alive", pid)
		}
	}
}

// A hook that leaves a child behind with its standard output open would block the agent program until the child ends.
func TestANTILOOP_Chaos_ChildKeepsOutputOpen(t *testing.T) {
	t.Parallel()
	d := newHooksHome(t, modeltest.Script{"haiku": {modeltest.Say("finished")}})
	d.settings(map[string][]string{"Stop": {"sleep 3600 & echo $! > $TEST_DIR/pid"}})
	d.hooks("install")
	c := d.talk(turnLimit)
	pid, err := strconv.Atoi(strings.TrimSpace(d.read("pid")))
	must(t, err)
	defer func() {
		child, err := os.FindProcess(pid)
		if err == nil {
			_ = child.Kill() // if it has already ended, that is fine
		}
	}()
	if c.subtype != "success" || !alive(pid) {
		t.Errorf("%s; the child is alive: %t", c.subtype, alive(pid))
	}
}

// The wrapper is killed at random moments. Each time the state file is valid, and in the end each run that began is counted once: as the
// success that it was, or as a failure.
func TestANTILOOP_Chaos_KilledAtAnyMoment(t *testing.T) {
	need.Full(t, "a minute")
	t.Parallel()
	const times = 300
	const line = "echo begun >> $TEST_DIR/runs; cat > /dev/null; echo ended >> $TEST_DIR/ends"
	d := newHooksHome(t, nil)
	d.env["GUARDRAILS_FAILURE_THRESHOLD"] = "1000000"
	run := func() *exec.Cmd {
		cmd := d.command(t.Context(), d.path("bin/claude-hooks"), "run", "-c", line)
		cmd.Stdin = strings.NewReader(input("PostToolUse", "s"))
		return cmd
	}
	undisturbed := 0
	timed := func() time.Duration {
		start := time.Now()
		must(t, run().Run())
		undisturbed++
		return time.Since(start)
	}
	whole := timed()
	for i := range times {
		if i%10 == 9 { // depends on other load
			whole = timed()
		}
		cmd := run()
		must(t, cmd.Start())
		time.Sleep(rand.N(whole * 5 / 4)) // a random moment is the purpose; nothing waits for it
		_ = cmd.Process.Kill()            // it may have ended already
		_ = cmd.Wait()
		if s := d.state(); len(s.Hooks) != 1 || s.Stats.Executions < s.Hooks[line].Executions || s.Stats.Failures < s.Hooks[line].FailureCount {
			t.Fatalf("state %s", d.read(stateFile))
		}
	}
	timed()
	s := d.state()
	hook := s.Hooks[line]
	begun, ended, succeeded := d.lines("runs"), d.lines("ends"), hook.Executions-hook.FailureCount
	calls := times + undisturbed
	t.Logf("of %d: %d were begun, %d ran, %d ended, %d succeeded", calls, hook.Executions, begun, ended, succeeded)
	if hook.Executions < begun || hook.Executions > calls || succeeded > ended || succeeded < undisturbed || len(hook.Running) != 0 ||
		s.Stats.Executions != hook.Executions || s.Stats.Failures != hook.FailureCount {
		t.Errorf("state %s", d.read(stateFile))
	}
	if hook.FailureCount == 0 || hook.Executions < times/4 {
		t.Errorf("the moments are not random: %d executions, %d failures", hook.Executions, hook.FailureCount)
	}
	if left, err := filepath.Glob(d.path(stateFile + ".running/*")); err != nil || len(left) > 0 {
		t.Errorf("left of dead runs: %q (%v)", left, err)
	}
	if broken, err := filepath.Glob(d.path(stateFile + ".corrupt*")); err != nil || len(broken) > 0 {
		t.Errorf("set aside as corrupt: %q (%v)", broken, err)
	}
}

package e2e

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/claudeops/claudeops/testkit/need"
)

func TestANTILOOP_Chaos_MissingFile(t *testing.T) {
	need.Full(t, "python3")
	t.Parallel()
	for _, args := range [][]string{
		{"-c", "python3 $HOME/missing.py"}, {"-c", "uv run $HOME/missing.py"}, {"-c", "sh $HOME/missing.sh"},
		{"-c", "$HOME/missing"}, {"-c", "no-such-program --flag"}, {"-c", "python9 x.py"},
		{"--", "/nowhere/hook"}, {"--", "no-such-program"}, {"--", "python3", "/nowhere/hook.py"}, {"--", "uv", "run", "/nowhere/hook.py"},
	} {
		d := newHooksHome(t, nil)
		for i := range 4 {
			a := d.call("PreToolUse", args...)
			if skipped := i == 3; a.code == 0 != skipped || a.err == "" != skipped || strings.HasPrefix(a.out, skippedMessage) != skipped {
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
		if a := d.call("Stop", args...); a.code != 126 || a.err == "" {
			t.Errorf("%+v", a)
		}
	}
	for command, hook := range d.state().Hooks {
		if !strings.HasPrefix(hook.LastError, "Failed to spawn: Permission denied") {
			t.Errorf("%q: last error %q", command, hook.LastError)
		}
	}
	// Where the state cannot be written, the hook runs as without the wrapper.
	d = newHooksHome(t, nil)
	d.asUser()
	d.bin = hooksBin
	must(t, os.Chmod(d.path("home/.claude"), 0o500))
	t.Cleanup(func() { must(t, os.Chmod(d.path("home/.claude"), 0o700)) })
	for range 5 {
		if a := d.call("PostToolUse", "-c", "cat; echo said >&2; exit 1"); a != (answer{1, input("PostToolUse", "s"), "said\n"}) {
			t.Errorf("%+v", a)
		}
	}
}

// At its timeout a hook is asked to end: by SIGTERM to the wrapper. What is left of it is killed, and it is counted as a failure.
func TestANTILOOP_Chaos_Timeouts(t *testing.T) {
	t.Parallel()
	// The children ignore the signal and hold standard output open.
	const children = "(trap '' TERM; echo $$; sleep 3600 & echo $!; wait) & echo $!; "
	for _, c := range []struct {
		line  string
		code  int
		error string
	}{
		{children + "sleep 3600", 128 + int(syscall.SIGTERM), "Ended by SIGTERM"},
		{"trap '' TERM; " + children + "sleep 3600", 128 + int(syscall.SIGKILL), "Ended by SIGKILL"},
		{"trap 'exit 1' TERM; " + children + "sleep 3600 & wait", 1, "Exit code 1"},
	} {
		d := newHooksHome(t, nil)
		for range 3 {
			cmd := exec.CommandContext(t.Context(), d.bin, "run", "-c", c.line)
			cmd.Env, cmd.Dir, cmd.Stdin = d.environ(), d.dir, strings.NewReader(input("PostToolUse", "s"))
			out, err := cmd.StdoutPipe()
			must(t, err)
			must(t, cmd.Start())
			killInTime(t, cmd)
			var pids []int
			for lines := bufio.NewScanner(out); len(pids) < 3 && lines.Scan(); {
				pid, err := strconv.Atoi(lines.Text())
				must(t, err)
				pids = append(pids, pid)
			}
			must(t, cmd.Process.Signal(syscall.SIGTERM))
			_ = cmd.Wait() // its exit code is checked
			equal(t, "exit code of "+c.line, cmd.ProcessState.ExitCode(), c.code)
			for _, pid := range pids {
				waitUntil(t, fmt.Sprintf("process %d of a hook that timed out is dead: %s", pid, c.line), func() bool { return !alive(pid) })
			}
		}
		if hook := d.state().Hooks[c.line]; hook.State != "open" || hook.LastError != c.error {
			t.Errorf("state %s", d.read(stateFile))
		}
		if a := d.call("PostToolUse", "-c", c.line); a.code != 0 || !strings.HasPrefix(a.out, skippedMessage) {
			t.Errorf("after three timeouts: %+v", a)
		}
	}
}

// A child that a hook leaves behind with its standard output open would hold the agent program until it ends.
func TestANTILOOP_Chaos_ChildKeepsOutputOpen(t *testing.T) {
	t.Parallel()
	d := newHooksHome(t, nil)
	a := d.call("Stop", "-c", "sleep 3600 & echo $!")
	pid, err := strconv.Atoi(strings.TrimSpace(a.out))
	must(t, err)
	if a.code != 0 || !alive(pid) {
		t.Errorf("%+v; the child is alive: %t", a, alive(pid))
	}
	must(t, syscall.Kill(pid, syscall.SIGKILL))
}

// The wrapper is killed at random moments. The state file is whole each time, no run that ended well is missing, and none is there twice.
func TestANTILOOP_Chaos_KilledAtAnyMoment(t *testing.T) {
	need.Full(t, "a minute")
	t.Parallel()
	const times = 300
	const line = "cat > /dev/null; echo ended >> $TEST_DIR/ends"
	d := newHooksHome(t, nil)
	d.write(guardrails, "circuit_breaker: {failure_threshold: 1000000}\n")
	whole, finished, killed, counted := time.Duration(0), 0, 0, 0
	for i := range times + times/10 {
		start := time.Now()
		cmd := d.starts(nil, line)
		if i%11 == 0 { // how long a run takes depends on other load
			must(t, cmd.Wait())
			whole = time.Since(start)
		} else {
			time.Sleep(rand.N(whole * 5 / 4)) // a random moment is the purpose; nothing waits for it
			_ = cmd.Process.Kill()            // it may have ended already
			_ = cmd.Wait()
		}
		if cmd.ProcessState.Success() {
			finished++
		} else {
			killed++
		}
		s := d.state()
		hook := s.Hooks[line]
		if len(s.Hooks) != 1 || hook.Executions < max(counted, finished) || hook.Failures != 0 || s.Stats.Executions != hook.Executions {
			t.Fatalf("after %d that finished, state %s", finished, d.read(stateFile))
		}
		counted = hook.Executions
	}
	ends := d.lines("ends")
	t.Logf("%d finished, %d were killed; %d hooks ended, %d are counted", finished, killed, ends, counted)
	if counted > ends || killed < times/10 {
		t.Errorf("%d hooks ended, and %d are counted", ends, counted)
	}
	if broken, err := filepath.Glob(d.path(stateFile + ".corrupt*")); err != nil || len(broken) > 0 {
		t.Errorf("set aside as corrupt: %q (%v)", broken, err)
	}
}

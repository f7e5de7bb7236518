package wrapper

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/claudeops/claudeops/testkit/need"
)

func TestANTILOOP_Chaos_Timeout(t *testing.T) {
	w, got := runFor(t, `trap 'echo told >&2; exit 3' TERM; sleep 1000 & wait`, func(got result) bool { return got.stderr != "" })
	equal(t, got, result{124, "", "told\n"})
	w.failed(t, 1, "Timed out after "+w.Options.Timeout.String())
}

// runFor runs a hook that does not end by itself, with increasing timeouts, until it has come as far as it should: the time it needs
// depends on the machine.
func runFor(t *testing.T, text string, enough func(got result) bool) (w *wrapping, got result) {
	t.Helper()
	for timeout := time.Second; ; timeout *= 3 {
		w = line(t, text)
		w.Options.Timeout = timeout
		if got = w.run(t, message("PreToolUse")); enough(got) || timeout > 20*time.Second {
			return w, got
		}
	}
}

// Even a hook whose processes ignore signals does not survive its timeout.
func TestANTILOOP_Chaos_TimeoutIgnored(t *testing.T) {
	var w *wrapping
	var got result
	seconds := 1
	for ; seconds < 60; seconds *= 3 { // until it prints its process id
		w = line(t, `trap '' TERM; sh -c 'echo $$; while :; do sleep 1; done'; echo never`)
		w.configure(t, fmt.Sprintf("circuit_breaker: {hook_timeout_seconds: %d}", seconds))
		if got = w.run(t, message("PreToolUse")); got.stdout != "" {
			break
		}
	}
	pid, err := strconv.Atoi(strings.TrimSpace(got.stdout))
	must(t, err)
	if got.code != 124 || got.stderr != "" {
		t.Errorf("got %+v", got)
	}
	gone(t, pid)
	w.failed(t, 1, fmt.Sprintf("Timed out after %ds", seconds))
}

// What a hook has started and not waited for ends with the hook at its timeout, even if the hook itself has ended at once.
func TestTimeoutEndsTheGroup(t *testing.T) {
	_, got := runFor(t, `sh -c 'trap "" TERM; echo $$; while :; do sleep 1; done' & wait`, func(got result) bool { return got.stdout != "" })
	pid, err := strconv.Atoi(strings.TrimSpace(got.stdout))
	must(t, err)
	if got.code != 124 {
		t.Errorf("got %+v", got)
	}
	gone(t, pid)
}

func TestSignalsArePassedOn(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGQUIT} {
		t.Run(signalName(sig), func(t *testing.T) {
			t.Parallel()
			w := line(t, fmt.Sprintf(`trap 'kill $!; echo passed; exit 4' %d; sleep 1000 & echo ready; while :; do wait; done`, int(sig)))
			s := w.start(t)
			must(t, s.in.Close())
			s.read(t)
			must(t, s.Process.Signal(sig))
			if got := s.read(t); got != "passed" {
				t.Errorf("got %q", got)
			}
			if code := s.end(t); code != 4 {
				t.Errorf("exit code %d, want the hook's", code)
			}
			w.failed(t, 1, "Exit code 4")
		})
	}
}

// The agent program sends SIGTERM twice, and then waits a second and a half.
func TestSigtermIsRecorded(t *testing.T) {
	for name, tt := range map[string]struct {
		line  string
		sig   syscall.Signal
		times int
		code  int
		error string
	}{
		"ends":        {`echo ready; exec sleep 1000`, syscall.SIGTERM, 1, 143, "Ended by SIGTERM"},
		"twice":       {`trap 'sleep 0.1; exit 4' TERM; echo ready; sleep 1000 & wait`, syscall.SIGTERM, 2, 4, "Exit code 4"},
		"ignored":     {`trap '' TERM; echo ready; while :; do sleep 0.1; done`, syscall.SIGTERM, 1, 143, "Ended by SIGTERM"},
		"interrupted": {`echo ready; exec sleep 1000`, syscall.SIGINT, 1, 130, "Ended by SIGINT"},
		"hung up":     {`echo ready; exec sleep 1000`, syscall.SIGHUP, 1, 129, "Ended by SIGHUP"},
		"tidies up":   {`trap 'exit 0' TERM; echo ready; sleep 1000 & wait`, syscall.SIGTERM, 1, 0, ""},
		"refuses":     {`trap 'exit 2' INT; echo ready; sleep 1000 & wait`, syscall.SIGINT, 1, 2, ""},
		"fails":       {`trap 'exit 3' TERM; echo ready; sleep 1000 & wait`, syscall.SIGTERM, 1, 3, "Exit code 3"},
	} {
		for _, locked := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, locked %t", name, locked), func(t *testing.T) {
				t.Parallel()
				inTime(t, recordGrace, func() (fault string) {
					w := line(t, tt.line)
					s := w.start(t)
					must(t, s.in.Close())
					s.read(t)
					free := func() {}
					if locked {
						free = w.lock(t)
					}
					for range tt.times {
						must(t, s.Process.Signal(tt.sig))
					}
					if code := s.end(t); code != tt.code {
						fault = fmt.Sprintf("exit code %d, want %d\n", code, tt.code)
					}
					free()
					failures := int64(1)
					if tt.error == "" {
						failures = 0
					}
					if !locked {
						return fault + w.otherThan(t, failures, tt.error)
					}
					w.Command.Args = []string{"true"} // it is recorded beside the state, for whoever next looks
					w.run(t, message("Stop"))
					if h := w.hook(t); h.Executions != 2 || h.FailureCount != failures || !strings.HasPrefix(h.LastError, tt.error) {
						fault += fmt.Sprintf("%+v, want %d failures, %q", h, failures, tt.error)
					}
					return fault
				})
			})
		}
	}
}

// The grace periods add up to less than a second.
func TestEndsWithinASecond(t *testing.T) {
	if all := endGrace + groupPoll + outputGrace + recordGrace; all >= time.Second {
		t.Errorf("%v", all)
	}
}

// A hook that has moved from its own process group to the wrapper's is ended too.
func TestHookThatLeavesItsGroup(t *testing.T) {
	need.Full(t, "python3")
	w := program(t, "python3", "-c", "import os,time; os.setpgid(0, os.getpgid(os.getppid())); print(1, flush=True); time.sleep(1000)")
	s := w.start(t)
	must(t, s.in.Close())
	s.read(t)
	must(t, s.Process.Signal(syscall.SIGTERM))
	if code := s.end(t); code != 143 {
		t.Errorf("exit code %d", code)
	}
}

// A panic in the signal handler ends neither the process nor the handling.
func TestListenerPanics(t *testing.T) {
	faults := make(chan any)
	e := watch(t.Context(), func() { panic("no") }, func(fault any) { faults <- fault })
	defer e.stop()
	for range 2 {
		must(t, syscall.Kill(os.Getpid(), syscall.SIGHUP))
		if fault := <-faults; fault != "no" {
			t.Errorf("%v", fault)
		}
	}
	if sig := e.wasAsked(); sig != syscall.SIGHUP {
		t.Errorf("%v", sig)
	}
}

func TestCancelled(t *testing.T) {
	w := line(t, `echo ready; exec sleep 1000`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	code, changes := w.runner(nil, writer(func([]byte) { cancel() })).Run(ctx, w.Command, Options{})
	if code != 143 || len(changes) != 0 {
		t.Errorf("exit code %d, changes %v", code, changes)
	}
	w.failed(t, 1, "Ended by SIGTERM")

	code, _ = w.runner(nil, writer(func([]byte) { t.Error("it runs") })).Run(ctx, w.Command, Options{})
	if code != 143 {
		t.Errorf("exit code %d of a call that was cancelled before it began", code)
	}
}

// A signal that was ignored at the start, as with nohup, stays ignored, also for the hook.
func TestIgnoredSignal(t *testing.T) {
	w := line(t, `echo ready; read -r x < go; kill -HUP $$; echo survived`)
	must(t, syscall.Mkfifo(filepath.Join(w.Dir, "go"), 0o600))
	cmd := w.command(t)
	cmd.Args = append([]string{"sh", "-c", `trap "" HUP; exec "$@"`, "sh"}, cmd.Args[0], cmd.Args[1])
	cmd.Path = shell
	out, err := cmd.StdoutPipe()
	must(t, err)
	lines := bufio.NewReader(out)
	must(t, cmd.Start())
	for _, want := range []string{"ready\n", "survived\n"} {
		got, err := lines.ReadString('\n')
		if got != want {
			t.Errorf("got %q, %v", got, err)
		}
		if want == "ready\n" {
			must(t, cmd.Process.Signal(syscall.SIGHUP))
			must(t, os.WriteFile(filepath.Join(w.Dir, "go"), []byte("\n"), 0))
		}
	}
	must(t, cmd.Wait())
	w.failed(t, 0, "")
}

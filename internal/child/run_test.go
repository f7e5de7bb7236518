package child

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func shell(script string) *exec.Cmd { return exec.Command("/bin/sh", "-c", script) }

func TestRunPassesInputAndEnvironmentAndReturnsBothOutputs(t *testing.T) {
	cmd := shell(`cat; echo "$A"; echo said >&2`)
	cmd.Stdin, cmd.Env = strings.NewReader("in\n"), []string{"A=b"}
	r, err := Run(t.Context(), cmd, Limits{})
	if err != nil || string(r.Stdout) != "in\nb\n" || string(r.Stderr) != "said\n" || r.Code != 0 || time.Since(r.Ended) > time.Minute {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestRunTellsHowAProgramEnded(t *testing.T) {
	for _, test := range []struct {
		cmd    *exec.Cmd
		limits Limits
		code   int
		signal syscall.Signal
		is     error // nil for an *ExitError
		text   string
	}{
		{cmd: shell("echo out; echo no such thing >&2; exit 3"), code: 3, text: "`sh -c echo out; echo no such thing >&2; exit 3` ended with 3: no such thing"},
		{cmd: shell("kill -TERM $$"), code: -1, signal: syscall.SIGTERM, text: "was ended by terminated"},
		{cmd: exec.Command("/none/such"), code: -1, is: os.ErrNotExist, text: "start `such`"},
		{cmd: shell("sleep 600 & wait"), limits: Limits{Within: 50 * time.Millisecond}, code: -1, signal: syscall.SIGKILL, is: context.DeadlineExceeded, text: "had not ended after 50ms"},
		{cmd: shell("yes"), code: -1, signal: syscall.SIGKILL, is: ErrTooMuchOutput, text: "more than 16777216 bytes"},
		{cmd: shell("yes >&2"), limits: Limits{Max: 9}, code: -1, signal: syscall.SIGKILL, is: ErrTooMuchOutput, text: "more than 9 bytes"},
		{cmd: shell("printf 0123456789; sleep 600"), limits: Limits{Max: 9}, code: -1, signal: syscall.SIGKILL, is: ErrTooMuchOutput, text: "more than 9 bytes"},
	} {
		r, err := Run(t.Context(), test.cmd, test.limits)
		var exit *ExitError
		if r.Code != test.code || r.Signal != test.signal || err == nil || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%v: %+v, %v", test.cmd, r, err)
		}
		if errors.As(err, &exit) != (test.is == nil) || test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("%v: %v", test.cmd, err)
		}
	}
}

func TestRunStartsNothingOnceItsContextHasEnded(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	over := errors.New("over")
	cancel(over)
	file := filepath.Join(t.TempDir(), "started")
	if _, err := Run(ctx, exec.Command("/bin/touch", file), Limits{}); !errors.Is(err, over) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("it was started")
	}
}

func TestRunKeepsTheBeginningOfEachOutput(t *testing.T) {
	r, err := Run(t.Context(), shell("head -c 100000 /dev/zero | tr '\\0' a; printf bcdefg >&2"), Limits{Keep: 5})
	if err != nil || string(r.Stdout) != "aaaaa" || string(r.Stderr) != "bcdef" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestRunKillsWhatAProgramLeavesBehindInItsGroup(t *testing.T) {
	r := got(Run(t.Context(), shell("sleep 600 & echo $!"), Limits{}))(t)
	pid := got(strconv.Atoi(strings.TrimSpace(string(r.Stdout))))(t)
	for ended := time.Now().Add(10 * time.Second); syscall.Kill(pid, 0) == nil && !zombie(pid); time.Sleep(time.Millisecond) {
		if time.Now().After(ended) {
			t.Fatalf("process %d lives on", pid)
		}
	}
}

// zombie reports whether a process has ended, but has not been waited for.
func zombie(pid int) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err != nil || strings.Contains(string(stat), ") Z ")
}

func TestRunDoesNotWaitForADaemonThatHoldsItsOutput(t *testing.T) {
	up := filepath.Join(t.TempDir(), "up")
	r := got(Run(t.Context(), shell("setsid sh -c 'echo $$; touch "+up+"; exec sleep 600' & until [ -e "+up+" ]; do :; done"), Limits{}))(t)
	pid := got(strconv.Atoi(strings.TrimSpace(string(r.Stdout))))(t)
	if zombie(pid) {
		t.Error("the daemon was ended")
	}
	must(t, syscall.Kill(pid, syscall.SIGKILL))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// got returns the result of a call that must not fail.
func got[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		must(t, err)
		return value
	}
}

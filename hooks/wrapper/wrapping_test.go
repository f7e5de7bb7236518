package wrapper

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/internal/procfs"
	"github.com/claudeops/claudeops/internal/statedir"

	"golang.org/x/sys/unix"
)

// asWrapper makes the test binary the wrapper; its value is a wrapping.
const asWrapper = "BREAKER_TEST_WRAP"

// wrapping is one call of a hook, as passed to the wrapper's process.
type wrapping struct {
	Dir     string // of the settings, the state and the log
	Command Command
	Options Options
	NoWrite bool // no byte can be written to any file
}

// TestMain catches signals, so that processes of the tests are not started with them ignored, as they would be under nohup: ignored
// signals stay ignored in a new process, caught ones do not.
func TestMain(m *testing.M) {
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT} {
		if os.Getenv(asWrapper) == "" && signal.Ignored(sig) {
			signal.Notify(make(chan os.Signal, 1), sig)
		}
	}
	os.Exit(m.Run())
}

// TestAsWrapper is not a test, but the wrapper's process.
func TestAsWrapper(t *testing.T) {
	text := os.Getenv(asWrapper)
	if text == "" {
		return
	}
	var w wrapping
	if err := json.Unmarshal([]byte(text), &w); err != nil {
		t.Fatal(err)
	}
	os.Unsetenv(asWrapper)
	c := hooks.LoadConfig(filepath.Join(w.Dir, "guardrails.yaml"), nil, w.Dir)
	r := &Runner{
		File:   &hooks.File{Path: w.state(), Now: time.Now, Random: rand.Float64, Policy: c.Policy, Parents: c.Parents},
		Config: c, Log: c.OpenLog(time.Now), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ(), Now: time.Now,
	}
	if w.NoWrite {
		must(t, unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{}))
	}
	code, _ := r.Run(context.Background(), w.Command, w.Options)
	syscall.Exit(code) // os.Exit is an error in a test
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (w *wrapping) state() string { return filepath.Join(w.Dir, "hook_state.json") }

func (w *wrapping) log() string { return filepath.Join(w.Dir, "breaker.log") }

// line returns a hook that is a line of shell.
func line(t *testing.T, text string) *wrapping {
	return program(t, shell, "-c", text)
}

// program returns a hook with arguments.
func program(t *testing.T, args ...string) *wrapping {
	t.Helper()
	w := &wrapping{Dir: t.TempDir(), Command: Command{Key: strings.Join(args, " "), Args: args}}
	w.configure(t, "")
	return w
}

func (w *wrapping) configure(t *testing.T, settings string) {
	t.Helper()
	text := fmt.Sprintf("logging: {file: %q, level: DEBUG}\n%s", w.log(), settings)
	must(t, os.WriteFile(filepath.Join(w.Dir, "guardrails.yaml"), []byte(text), 0o600))
}

// command returns the wrapper, not yet started. It is killed if it hangs.
func (w *wrapping) command(t *testing.T) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(w)
	must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	self, err := os.Executable()
	must(t, err)
	cmd := exec.CommandContext(ctx, self, "-test.run=^TestAsWrapper$")
	cmd.Env = append(os.Environ(), asWrapper+"="+string(text), "LC_ALL=C.UTF-8") // shells warn about a missing locale
	cmd.Dir = w.Dir
	return cmd
}

// result is the outcome of a call.
type result struct {
	code           int
	stdout, stderr string
}

func (w *wrapping) run(t *testing.T, stdin string, environ ...string) result {
	t.Helper()
	cmd := w.command(t)
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Env = append(cmd.Env, environ...)
	return wait(t, cmd)
}

func wait(t *testing.T, cmd *exec.Cmd) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, syscall.EPIPE) {
		t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

func (w *wrapping) hook(t *testing.T) hooks.Hook {
	t.Helper()
	f := &hooks.File{Path: w.state(), Now: time.Now, Random: rand.Float64, Policy: func(string) hooks.Policy { return hooks.Policy{} }}
	h, _, err := f.State(t.Context(), w.Command.Key)
	must(t, err)
	return h
}

// message returns a message of the agent program.
func message(event string) string {
	return fmt.Sprintf(`{"session_id":"s1","transcript_path":"/t","cwd":"/c","hook_event_name":%q,"tool_input":{"a":"b"}}`+"\n", event)
}

func (w *wrapping) logged(t *testing.T, part string) {
	t.Helper()
	text, err := os.ReadFile(w.log())
	if part != "" {
		must(t, err)
	}
	if !strings.Contains(string(text), part) {
		t.Errorf("log lacks %q:\n%s", part, text)
	}
}

func (w *wrapping) failed(t *testing.T, failures int64, lastError string) {
	t.Helper()
	if fault := w.otherThan(t, failures, lastError); fault != "" {
		t.Error(fault)
	}
}

// otherThan says what differs from the expected state of the hook.
func (w *wrapping) otherThan(t *testing.T, failures int64, lastError string) (fault string) {
	t.Helper()
	h := w.hook(t)
	if h.ConsecutiveFailures != failures || !strings.Contains(h.LastError, lastError) || failures > 0 && h.LastError == "" {
		fault = fmt.Sprintf("%d failures, %q; want %d, %q\n", h.ConsecutiveFailures, h.LastError, failures, lastError)
	}
	if len(h.Running) != 0 {
		fault += fmt.Sprintf("still running: %v", h.Running)
	}
	return fault
}

// inTime repeats an action that a loaded machine may not complete before the wrapper, which waits for so long, gives up. A fault that
// occurs earlier is not caused by the machine.
func inTime(t *testing.T, waits time.Duration, do func() (fault string)) {
	t.Helper()
	for try := 1; ; try++ {
		began := time.Now()
		fault := do()
		if fault == "" {
			return
		}
		if time.Since(began) < waits || try == 20 {
			t.Fatal(fault)
		}
	}
}

func equal(t *testing.T, got, want result) {
	t.Helper()
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// started is a wrapper whose output is read line by line.
type started struct {
	*exec.Cmd
	in     io.WriteCloser
	pipe   io.ReadCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

func (w *wrapping) start(t *testing.T) *started {
	t.Helper()
	s := &started{Cmd: w.command(t)}
	var err error
	s.in, err = s.StdinPipe()
	must(t, err)
	s.pipe, err = s.StdoutPipe()
	must(t, err)
	s.out = bufio.NewReader(s.pipe)
	s.Stderr = &s.stderr
	must(t, s.Start())
	t.Cleanup(func() { _ = s.Process.Kill() })
	return s
}

func (s *started) read(t *testing.T) string {
	t.Helper()
	text, err := s.out.ReadString('\n')
	must(t, err)
	return strings.TrimSuffix(text, "\n")
}

func (s *started) end(t *testing.T) int {
	t.Helper()
	_, _ = io.Copy(io.Discard, s.out)
	err := s.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return s.ProcessState.ExitCode()
}

// gone waits for the end of a process that was killed; an orphan may remain as a zombie.
func gone(t *testing.T, pid int) {
	t.Helper()
	for range 12_000 { // a minute
		if p, err := procfs.Read(pid); err != nil || p.Dead() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("process %d still runs", pid)
}

// runner returns a wrapper in the test's process.
func (w *wrapping) runner(stdin *os.File, stdout io.Writer) *Runner {
	c := hooks.LoadConfig(filepath.Join(w.Dir, "guardrails.yaml"), nil, w.Dir)
	file := &hooks.File{Path: w.state(), Now: time.Now, Random: rand.Float64, Policy: c.Policy, Parents: c.Parents}
	return &Runner{
		File: file, Config: c, Log: c.OpenLog(time.Now), Stdin: stdin, Stdout: stdout, Stderr: io.Discard, Environ: os.Environ(), Now: time.Now,
	}
}

// writer is called for each write.
type writer func(b []byte)

func (w writer) Write(b []byte) (int, error) { w(b); return len(b), nil }

// lock locks the state until free is called.
func (w *wrapping) lock(t *testing.T) (free func()) {
	t.Helper()
	lock, err := statedir.TryAcquire(w.state() + ".lock")
	must(t, err)
	free = sync.OnceFunc(func() { must(t, lock.Release()) })
	t.Cleanup(free)
	return free
}

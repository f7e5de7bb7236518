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
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/claudeops/claudeops/breaker"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/statedir"
)

// asWrapper makes the test program the wrapper: it holds a wrapping.
const asWrapper = "BREAKER_TEST_WRAP"

// wrapping is one call of a hook, as the wrapper's process gets it.
type wrapping struct {
	Dir     string // of the settings, the state and the log
	Command Command
	Options Options
	NoWrite bool // not a byte can be written to any file
}

// TestAsWrapper is no test, but the wrapper's process.
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
	c := breaker.LoadConfig(filepath.Join(w.Dir, "guardrails.yaml"), nil, w.Dir)
	r := &Runner{
		File:   &breaker.File{Path: w.state(), Now: time.Now, Random: rand.Float64, Policy: c.Policy, Parents: c.Parents},
		Config: c, Log: c.OpenLog(time.Now), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ(), Now: time.Now,
	}
	if w.NoWrite {
		must(t, unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{}))
	}
	code, _ := r.Run(context.Background(), w.Command, w.Options)
	syscall.Exit(code) // os.Exit is an error within a test
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (w *wrapping) state() string { return filepath.Join(w.Dir, "hook_state.json") }
func (w *wrapping) log() string   { return filepath.Join(w.Dir, "breaker.log") }

// line is a hook that is a line of shell.
func line(t *testing.T, text string) *wrapping {
	return program(t, shell, "-c", text)
}

// program is a hook with its arguments.
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

// command is the wrapper, not yet started. It is killed where it hangs.
func (w *wrapping) command(t *testing.T) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(w)
	must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	self, err := os.Executable()
	must(t, err)
	cmd := exec.CommandContext(ctx, self, "-test.run=^TestAsWrapper$")
	cmd.Env = append(os.Environ(), asWrapper+"="+string(text))
	cmd.Dir = w.Dir
	return cmd
}

// result is what came of a call.
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

func (w *wrapping) hook(t *testing.T) breaker.Hook {
	t.Helper()
	f := &breaker.File{Path: w.state(), Now: time.Now, Random: rand.Float64, Policy: func(string) breaker.Policy { return breaker.Policy{} }}
	h, _, err := f.State(t.Context(), w.Command.Key)
	must(t, err)
	return h
}

// message is what the agent program writes.
func message(event string) string {
	return fmt.Sprintf(`{"session_id":"s1","transcript_path":"/t","cwd":"/c","hook_event_name":%q,"tool_input":{"a":"b"}}`+"\n", event)
}

func (w *wrapping) logged(t *testing.T, part string) {
	t.Helper()
	text, err := os.ReadFile(w.log())
	must(t, err)
	if !strings.Contains(string(text), part) {
		t.Errorf("log lacks %q:\n%s", part, text)
	}
}

func (w *wrapping) failed(t *testing.T, failures int64, lastError string) {
	t.Helper()
	h := w.hook(t)
	if h.ConsecutiveFailures != failures || !strings.Contains(h.LastError, lastError) || failures > 0 && h.LastError == "" {
		t.Errorf("%d failures, %q; want %d, %q", h.ConsecutiveFailures, h.LastError, failures, lastError)
	}
	if len(h.Running) != 0 {
		t.Errorf("still running: %v", h.Running)
	}
}

func equal(t *testing.T, got, want result) {
	t.Helper()
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestRunChangesNothing(t *testing.T) {
	for name, tt := range map[string]struct {
		line  string
		stdin string
		want  result
	}{
		"success":       {`echo out; echo err >&2`, message("Stop"), result{0, "out\n", "err\n"}},
		"verdict":       {`echo no >&2; exit 2`, message("PreToolUse"), result{2, "", "no\n"}},
		"failure":       {`exit 7`, message("PreToolUse"), result{7, "", ""}},
		"signal":        {`kill -KILL $$`, message("PreToolUse"), result{137, "", ""}},
		"input":         {`cat`, message("PreToolUse"), result{0, message("PreToolUse"), ""}},
		"binary":        {`cat`, "\x00\xff\xfe{\x80\n\n", result{0, "\x00\xff\xfe{\x80\n\n", ""}},
		"empty":         {`wc -c`, "", result{0, "0\n", ""}},
		"no newline":    {`cat`, `{"a":1}`, result{0, `{"a":1}`, ""}},
		"two values":    {`cat`, "{}\n{}\n", result{0, "{}\n{}\n", ""}},
		"text":          {`cat`, "hello\nworld", result{0, "hello\nworld", ""}},
		"large":         {`cksum`, strings.Repeat("x", 10<<20), result{0, cksum(t, strings.Repeat("x", 10<<20)), ""}},
		"large JSON":    {`cksum`, largeJSON(), result{0, cksum(t, largeJSON()), ""}},
		"input unread":  {`exec true`, largeJSON(), result{0, "", ""}},
		"input closed":  {`exec <&-; echo done`, largeJSON(), result{0, "done\n", ""}},
		"output closed": {`exec >&- 2>&-; exit 3`, message("Stop"), result{3, "", ""}},
		"both outputs": {`head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2`, "",
			result{0, strings.Repeat("\x00", 3e6), strings.Repeat("\x00", 3e6)}},
		"words":           {`printf '<%s>' "$#" "a  b"`, "", result{0, "<0><a  b>", ""}},
		"environment":     {`printf %s "$MARK"`, "", result{0, "a b", ""}},
		"no own variable": {`env | grep -c '^` + asWrapper + `='`, "", result{1, "0\n", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := line(t, tt.line).run(t, tt.stdin, "MARK=a b")
			if len(got.stdout) > 1000 && got.stdout == tt.want.stdout {
				got.stdout, tt.want.stdout = "", ""
			}
			if len(got.stderr) > 1000 && got.stderr == tt.want.stderr {
				got.stderr, tt.want.stderr = "", ""
			}
			equal(t, got, tt.want)
		})
	}
}

func largeJSON() string {
	return `{"session_id":"s","hook_event_name":"PostToolUse","tool_response":"` + strings.Repeat(`é\n`, 2<<20) + `"}` + "\n"
}

func cksum(t *testing.T, text string) string {
	t.Helper()
	cmd := exec.Command("cksum")
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.Output()
	must(t, err)
	return string(out)
}

func TestLargeOutput(t *testing.T) {
	content := make([]byte, 10<<20)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range content {
		content[i] = byte(random.Uint32())
	}
	w := line(t, "cat content; cat content >&2")
	must(t, os.WriteFile(filepath.Join(w.Dir, "content"), content, 0o600))
	got := w.run(t, message("Stop"))
	if got.code != 0 || got.stdout != string(content) || got.stderr != string(content) {
		t.Errorf("exit code %d, %d and %d bytes of %d, or others", got.code, len(got.stdout), len(got.stderr), len(content))
	}
}

// The agent program does not always close its pipe.
func TestPipeNeverClosed(t *testing.T) {
	for name, text := range map[string]string{"line": message("PreToolUse"), "no newline": `{"hook_event_name":"Stop"}`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, w, err := os.Pipe()
			must(t, err)
			defer w.Close()
			defer r.Close()
			cmd := line(t, "cat").command(t)
			cmd.Stdin = r
			_, err = io.WriteString(w, text)
			must(t, err)
			equal(t, wait(t, cmd), result{0, text, ""})
		})
	}
}

func TestNothingOnPipe(t *testing.T) {
	r, w, err := os.Pipe()
	must(t, err)
	defer w.Close()
	defer r.Close()
	hook := line(t, "echo ran")
	cmd := hook.command(t)
	cmd.Stdin = r
	equal(t, wait(t, cmd), result{0, "ran\n", ""})
	hook.failed(t, 0, "")
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

// Input and output pass while the hook runs: each side waits here for what the other one writes.
func TestStreams(t *testing.T) {
	s := line(t, `while read -r x; do echo "got $x"; done`).start(t)
	for _, text := range []string{"not JSON", "second", "third"} {
		_, err := io.WriteString(s.in, text+"\n")
		must(t, err)
		if got := s.read(t); got != "got "+text {
			t.Errorf("got %q", got)
		}
	}
	must(t, s.in.Close())
	if code := s.end(t); code != 0 {
		t.Errorf("exit code %d: %s", code, s.stderr.String())
	}
}

// A process that is left behind has the hook's outputs and input open, and lives on.
func TestLeftBehindHoldsNothing(t *testing.T) {
	w := line(t, `sleep 1000 & echo $!; head -c 50000 /dev/zero | tr '\0' x; exit 2`)
	got := w.run(t, largeJSON())
	first, rest, _ := strings.Cut(got.stdout, "\n")
	pid, err := strconv.Atoi(first)
	must(t, err)
	defer func() { must(t, syscall.Kill(pid, syscall.SIGKILL)) }()
	if got.code != 2 || rest != strings.Repeat("x", 50000) {
		t.Errorf("exit code %d, %d bytes", got.code, len(rest))
	}
	if err := syscall.Kill(pid, 0); err != nil {
		t.Errorf("what was left behind: %v", err)
	}
	w.failed(t, 0, "")
}

func TestReaderGone(t *testing.T) {
	w := line(t, `while :; do echo y; done`)
	s := w.start(t)
	s.read(t)
	must(t, s.in.Close())
	must(t, s.pipe.Close())
	if err := s.Wait(); err == nil || s.ProcessState.ExitCode() != 128+int(syscall.SIGPIPE) {
		t.Errorf("%v, want the exit code of SIGPIPE", err)
	}
}

func TestANTILOOP_Chaos_MissingFile(t *testing.T) {
	for name, tt := range map[string]struct {
		args  []string
		code  int
		error string
	}{
		"program":       {[]string{"./missing.py"}, 127, "Failed to spawn: No such file or directory"},
		"in PATH":       {[]string{"no-such-program"}, 127, "Failed to spawn: No such file or directory"},
		"line":          {[]string{"/bin/sh", "-c", "./missing.py --flag"}, 127, "Failed to spawn: No such file or directory ("},
		"folder":        {[]string{"./file/missing.py"}, 127, "Failed to spawn: Not a directory"},
		"interpreter":   {[]string{"./interpreter"}, 127, "Failed to spawn: bad interpreter /no/such/interpreter: No such file or directory"},
		"nothing":       {[]string{""}, 127, "Failed to spawn: No such file or directory"},
		"python":        {[]string{"python3", "missing.py"}, 2, "Failed to spawn: No such file or directory ("},
		"python, shell": {[]string{"/bin/sh", "-c", "python3 \"$PWD/x/missing.py\" --a"}, 2, "Failed to spawn: No such file or directory ("},
		"sh":            {[]string{"sh", "missing.sh"}, 2, "Failed to spawn: No such file or directory ("},
		"bash":          {[]string{"bash", "missing.sh"}, 127, "Failed to spawn: No such file or directory ("},
		"perl":          {[]string{"perl", "missing.pl"}, 2, "Failed to spawn: No such file or directory ("},
		"awk":           {[]string{"gawk", "-f", "missing.awk"}, 2, "Failed to spawn: No such file or directory ("},
		"mawk":          {[]string{"mawk", "-f", "missing.awk"}, 2, "Failed to spawn: No such file or directory ("},
		"busybox":       {[]string{"busybox", "sh", "missing.sh"}, 2, "Failed to spawn: No such file or directory ("},
		"sourced":       {[]string{"sh", "sourcing.sh"}, 2, "No such file or directory (sourcing.sh: 2: .: cannot open ./lib.sh"},
		"env":           {[]string{"env", "no-such-program"}, 127, "Failed to spawn: No such file or directory ("},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if len(tt.args) > 1 {
				if _, err := exec.LookPath(tt.args[0]); err != nil {
					t.Skip(err)
				}
			}
			w := program(t, tt.args...)
			must(t, os.WriteFile(filepath.Join(w.Dir, "file"), nil, 0o600))
			must(t, os.WriteFile(filepath.Join(w.Dir, "interpreter"), []byte("#!/no/such/interpreter -x\n"), 0o700))
			must(t, os.WriteFile(filepath.Join(w.Dir, "sourcing.sh"), []byte("#\n. ./lib.sh\n"), 0o600))
			got := w.run(t, message("PreToolUse"))
			if got.code != tt.code || got.stdout != "" || got.stderr == "" {
				t.Errorf("got %+v, want exit code %d", got, tt.code)
			}
			w.failed(t, 1, tt.error)
			w.run(t, message("PreToolUse"))
			w.run(t, message("PreToolUse"))
			if h := w.hook(t); h.State != breaker.Open {
				t.Errorf("%s after three failures, want open", h.State)
			}
			got = w.run(t, message("PreToolUse"))
			if got.code != 0 || got.stderr != "" || !strings.Contains(got.stdout, `"result":"continue"`) {
				t.Errorf("when open: %+v", got)
			}
		})
	}
}

func TestANTILOOP_Chaos_PermissionError(t *testing.T) {
	for name, tt := range map[string]struct {
		args  []string
		error string
	}{
		"program":          {[]string{"./norun"}, "Failed to spawn: Permission denied"},
		"folder":           {[]string{"./folder"}, "Failed to spawn: Permission denied"},
		"line":             {[]string{"/bin/sh", "-c", "./norun"}, "Failed to spawn: Permission denied ("},
		"line, folder":     {[]string{"/bin/bash", "-c", "./folder"}, "Failed to spawn: Is a directory ("},
		"other machine's":  {[]string{"./binary"}, "Failed to spawn: Exec format error"},
		"argument too big": {[]string{"/bin/echo", strings.Repeat("x", 1<<18)}, "Failed to spawn: Argument list too long"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := program(t, tt.args...)
			if len(w.Command.Key) > 1000 {
				w.Command.Key = "long"
			}
			must(t, os.WriteFile(filepath.Join(w.Dir, "norun"), []byte("#!/bin/sh\n"), 0o600))
			must(t, os.WriteFile(filepath.Join(w.Dir, "binary"), []byte("\x7fELF\x00\x00\x00\n"), 0o700))
			must(t, os.Mkdir(filepath.Join(w.Dir, "folder"), 0o700))
			if len(tt.args) > 1 && len(tt.args[1]) > 1000 {
				t.Skip("the wrapper's own process cannot be given so long a command")
			}
			got := w.run(t, message("PreToolUse"))
			if got.code != 126 || got.stdout != "" || got.stderr == "" {
				t.Errorf("got %+v, want exit code 126", got)
			}
			w.failed(t, 1, tt.error)
		})
	}
}

func TestScriptWithoutInterpreterLine(t *testing.T) {
	w := program(t, "./script", "a  b")
	must(t, os.WriteFile(filepath.Join(w.Dir, "script"), []byte("echo \"$1\"; cat; exit 5\n"), 0o700))
	equal(t, w.run(t, message("Stop")), result{5, "a  b\n" + message("Stop"), ""})
}

// What does not parse is broken, and exits 2 with many shells: that would be a verdict otherwise.
func TestScriptThatDoesNotParse(t *testing.T) {
	for name, args := range map[string][]string{
		"sh":      {"sh", "bad.sh"},
		"bash":    {"bash", "bad.sh"},
		"quote":   {"bash", "-c", "echo \"abc"},
		"line":    {"/bin/sh", "-c", "if then fi ("},
		"bash -c": {"bash", "-c", "if then fi ("},
		"busybox": {"busybox", "sh", "bad.sh"},
		"mawk":    {"mawk", "-f", "bad.awk"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(args[0]); err != nil {
				t.Skip(err)
			}
			w := program(t, args...)
			must(t, os.WriteFile(filepath.Join(w.Dir, "bad.sh"), []byte(":\nif then fi (\n"), 0o600))
			must(t, os.WriteFile(filepath.Join(w.Dir, "bad.awk"), []byte("BEGIN { ( "), 0o600))
			if got := w.run(t, message("PreToolUse")); got.code != 2 {
				t.Fatalf("got %+v", got)
			}
			w.failed(t, 1, "Failed to parse: ")
		})
	}
}

// A hook that looks at scripts, and finds one that does not parse, works well.
func TestVerdictOnAnotherScript(t *testing.T) {
	w := line(t, "for f in *.sh; do bash -n $f || exit 2; done")
	must(t, os.WriteFile(filepath.Join(w.Dir, "theirs.sh"), []byte("if then fi ("), 0o600))
	if got := w.run(t, message("PostToolUse")); got.code != 2 || !strings.HasPrefix(got.stderr, "theirs.sh: line 1: syntax error") {
		t.Fatalf("got %+v", got)
	}
	w.failed(t, 0, "")
}

func TestANTILOOP_Chaos_Timeout(t *testing.T) {
	w := line(t, `trap 'echo told >&2; exit 3' TERM; sleep 1000 & wait`)
	w.Options.Timeout = 100 * time.Millisecond
	equal(t, w.run(t, message("PreToolUse")), result{124, "", "told\n"})
	w.failed(t, 1, "Timed out after 100ms")
}

// Not even a hook whose processes take no notice outlives its time.
func TestANTILOOP_Chaos_TimeoutIgnored(t *testing.T) {
	w := line(t, `trap '' TERM; sh -c 'echo $$; while :; do sleep 1; done'; echo never`)
	w.configure(t, "circuit_breaker: {hook_timeout_seconds: 1}")
	got := w.run(t, message("PreToolUse"))
	pid, err := strconv.Atoi(strings.TrimSpace(got.stdout))
	must(t, err)
	if got.code != 124 || got.stderr != "" {
		t.Errorf("got %+v", got)
	}
	gone(t, pid)
	w.failed(t, 1, "Timed out after 1s")
}

// What a hook has started and has not waited for ends with the hook at its timeout, though the hook itself ended at once.
func TestTimeoutEndsTheGroup(t *testing.T) {
	w := line(t, `sh -c 'trap "" TERM; echo $$; while :; do sleep 1; done' & wait`)
	w.Options.Timeout = 500 * time.Millisecond
	got := w.run(t, message("PreToolUse"))
	pid, err := strconv.Atoi(strings.TrimSpace(got.stdout))
	must(t, err)
	if got.code != 124 {
		t.Errorf("got %+v", got)
	}
	gone(t, pid)
}

// gone waits for the end of a process that was killed; an orphan may remain as a zombie.
func gone(t *testing.T, pid int) {
	t.Helper()
	for range 1000 {
		if syscall.Kill(pid, 0) != nil {
			return
		}
		if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && bytes.Contains(stat, []byte(") Z ")) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("process %d still runs", pid)
}

// The loop of the document's problem: the hook fails at each call, and is called again for it.
func TestANTILOOP_Chaos_InfiniteLoop(t *testing.T) {
	w := line(t, `echo run >> runs; echo 'validation failed' >&2; exit 1`)
	for call := range 20 {
		got := w.run(t, message("Stop"))
		want := result{1, "", "validation failed\n"}
		if call >= 3 {
			want = result{0, got.stdout, ""}
			if told := got.stdout != ""; told != (call == 3) {
				t.Errorf("call %d prints %q", call, got.stdout)
			}
		}
		equal(t, got, want)
	}
	runs, err := os.ReadFile(filepath.Join(w.Dir, "runs"))
	must(t, err)
	if n := strings.Count(string(runs), "run"); n != 3 {
		t.Errorf("%d runs, want 3", n)
	}
	h := w.hook(t)
	if h.Executions != 3 || h.Skips != 17 || h.State != breaker.Open || h.LastError != "Exit code 1: validation failed" {
		t.Errorf("state %+v", h)
	}
	w.logged(t, "Circuit CLOSED -> OPEN after 3 failures: Exit code 1: validation failed; next try at ")
	w.logged(t, "Hook disabled due to repeated failures (circuit_open), until ")
}

// A Stop hook that blocks again and again is the loop, though none of its runs is a failure.
func TestANTILOOP_Chaos_InfiniteLoopOfBlocks(t *testing.T) {
	w := line(t, `echo '{"decision":"block","reason":"again"}'`)
	w.configure(t, "circuit_breaker: {stop_block_threshold: 2}")
	for range 2 {
		equal(t, w.run(t, message("Stop")), result{0, `{"decision":"block","reason":"again"}` + "\n", ""})
	}
	got := w.run(t, message("Stop"))
	if !strings.Contains(got.stdout, "it kept the agent from ending 2 times in a row") {
		t.Errorf("got %+v", got)
	}
	if other := strings.Replace(message("Stop"), "s1", "s2", 1); !strings.Contains(w.run(t, other).stdout, "block") {
		t.Error("another session is skipped")
	}
}

func TestANTILOOP_Chaos_Recovery(t *testing.T) {
	w := line(t, `test -e mended`)
	w.configure(t, "circuit_breaker: {failure_threshold: 1, cooldown_seconds: 1, success_threshold: 1}")
	w.run(t, message("Stop"))
	must(t, os.WriteFile(filepath.Join(w.Dir, "mended"), nil, 0o600))
	retry := w.hook(t).RetryAfter
	for time.Now().Before(*retry) {
		time.Sleep(time.Until(*retry))
	}
	equal(t, w.run(t, message("Stop")), result{})
	if h := w.hook(t); h.State != breaker.Closed {
		t.Errorf("%s, want closed", h.State)
	}
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

// The agent program sends SIGTERM twice and then waits a second and a half.
func TestSigtermIsRecorded(t *testing.T) {
	for name, tt := range map[string]struct {
		line  string
		sig   syscall.Signal
		times int
	}{
		"ends":        {`echo ready; exec sleep 1000`, syscall.SIGTERM, 1},
		"twice":       {`trap 'sleep 0.1; exit 0' TERM; echo ready; sleep 1000 & wait`, syscall.SIGTERM, 2},
		"ignored":     {`trap '' TERM; echo ready; while :; do sleep 0.1; done`, syscall.SIGTERM, 1},
		"interrupted": {`echo ready; exec sleep 1000`, syscall.SIGINT, 1},
		"hung up":     {`echo ready; exec sleep 1000`, syscall.SIGHUP, 1},
		"ends well":   {`trap 'exit 0' TERM; echo ready; sleep 1000 & wait`, syscall.SIGTERM, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := line(t, tt.line)
			s := w.start(t)
			must(t, s.in.Close())
			s.read(t)
			began := time.Now()
			for range tt.times {
				must(t, s.Process.Signal(tt.sig))
			}
			if code := s.end(t); code != 128+int(tt.sig) {
				t.Errorf("exit code %d", code)
			}
			t.Logf("recorded after %v", time.Since(began))
			w.failed(t, 1, "Ended by "+signalName(tt.sig))
		})
	}
}

func TestTroubleRunsTheHookOnce(t *testing.T) {
	const hook = `echo ran; echo err >&2; exit 3`
	want := result{3, "ran\n", "err\n"}
	t.Run("state is a folder", func(t *testing.T) {
		t.Parallel()
		w := line(t, hook)
		must(t, os.Mkdir(w.state(), 0o700))
		equal(t, w.run(t, message("Stop")), want)
		w.logged(t, "the hook runs without the circuit breaker")
	})
	t.Run("state's folder is a file", func(t *testing.T) {
		t.Parallel()
		w := line(t, hook)
		w.configure(t, "state_file: "+filepath.Join(w.Dir, "guardrails.yaml", "x"))
		equal(t, w.run(t, message("Stop")), want)
	})
	t.Run("lock is held", func(t *testing.T) {
		t.Parallel()
		w := line(t, hook)
		lock, err := statedir.TryAcquire(w.state() + ".lock")
		must(t, err)
		defer lock.Release()
		equal(t, w.run(t, message("Stop")), want)
		w.logged(t, "the hook runs without the circuit breaker")
	})
	t.Run("nothing can be written", func(t *testing.T) {
		t.Parallel()
		w := line(t, hook)
		w.NoWrite = true
		equal(t, w.run(t, message("Stop")), want)
	})
	t.Run("lock is taken meanwhile", func(t *testing.T) {
		t.Parallel()
		w := line(t, `echo ran; read -r x < go; exit 3`)
		must(t, syscall.Mkfifo(filepath.Join(w.Dir, "go"), 0o600))
		s := w.start(t)
		must(t, s.in.Close())
		s.read(t)
		lock, err := statedir.TryAcquire(w.state() + ".lock")
		must(t, err)
		defer lock.Release()
		must(t, os.WriteFile(filepath.Join(w.Dir, "go"), []byte("\n"), 0))
		if code := s.end(t); code != 3 {
			t.Errorf("exit code %d", code)
		}
		w.logged(t, "how the hook ended is not recorded")
	})
}

func TestSwitchedOff(t *testing.T) {
	w := line(t, `echo ran; exit 3`)
	w.configure(t, "circuit_breaker: {enabled: false}")
	for range 5 {
		equal(t, w.run(t, message("Stop")), result{3, "ran\n", ""})
	}
	if _, err := os.Stat(w.state()); err == nil {
		t.Error("there is a state file")
	}
}

func TestObserve(t *testing.T) {
	w := line(t, `exit 3`)
	w.configure(t, "circuit_breaker: {mode: observe}")
	for range 5 {
		equal(t, w.run(t, message("Stop")), result{code: 3})
	}
	w.logged(t, "Hook would be skipped (circuit_open), but runs")
}

func TestExcludedAlwaysRuns(t *testing.T) {
	for name, settings := range map[string]string{"part": "exclude: [exit]", "glob": `exclude: ["*ex?t 3"]`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := line(t, `exit 3`)
			w.configure(t, "circuit_breaker: {"+settings+"}")
			for range 5 {
				equal(t, w.run(t, message("Stop"), SkipVariable+"=exit"), result{code: 3})
			}
			if h := w.hook(t); h.FailureCount != 5 || h.State != breaker.Closed {
				t.Errorf("%+v", h)
			}
		})
	}
}

func TestAlways(t *testing.T) {
	w := line(t, `exit 3`)
	w.Options.Always = []string{"PreToolUse"}
	for range 5 {
		equal(t, w.run(t, message("PreToolUse")), result{code: 3})
	}
	if h := w.hook(t); h.FailureCount != 5 || h.State != breaker.Closed {
		t.Errorf("%+v", h)
	}
	for range 3 {
		w.run(t, message("PostToolUse"))
	}
	if h := w.hook(t); h.State != breaker.Open {
		t.Errorf("at another event: %+v", h)
	}
}

// The agent program runs other commands as it runs hooks: what is printed by them is for its status line.
func TestNoHook(t *testing.T) {
	for name, tt := range map[string]struct {
		stdin  string
		plugin bool
	}{
		"status line":   {message("Status"), false},
		"list of files": {message("FileSuggestion"), false},
		"no event":      {`{"session_id":"s1","model":{}}`, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := line(t, `cat; exit 3`)
			w.Options.Plugin = tt.plugin
			for range 5 {
				equal(t, w.run(t, tt.stdin), result{3, tt.stdin, ""})
			}
			if _, err := os.Stat(w.state()); err == nil {
				t.Error("there is a state file")
			}
		})
	}
}

func TestSkipVariable(t *testing.T) {
	w := line(t, `echo ran`)
	got := w.run(t, message("Stop"), SkipVariable+"=other, echo ran")
	if got.code != 0 || !strings.Contains(got.stdout, "is skipped because CLAUDE_HOOKS_SKIP names it") {
		t.Errorf("got %+v", got)
	}
	equal(t, w.run(t, message("Stop"), SkipVariable+"=other,"), result{stdout: "ran\n"})
}

// What is printed for a skipped hook depends on what the agent program makes of it.
func TestOutputWhenOpen(t *testing.T) {
	document := `{"result":"continue","message":"Hook disabled due to repeated failures"`
	for name, tt := range map[string]struct {
		stdin string
		quiet bool
		tells bool
		shows bool
	}{
		"Stop":              {stdin: message("Stop"), tells: true, shows: true},
		"PreToolUse":        {stdin: message("PreToolUse"), tells: true, shows: true},
		"SessionStart":      {stdin: message("SessionStart"), tells: true, shows: true},
		"PermissionRequest": {stdin: message("PermissionRequest")},
		"PreCompact":        {stdin: message("PreCompact")},
		"SessionEnd":        {stdin: message("SessionEnd")},
		"asynchronous":      {stdin: message("Stop"), quiet: true},
		"no event":          {stdin: "", tells: true},
		"no JSON":           {stdin: "hello", tells: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := line(t, `echo bad >&2; exit 1`)
			w.configure(t, "circuit_breaker: {failure_threshold: 1}")
			w.run(t, tt.stdin)
			w.Options.Quiet = tt.quiet
			got := w.run(t, tt.stdin)
			if got.code != 0 || got.stderr != "" || strings.HasPrefix(got.stdout, document) != tt.tells || !tt.tells && got.stdout != "" {
				t.Errorf("got %+v", got)
			}
			var said struct{ SystemMessage string }
			if tt.tells {
				must(t, json.Unmarshal([]byte(got.stdout), &said))
			}
			if tt.shows != strings.Contains(said.SystemMessage, "(failed once in a row: Exit code 1: bad)") {
				t.Errorf("systemMessage %q", said.SystemMessage)
			}
			if tt.shows {
				equal(t, w.run(t, tt.stdin), result{})
			}
		})
	}
	t.Run("WorktreeCreate", func(t *testing.T) {
		w := line(t, `echo /path; exit 1`)
		for range 5 {
			equal(t, w.run(t, message("WorktreeCreate")), result{1, "/path\n", ""})
		}
	})
}

// Much input for a hook that is skipped is taken all the same: otherwise the agent program's writing fails.
func TestInputWhenOpen(t *testing.T) {
	w := line(t, `cat >/dev/null; exit 1`)
	w.configure(t, "circuit_breaker: {failure_threshold: 1}")
	w.run(t, largeJSON())
	cmd := w.command(t)
	stdin, err := cmd.StdinPipe()
	must(t, err)
	must(t, cmd.Start())
	if _, err := io.WriteString(stdin, largeJSON()); err != nil {
		t.Error(err)
	}
	must(t, stdin.Close())
	must(t, cmd.Wait())
}

func TestDenyOnly(t *testing.T) {
	w := line(t, `cat out; test -n "$CLAUDE_ENV_FILE" && exit 4; exit 3`)
	w.Options.DenyOnly = true
	for out, want := range map[string]string{
		`{"decision":"approve","systemMessage":"m"}`: `{"systemMessage":"m"}` + "\n",
		"text\n":                   "text\n",
		strings.Repeat("x", 1<<20): strings.Repeat("x", 1<<20),
		`{"decision":"approve"}` + strings.Repeat(" ", 1<<20): "",
	} {
		must(t, os.WriteFile(filepath.Join(w.Dir, "out"), []byte(out), 0o600))
		must(t, os.RemoveAll(w.state()))
		if got := w.run(t, message("PreToolUse"), "CLAUDE_ENV_FILE=/x"); got.code != 3 || got.stdout != want {
			t.Errorf("%.50q gives %d %.50q", out, got.code, got.stdout)
		}
	}
}

// A wrapper that is killed takes its hook with it, and what it did not record counts as a failure.
func TestKilledWrapper(t *testing.T) {
	w := line(t, `echo $$; exec sleep 1000`)
	s := w.start(t)
	must(t, s.in.Close())
	pid, err := strconv.Atoi(s.read(t))
	must(t, err)
	must(t, s.Process.Kill())
	s.end(t)
	gone(t, pid)
	w.Command.Args = []string{"true"}
	equal(t, w.run(t, message("Stop")), result{})
	if h := w.hook(t); h.FailureCount != 1 || !strings.Contains(h.LastError, "never finished") {
		t.Errorf("%+v", h)
	}
}

// runner is a wrapper within the test's process.
func (w *wrapping) runner(stdin *os.File, stdout io.Writer) *Runner {
	c := breaker.LoadConfig(filepath.Join(w.Dir, "guardrails.yaml"), nil, w.Dir)
	file := &breaker.File{Path: w.state(), Now: time.Now, Random: rand.Float64, Policy: c.Policy, Parents: c.Parents}
	return &Runner{
		File: file, Config: c, Log: c.OpenLog(time.Now), Stdin: stdin, Stdout: stdout, Stderr: io.Discard, Environ: os.Environ(), Now: time.Now,
	}
}

// writer calls for each writing.
type writer func(b []byte)

func (w writer) Write(b []byte) (int, error) { w(b); return len(b), nil }

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

func TestChangesAreReturned(t *testing.T) {
	w := line(t, `exit 1`)
	w.configure(t, "circuit_breaker: {failure_threshold: 1}")
	code, changes := w.runner(nil, io.Discard).Run(t.Context(), w.Command, Options{})
	if code != 1 || len(changes) != 1 || changes[0].To != breaker.Open || changes[0].Hook != w.Command.Key {
		t.Errorf("exit code %d, changes %v", code, changes)
	}
}

// Nobody reads what the hook prints: its time is up all the same.
func TestOutputNotRead(t *testing.T) {
	w := line(t, `head -c 1000000 /dev/zero`)
	w.Options.Timeout = 200 * time.Millisecond
	r, pipe, err := os.Pipe()
	must(t, err)
	defer r.Close()
	cmd := w.command(t)
	cmd.Stdout = pipe
	must(t, cmd.Start())
	must(t, pipe.Close())
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 124 {
		t.Error(err)
	}
	w.failed(t, 1, "Timed out after 200ms")
}

// What is ignored, as below nohup, stays ignored, and the hook inherits it.
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

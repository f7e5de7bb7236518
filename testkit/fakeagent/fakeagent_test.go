package fakeagent

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

var program string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "fakeagent")
	if err == nil {
		defer func() { _ = os.RemoveAll(dir) }()
		program, err = Build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// fake returns a run as Tier 2 with a script.
func fake(t *testing.T, script string, args ...string) (*exec.Cmd, string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "script"), []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Env = []string{"FAKE_AGENT_DIR=" + dir, "CLAUDEOPS_TIER=2", "PATH=" + os.Getenv("PATH"), "MARK=yes"}
	return cmd, dir
}

// lines runs the program to its end and returns its output and exit code.
func lines(t *testing.T, cmd *exec.Cmd) (string, int) {
	t.Helper()
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// gist summarises an event in a few words.
func gist(t *testing.T, line string) string {
	t.Helper()
	var e struct {
		Type, Subtype string
		Attempt       int
		Model         string
		Result        string
		CostUSD       float64 `json:"total_cost_usd"`
		Usage         usage
		Message       struct {
			ID      string
			Content []struct {
				Type, Text, Name, Content string
				Input                     struct{ Command string }
			}
			Usage usage
		}
	}
	if err := json.Unmarshal([]byte(line), &e, json.MatchCaseInsensitiveNames(true)); err != nil {
		return "garbage " + line
	}
	parts := []string{e.Type}
	for _, s := range []string{e.Subtype, e.Model, e.Message.ID} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	for _, c := range e.Message.Content {
		parts = append(parts, strings.Fields(c.Type+" "+c.Text+" "+c.Name+" "+c.Input.Command+" "+c.Content)...)
	}
	switch e.Type {
	case "assistant":
		parts = append(parts, fmt.Sprint(e.Message.Usage))
	case "result":
		parts = append(parts, e.Result, fmt.Sprint(e.CostUSD), fmt.Sprint(e.Usage))
	}
	if e.Attempt > 0 {
		parts = append(parts, strconv.Itoa(e.Attempt))
	}
	return strings.Join(parts, " ")
}

func TestScripts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script string
		want   []string
		code   int
	}{
		"a whole run": {
			"# comment\n\ninit\nusage 10 5\nsay look\nsame\nsh echo $MARK\nsay line\\ntwo\nresult 0.25 3",
			[]string{
				"system init claude-haiku-4-5-20251001",
				"assistant msg_1 text look {10 1 0 0}",
				"assistant msg_1 tool_use Bash echo $MARK {10 1 0 0}",
				"user tool_result yes",
				"assistant msg_2 text line two {10 1 0 0}",
				"result success line\ntwo 0.25 {20 10 0 0}",
			}, 0,
		},
		"its own result text":   {"say no\nresult 0 1 all is well", []string{"assistant msg_1 text no {100 1 0 0}", "result success all is well 0 {100 20 0 0}"}, 0},
		"a command that fails":  {"sh echo no; exit 3", []string{"assistant msg_1 tool_use Bash echo no; exit 3 {100 1 0 0}", "user tool_result Exit code 3 no"}, 0},
		"another tool":          {"tool Read /etc/hosts", []string{"assistant msg_1 tool_use Read /etc/hosts {100 1 0 0}", "user tool_result ok"}, 0},
		"a limit":               {"usage 1 2 3 4\nsay x\nerror-result error_max_turns 0.5", []string{"assistant msg_1 text x {1 1 3 4}", "result error_max_turns  0.5 {1 2 3 4}"}, 1},
		"a refused key":         {"retry 2 401 authentication_failed\napi-error 401 Failed to authenticate", []string{"system api_retry 1", "system api_retry 2", "result success Failed to authenticate 0 {0 0 0 0}"}, 1},
		"garbage":               {`garbage {"type":\xff}`, []string{"garbage {\"type\":\xff}"}, 0},
		"a cut line":            {"truncate\nexit 9\nsay never", []string{`garbage {"type":"assistant","message":{"id":"msg_cut","content":[{"type":"text","te`}, 9},
		"closed early":          {"say heard\nclose-stdout\nsay lost\nexit 4", []string{"assistant msg_1 text heard {100 1 0 0}"}, 4},
		"killed":                {"die KILL", nil, -1},
		"terminated":            {"die TERM", nil, -1},
		"deaf to itself":        {"ignore-signals\nsh kill -TERM $PPID; kill -INT $PPID", []string{"assistant msg_1 tool_use Bash kill -TERM $PPID; kill -INT $PPID {100 1 0 0}", "user tool_result"}, 0},
		"deaf to one":           {"ignore-signals INT\nsh kill -INT $PPID\nsh kill -TERM $PPID\nhang", []string{"assistant msg_1 tool_use Bash kill -INT $PPID {100 1 0 0}", "user tool_result", "assistant msg_2 tool_use Bash kill -TERM $PPID {100 1 0 0}"}, -1},
		"interrupted in a call": {"on-sigint result 0.1\nsh kill -INT $PPID; sleep 3600\nsay never", []string{"assistant msg_1 tool_use Bash kill -INT $PPID; sleep 3600 {100 1 0 0}", "result error_during_execution  0.1 {100 20 0 0}"}, 1},
		"no such instruction":   {"say a\nsya b", []string{"assistant msg_1 text a {100 1 0 0}"}, badScript},
		"no number":             {"result x 1", nil, badScript},
		"too few":               {"retry 1", nil, badScript},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd, _ := fake(t, c.script, "--model", "haiku")
			out, code := lines(t, cmd)
			var got []string
			for line := range strings.Lines(out) {
				got = append(got, gist(t, strings.TrimSuffix(line, "\n")))
			}
			// The signal and the result of the call that sent it may arrive in either order.
			if name == "deaf to one" && len(got) == 4 {
				got = got[:3]
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
		})
	}
}

func TestMuchOutput(t *testing.T) {
	t.Parallel()
	cmd, _ := fake(t, "flood 1000000\nlongline 3000000\nstderr-flood 100000\nstderr last")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	all := strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n")
	flood, long := all[:len(all)-1], all[len(all)-1]
	if len(flood) < 200 || len(strings.Join(flood, "\n")) < 999_000 {
		t.Errorf("a flood of %d lines", len(flood))
	}
	if len(long) < 3_000_000 || !strings.HasPrefix(gist(t, long), "assistant msg_2 text xxx") {
		t.Errorf("a long line of %d bytes", len(long))
	}
	if stderr.Len() < 100_000 || !strings.HasSuffix(stderr.String(), "last\n") {
		t.Errorf("%d bytes on standard error", stderr.Len())
	}
}

func TestRecord(t *testing.T) {
	t.Parallel()
	cmd, dir := fake(t, "", "-p", "--model", "opus")
	cmd.Stdin, cmd.Dir = strings.NewReader("the prompt"), dir
	if err := os.WriteFile(filepath.Join(dir, "tier2"), []byte("exit 7"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, code := lines(t, cmd); code != 7 {
		t.Errorf("exit code %d, want 7: a tier's own script comes first", code)
	}
	got, err := ReadRecord(dir, "2")
	if err != nil {
		t.Fatal(err)
	}
	if got.PID != cmd.Process.Pid || got.Getenv("MARK") != "yes" || got.Getenv("MAR") != "" {
		t.Errorf("pid %d, MARK=%q", got.PID, got.Getenv("MARK"))
	}
	if model, ok := got.Flag("--model"); !ok || model != "opus" {
		t.Errorf("--model %q %t", model, ok)
	}
	if _, ok := got.Flag("opus"); ok {
		t.Error("the last argument has a value")
	}
	got.PID = 0
	if d := cmp.Diff(Record{Args: []string{"-p", "--model", "opus"}, Env: cmd.Env, Dir: dir, Stdin: "the prompt"}, got); d != "" {
		t.Error(d)
	}
}

func TestScriptBesideTheProgram(t *testing.T) {
	t.Parallel()
	cmd, dir := fake(t, "exit 5")
	link := filepath.Join(dir, "claude")
	if err := os.Symlink(program, link); err != nil {
		t.Fatal(err)
	}
	cmd.Path, cmd.Args, cmd.Env = link, []string{link}, []string{}
	if _, code := lines(t, cmd); code != 5 {
		t.Errorf("exit code %d, want 5", code)
	}
}

func TestVersionNeedsNoScript(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), program, "--version")
	if out, code := lines(t, cmd); out != Version+"\n" || code != 0 {
		t.Errorf("%q, exit code %d", out, code)
	}
}

func TestEscaped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		how        string
		deaf, mark bool
		stdout     bool
	}{
		{"escape", false, true, true},
		{"escape-quiet", false, true, false},
		{"escape-clean", false, false, false},
		{"escape-deaf", true, true, false},
		{"escape-respawn", true, true, false},
		{"background sleep 3600; true", false, true, false},
	} {
		t.Run(c.how, func(t *testing.T) {
			t.Parallel()
			cmd, dir := fake(t, c.how)
			out, err := os.Create(filepath.Join(dir, "stdout"))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = out.Close() }()
			cmd.Stdout = out
			if err := cmd.Run(); err != nil {
				t.Fatal(err)
			}
			pid := escaped(t, dir)
			proc := fmt.Sprintf("/proc/%d/", pid)
			env, err := os.ReadFile(proc + "environ")
			if err != nil {
				t.Fatalf("the process did not outlive the agent: %v", err)
			}
			if strings.Contains(string(env), "MARK=yes") != c.mark {
				t.Errorf("MARK in its environment is not %t", c.mark)
			}
			target, err := os.Readlink(proc + "fd/1")
			if err != nil {
				t.Fatal(err)
			}
			if (target == out.Name()) != c.stdout {
				t.Errorf("its standard output is %s", target)
			}
			sid, err := getsid(pid)
			if err != nil {
				t.Fatal(err)
			}
			if own, err := getsid(0); err != nil || sid == own || sid == cmd.Process.Pid {
				t.Errorf("it is in session %d, not in one of its own: %v", sid, err)
			}
			if got := ignoresTerm(t, proc+"status"); got != c.deaf {
				t.Errorf("it ignores SIGTERM: %t, want %t", got, c.deaf)
			}
		})
	}
}

// escaped returns the pid of the process that the agent left, and kills it after the test.
func escaped(t *testing.T, dir string) int {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "escaped"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if sid, err := getsid(pid); err == nil {
			_ = syscall.Kill(-sid, syscall.SIGKILL)
		}
	})
	return pid
}

func ignoresTerm(t *testing.T, status string) bool {
	t.Helper()
	b, err := os.ReadFile(status)
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(b), "SigIgn:\t")
	mask, err := strconv.ParseUint(after[:16], 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return mask&(1<<(syscall.SIGTERM-1)) != 0
}

func getsid(pid int) (int, error) {
	sid, _, errno := syscall.Syscall(syscall.SYS_GETSID, uintptr(pid), 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(sid), nil
}

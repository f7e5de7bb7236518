package tiers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/internal/procfs"
	"github.com/claudeops/claudeops/testkit/fakeagent"
)

var agentBin string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "tiers")
	if err == nil {
		agentBin, err = fakeagent.Build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// bench is a tier that is about to run, with its directory, specification and log.
type bench struct {
	dir  string
	spec Spec
	log  *bytes.Buffer
}

// newBench prepares a tier whose agent follows script.
func newBench(t *testing.T, script ...string) *bench {
	t.Helper()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "script"), []byte(strings.Join(script, "\n")), 0o600))
	must(t, os.Mkdir(filepath.Join(dir, "state"), 0o700))
	ws := got(NewWorkspace(filepath.Join(dir, "state"), 1))(t)
	b := &bench{dir: dir, log: &bytes.Buffer{}}
	b.spec = Spec{
		Tier: 1, Bin: agentBin, Model: "haiku", Prompt: "observe", System: "system", Timeout: time.Minute, Grace: 200 * time.Millisecond,
		Dir: dir, Workspace: ws, Log: b.log, Redactor: mask.New(nil), CLISessionID: "id",
		Environ: []string{"FAKE_AGENT_DIR=" + dir, "PATH=" + os.Getenv("PATH"), "HOME=" + ws.Home(), config.RunTokenVariable + "=token-" + filepath.Base(dir)},
	}
	return b
}

func (b *bench) run(t *testing.T) Outcome {
	t.Helper()
	out := got(Run(t.Context(), b.spec))(t)
	b.nothingIsLeft(t)
	return out
}

// nothingIsLeft fails if a process that the agent let escape is alive.
func (b *bench) nothingIsLeft(t *testing.T) {
	t.Helper()
	pids, err := os.ReadFile(filepath.Join(b.dir, "escaped"))
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	must(t, err)
	for _, field := range strings.Fields(string(pids)) {
		pid := got(strconv.Atoi(field))(t)
		if r, err := procfs.Read(pid); err == nil && !r.Dead() {
			t.Errorf("process %d is alive after the tier", pid)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// got returns the value of a call that must not fail.
func got[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		must(t, err)
		return value
	}
}

func TestOutcomes(t *testing.T) {
	for name, test := range map[string]struct {
		script []string
		ending Ending
		exit   int
		reason string
		cost   float64
		turns  int
	}{
		"a good result":                      {[]string{"init", "say hello", "result 0.25 3"}, Completed, 0, "", 0.25, 3},
		"the exit code decides":              {[]string{"result 0.25 3", "exit 7"}, Failed, 7, "exited with 7", 0.25, 3},
		"a bad result":                       {[]string{"say x", "error-result error_max_turns 0.5"}, Failed, 1, "error_max_turns", 0.5, 1},
		"an API error comes as a success":    {[]string{"api-error 529 Overloaded"}, Failed, 1, "Overloaded", 0, 1},
		"no result at all":                   {[]string{"init", "say hello"}, Failed, 0, "without a result event", 0.0002, 0},
		"a truncated stream":                 {[]string{"init", "truncate"}, Failed, 0, "without a result event", 0, 0},
		"garbage between events":             {[]string{"garbage \\xff\\xfe{{", "garbage null", "garbage []", "result 0.1 1"}, Completed, 0, "", 0.1, 1},
		"standard error is the reason":       {[]string{"stderr no such model", "exit 1"}, Failed, 1, "it said: no such model", 0, 0},
		"a flood on standard error":          {[]string{"stderr-flood 5000000", "result 0.1 1"}, Completed, 0, "", 0.1, 1},
		"killed by a signal":                 {[]string{"die KILL"}, Failed, -1, "ended by killed", 0, 0},
		"hung up":                            {[]string{"die HUP"}, Failed, -1, "ended by hangup", 0, 0},
		"output closed early":                {[]string{"result 0.1 1", "close-stdout"}, Completed, 0, "", 0.1, 1},
		"the credential is refused twice":    {[]string{"retry 2 401 authentication_failed", "hang"}, Failed, -1, "refused the credential", 0, 0},
		"refused once, then accepted":        {[]string{"retry 1 401 authentication_failed", "result 0.1 1"}, Completed, 0, "", 0.1, 1},
		"an overload is the agent's to bear": {[]string{"retry 5 529 overloaded", "result 0.1 1"}, Completed, 0, "", 0.1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			out := newBench(t, test.script...).run(t)
			if out.Ending != test.ending || out.ExitCode != test.exit || !strings.Contains(out.Reason, test.reason) {
				t.Errorf("%s, exit %d, %q; want %s, %d, %q", out.Ending, out.ExitCode, out.Reason, test.ending, test.exit, test.reason)
			}
			if out.NumTurns != test.turns || out.CostUSD < test.cost-1e-4 || out.CostUSD > test.cost+1e-4 {
				t.Errorf("$%v, %d turns; want $%v, %d", out.CostUSD, out.NumTurns, test.cost, test.turns)
			}
		})
	}
}

func TestAgentThatCannotBeStarted(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	must(t, os.WriteFile(plain, []byte("#!/bin/sh\n"), 0o600))
	broken := filepath.Join(dir, "broken")
	must(t, os.WriteFile(broken, []byte("#!/no/such/interpreter\n"), 0o700))
	for name, bin := range map[string]string{"missing": filepath.Join(dir, "none"), "not executable": plain, "no interpreter": broken, "a directory": dir} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.spec.Bin = bin
			if out := b.run(t); out.Ending != Failed || !strings.Contains(out.Reason, "start the agent program") {
				t.Errorf("%+v; want a failure that says that it could not be started", out)
			}
		})
	}
}

func TestTimeout(t *testing.T) {
	for name, script := range map[string][]string{
		"answers SIGINT":             {"say x", "on-sigint result 0.5", "hang"},
		"ignores SIGINT":             {"ignore-signals INT", "hang"},
		"ignores SIGINT and SIGTERM": {"ignore-signals", "hang"},
		"closed its output":          {"ignore-signals", "close-stdout", "hang"},
		"with a command running":     {"sh sleep 3600"},
		"with a deaf escapee":        {"escape-deaf", "ignore-signals", "hang"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, script...)
			b.spec.Timeout = 300 * time.Millisecond
			if out := b.run(t); out.Ending != TimedOut {
				t.Errorf("%s (%s), want timed_out", out.Ending, out.Reason)
			}
		})
	}
}

// runLonger runs an agent that does not end, with increasing time limits, until it has come far enough. How far it comes in a given time
// depends on the machine.
func runLonger(t *testing.T, enough func(Outcome) bool, script ...string) (out Outcome) {
	t.Helper()
	for timeout := 300 * time.Millisecond; timeout < 2*time.Minute; timeout *= 4 {
		b := newBench(t, script...)
		b.spec.Timeout = timeout
		if out = b.run(t); enough(out) {
			break
		}
	}
	return out
}

func TestCostOfAStoppedAgent(t *testing.T) {
	out := runLonger(t, func(out Outcome) bool { return out.InputTokens > 0 }, "usage 1000000 0", "say x", "hang")
	if out.CostUSD < 1 || out.CostUSD > 1.01 || out.InputTokens != 1000000 {
		t.Errorf("$%v, %d tokens in; a million of haiku's input tokens cost $1", out.CostUSD, out.InputTokens)
	}
}

func TestWaitingForTheAPIIsTheReason(t *testing.T) {
	said := func(out Outcome) bool { return strings.Contains(out.Reason, "overloaded, attempt 7") }
	if out := runLonger(t, said, "retry 7 529 overloaded", "hang"); !said(out) {
		t.Errorf("%q", out.Reason)
	}
}

func TestInterruption(t *testing.T) {
	b := newBench(t, "init", "on-sigint result 0.5", "hang")
	ctx, cancel := context.WithCancelCause(t.Context())
	b.spec.Started = func(ProcessID) error { cancel(errors.New("ended by signal: terminated")); return nil }
	out := got(Run(ctx, b.spec))(t)
	if out.Ending != Interrupted || !strings.Contains(out.Reason, "terminated") {
		t.Errorf("%s (%s), want interrupted, with the cause", out.Ending, out.Reason)
	}
}

func TestWhatTheAgentLeavesBehindIsEnded(t *testing.T) {
	for _, escape := range []string{"escape", "escape-quiet", "escape-clean", "escape-deaf", "escape-respawn"} {
		t.Run(escape, func(t *testing.T) {
			out := newBench(t, escape, escape, "result 0.1 1").run(t)
			if out.Ending != Completed || len(out.Survivors) != 0 {
				t.Errorf("%s (%s), survivors %v; want completed, none", out.Ending, out.Reason, out.Survivors)
			}
		})
	}
}

func TestChildrenFromBeforeAreLeftAlone(t *testing.T) {
	reader, writer, err := os.Pipe()
	must(t, err)
	own := got(os.StartProcess("/bin/cat", []string{"cat"}, &os.ProcAttr{Files: []*os.File{reader, os.Stderr, os.Stderr}}))(t)
	newBench(t, "escape", "result 0.1 1").run(t)
	must(t, errors.Join(reader.Close(), writer.Close())) // cat ends by itself
	state := got(own.Wait())(t)
	if !state.Success() {
		t.Errorf("a child of ours from before the tier ended with %v", state)
	}
}

func TestEndRuns(t *testing.T) {
	for _, escape := range []string{"escape-quiet", "escape-clean", "escape-deaf"} {
		t.Run(escape, func(t *testing.T) { endRuns(t, escape) })
	}
}

func endRuns(t *testing.T, escape string) {
	b := newBench(t, "wait-for go", escape, "result 0.1 1")
	token := "token-" + filepath.Base(b.dir)
	cmd := got(command(b.spec))(t)
	p := got(start(cmd, token))(t)
	must(t, os.WriteFile(filepath.Join(b.dir, "go"), nil, 0o600)) // it is marked by now, as the real program is before it runs anything
	<-p.ended                                                     // no sweep, as if the cycle had been killed
	if ended, _, err := EndRuns(t.Context(), []string{"token-of-another"}); err != nil || len(ended) != 0 {
		t.Fatalf("ended %v, %v; nothing carries that token", ended, err)
	}
	ended, survivors, err := EndRuns(t.Context(), []string{"token-of-another", token})
	must(t, err)
	if len(ended) == 0 || len(survivors) != 0 {
		t.Errorf("ended %v, survivors %v; want the escaped process ended", ended, survivors)
	}
	b.nothingIsLeft(t)
	reap(nil) // in this test, unlike in a cycle, this process is the subreaper
	if ended, _, err := EndRuns(t.Context(), nil); err != nil || len(ended) != 0 {
		t.Errorf("without a token: ended %v, %v", ended, err)
	}
}

func TestWhatTheAgentStartedBeforeItsMarkIsMarked(t *testing.T) {
	must(t, unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
	others := children(nil)
	reader, writer, err := os.Pipe()
	must(t, err)
	cmd := exec.Command("sh", "-c", "env -i setsid sh -c 'sleep 3600 & echo $!' & wait")
	cmd.Stdout = writer
	must(t, cmd.Start())
	line := make([]byte, 32)
	n, err := reader.Read(line)
	must(t, errors.Join(err, reader.Close(), writer.Close()))
	orphan := got(strconv.Atoi(strings.TrimSpace(string(line[:n]))))(t)
	mark(cmd.Process.Pid, "token-of-the-early", others)
	must(t, cmd.Wait())
	ended, survivors, err := EndRuns(t.Context(), []string{"token-of-the-early"})
	must(t, err)
	if !slices.Equal(ended, []int{orphan}) || len(survivors) != 0 {
		t.Errorf("ended %v, survivors %v; want %d ended", ended, survivors, orphan)
	}
	reap(others)
}

func TestOutputIsReadToTheEnd(t *testing.T) {
	b := newBench(t, "flood 30000000", "say [COOLDOWN:restart:shop] success — done", "longline 20000000", "result 0.1 1 the end")
	out := b.run(t)
	if out.Ending != Completed || out.Response != "the end" || len(out.Markers) != 1 {
		t.Errorf("%s (%s), %q, %d markers; nothing of the output may be lost", out.Ending, out.Reason, out.Response, len(out.Markers))
	}
	if b.log.Len() < 50_000_000 {
		t.Errorf("the log has %d bytes, want all 50 million", b.log.Len())
	}
}

func TestGrandchildHoldingThePipeCannotHangTheTier(t *testing.T) {
	b := newBench(t, "say last words", "escape", "result 0.1 1")
	if out := b.run(t); out.Ending != Completed || !bytes.Contains(b.log.Bytes(), []byte("last words")) {
		t.Errorf("%s (%s)", out.Ending, out.Reason)
	}
}

func TestSecretsAreRedactedFromTheLog(t *testing.T) {
	const secret = "hunter2hunter2"
	for name, script := range map[string]string{
		"a line": "say my key is " + secret,
		"a line too long to decode, on every seam":           "sh head -c 17000000 /dev/zero | tr '\\0' x | sed 's/x\\{3000\\}/&" + secret + "/g'",
		"what a command shows":                               "say I ran curl -u ops:" + secret + " http://h",
		"what a command shows, in a line too long to decode": "sh head -c 17000000 /dev/zero | tr '\\0' x | sed 's/x\\{3000\\}/& PGPASSWORD=" + secret + " /g'",
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, script, "result 0.1 1")
			b.spec.Redactor = mask.New(nil)
			if !strings.HasPrefix(name, "what a command shows") {
				b.spec.Redactor = mask.New([]string{secret})
			}
			b.run(t)
			if bytes.Contains(b.log.Bytes(), []byte(secret)) {
				t.Error("the log holds the secret")
			}
			if !bytes.Contains(b.log.Bytes(), []byte(mask.Redacted)) {
				t.Error("the secret never came by")
			}
		})
	}
}

func TestProgress(t *testing.T) {
	b := newBench(t, "tool Bash x", "say y", "result 0.1 1")
	var tools []string
	b.spec.Progress = func(p Progress) { tools = append(tools, p.Tool) }
	b.run(t)
	if want := []string{"Bash", ""}; !slices.Equal(tools, want) {
		t.Errorf("%q, want %q", tools, want)
	}
}

func TestStartedKnowsTheProcess(t *testing.T) {
	b := newBench(t, "result 0.1 1")
	var id ProcessID
	b.spec.Started = func(p ProcessID) error { id = p; return nil }
	b.run(t)
	record := got(fakeagent.ReadRecord(b.dir, ""))(t)
	if id.PID != record.PID || id.Start == 0 || len(id.BootID) != 36 {
		t.Errorf("%+v, want pid %d, a start time and a boot id", id, record.PID)
	}
}

func TestASessionThatCannotBeRecordedIsStopped(t *testing.T) {
	b := newBench(t, "hang")
	b.spec.Started = func(ProcessID) error { return syscall.ENOSPC }
	out, err := Run(t.Context(), b.spec)
	if !errors.Is(err, syscall.ENOSPC) || out.Ending != Failed {
		t.Errorf("%s, %v; want failed, and the error", out.Ending, err)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestFullDiskDoesNotBlockTheAgent(t *testing.T) {
	b := newBench(t, "flood 3000000", "result 0.1 1")
	b.spec.Log = fullDisk{}
	out, err := Run(t.Context(), b.spec)
	if !errors.Is(err, syscall.ENOSPC) || out.Ending != Completed {
		t.Errorf("%s, %v; want the tier to its end, and the error", out.Ending, err)
	}
}

func TestProcessThatOnlyForksIsEnded(t *testing.T) {
	// Each process starts the next and exits, so every list of processes is outdated.
	b := newBench(t, `background perl -e '$SIG{TERM} = "IGNORE"; while (1) { exit if fork() }'`, "result 0.1 1")
	out := got(Run(t.Context(), b.spec))(t)
	if len(out.Survivors) != 0 || !childless() {
		t.Errorf("survivors %v", out.Survivors)
	}
}

func TestFiguresThatCannotBe(t *testing.T) {
	b := newBench(t, `garbage {"type":"result","is_error":false,"total_cost_usd":0.5,"num_turns":3}`,
		`garbage {"type":"result","is_error":false,"total_cost_usd":-1e6,"num_turns":-5,"duration_ms":-9,"usage":{"input_tokens":-1}}`)
	if out := b.run(t); out.CostUSD != 0.5 || out.NumTurns != 0 || out.DurationMS < 0 || out.InputTokens < 0 {
		t.Errorf("%+v; want the highest cost and nothing negative", out)
	}
}

func TestMarkersAreBounded(t *testing.T) {
	text := strings.Repeat("[COOLDOWN:restart:shop] success\n", 500)
	s := &stream{}
	for range 3 {
		s.whole([]byte(`{"type":"assistant","message":{"content":[{"type":"text","text":` + strconv.Quote(text) + `}]}}`))
	}
	if len(s.markers) != maxMarkers {
		t.Errorf("%d markers, want %d", len(s.markers), maxMarkers)
	}
}

func FuzzStream(f *testing.F) {
	f.Add([]byte(`{"type":"assistant","message":{"id":"a","usage":{"input_tokens":1},"content":[{"type":"text","text":"[COOLDOWN:restart:a] success - x"}]}}` + "\n"))
	f.Add([]byte(`{"type":"result","result":"x","total_cost_usd":1e308}`))
	f.Add([]byte("{\"subtype\":\"init\",\"type\":\"system\",\"tools\":[\"Bash\"]}\n\n\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var log bytes.Buffer
		s := &stream{log: sessionLog{to: &log}}
		for chunk := range slices.Chunk(in, 1+len(in)/3) { // lines are cut anywhere
			_, _ = s.Write(chunk)
		}
		s.Close()
		if !bytes.Equal(log.Bytes(), in) {
			t.Fatalf("the log differs from the input: %q, want %q", log.Bytes(), in)
		}
		for _, m := range s.markers {
			if !regexp.MustCompile(`^[A-Za-z0-9._-]+$`).MatchString(m.Service) {
				t.Fatalf("marker of %q", m.Service)
			}
		}
		_ = s.response()
	})
}

package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/broker"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/testkit/modeltest"
	"github.com/claudeops/claudeops/tiers"
)

// The agent program with one door: it has only our tools, and a call ends properly if something on the way is missing, dies or hangs.

// doored is one tier of the real agent program with tools served by this test.
type doored struct {
	t      *testing.T
	dir    string // for what its commands create
	spec   tiers.Spec
	srv    *modeltest.Server
	log    bytes.Buffer
	crash  func()                                          // ends the server, which exists once a call is made
	listen bool                                            // whether the tools are served
	bash   func(ctx context.Context, command string) error // called before a command runs; may be nil

	mu     sync.Mutex
	called []string
}

func (d *doored) note(tool, id, what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !strings.HasPrefix(id, "toolu_") {
		d.t.Errorf("%s: tool use id %q", tool, id)
	}
	d.called = append(d.called, tool+" "+what)
}

func (d *doored) Bash(ctx context.Context, id, command string, out io.Writer) error {
	d.note("bash", id, command)
	if d.bash != nil {
		if err := d.bash(ctx, command); err != nil {
			return err
		}
	}
	cmd := exec.CommandContext(ctx, "bash", "-c", command)
	cmd.Dir, cmd.Stdout, cmd.Stderr = d.dir, out, out
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return broker.ExitError(exit.ExitCode())
	}
	return err
}

func (d *doored) Call(_ context.Context, id string, argv []string, input []byte, out io.Writer) error {
	d.note("call", id, strings.TrimSpace(strings.Join(argv, " ")+" "+string(input)))
	_, err := io.WriteString(out, "reported")
	return err
}

func (d *doored) Read(_ context.Context, id, path string, _, _ int, _ io.Writer) error {
	d.note("read", id, path)
	return nil
}

func (d *doored) AskHuman(_ context.Context, id, service, text string, _ io.Writer) error {
	d.note("ask_human", id, service+" "+text)
	return nil
}

func newDoored(t *testing.T, tier int, turns ...modeltest.Turn) *doored {
	t.Helper()
	dir := t.TempDir()
	d := &doored{t: t, dir: dir, listen: true, srv: modeltest.Start(t, modeltest.Script{"haiku": turns})}
	must(t, os.Mkdir(filepath.Join(dir, "state"), 0o700))
	ws, err := tiers.NewWorkspace(filepath.Join(dir, "state"), 1)
	must(t, err)
	credential := config.Credential{Kind: config.APIKey, Value: modeltest.Key}
	d.spec = tiers.Spec{
		Tier: tier, Bin: modeltest.Program(t), Model: "haiku", Prompt: "Check the services.", System: "You watch services.", Timeout: 4 * time.Minute,
		Dir: dir, Workspace: ws, Log: &d.log, CLISessionID: uuid.NewString(),
		Server: &tiers.Server{Shim: shimBin, Tools: broker.Tools(tier, true)}, Credential: credential,
		Environ: tiers.Environment(append(d.srv.Environ(), "PATH="+os.Getenv("PATH"), "CLAUDE_CODE_MAX_RETRIES=1"), nil, credential, map[string]string{
			"HOME": ws.Home(), "TMPDIR": ws.Scratch(), config.RunTokenVariable: uuid.NewString(),
		}),
	}
	return d
}

// run runs the tier until it ends; nothing of ours may fail.
func (d *doored) run() tiers.Outcome {
	d.t.Helper()
	d.spec.Server.Serve = func(ctx context.Context) error { <-ctx.Done(); return nil }
	if d.listen {
		l, err := broker.Listen(d.spec.Workspace.Socket())
		must(d.t, err)
		d.spec.Server.Serve = func(ctx context.Context) error {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			d.crash = cancel
			door := broker.Door{Tier: d.spec.Tier, Confined: true, Handler: d, Scratch: d.spec.Workspace.Scratch()}
			return door.Serve(ctx, l)
		}
	}
	out, err := tiers.Run(d.t.Context(), d.spec)
	must(d.t, errors.Join(err, unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0))) // this process is not the subreaper of other tests' orphans
	return out
}

// results returns the tool results that the model got, in order.
func (d *doored) results() (all []modeltest.Result) {
	for _, r := range d.srv.Requests() {
		all = append(all, r.Results...)
	}
	return all
}

func (d *doored) wantCalled(want ...string) {
	d.t.Helper()
	if !slices.Equal(d.called, want) {
		d.t.Errorf("called for %q, want %q", d.called, want)
	}
}

func bash(commands ...string) modeltest.Turn {
	var turn modeltest.Turn
	for _, command := range commands {
		turn.Tools = append(turn.Tools, modeltest.ToolUse{Name: "mcp__claudeops__bash", Input: map[string]any{"command": command}})
	}
	return turn
}

func TestDoor_NoOtherToolIsOfferedOrWorks(t *testing.T) {
	for tier := 1; tier <= 3; tier++ {
		d := newDoored(t, tier)
		made := filepath.Join(d.dir, "made")
		d.srv.Play(modeltest.Script{"haiku": {
			modeltest.Use("Bash", map[string]any{"command": "touch " + made}),
			modeltest.Use("Read", map[string]any{"file_path": "/etc/passwd"}),
			modeltest.Use("Write", map[string]any{"file_path": made, "content": "x"}),
			modeltest.Use("Task", map[string]any{"description": "x", "prompt": "touch " + made, "subagent_type": "general-purpose"}),
			bash("echo one", "echo two >&2; exit 3"),
			modeltest.Use("mcp__claudeops__report", map[string]any{"check_results": []any{map[string]any{"service": "shop", "check_type": "http", "status": "healthy", "error": ""}}}),
			modeltest.Say("done"),
		}})
		out := d.run()
		var offered []string
		for _, name := range broker.Tools(tier, true) {
			offered = append(offered, "mcp__claudeops__"+name)
		}
		slices.Sort(offered)
		slices.Sort(out.Tools)
		if out.Ending != tiers.Completed || !slices.Equal(out.Tools, offered) {
			t.Errorf("Tier %d: %s, %s; the init event has %q, want %q", tier, out.Ending, out.Reason, out.Tools, offered)
		}
		requests := d.srv.Requests()
		if size := requests[0].Size; size > 3800 { // the request apart from the prompts, which is sent on every turn
			t.Errorf("Tier %d: the first request has %d bytes, at most 3,800: %s", tier, size, requests[0].Body)
		}
		for _, r := range requests {
			if slices.Sort(r.Tools); !slices.Equal(r.Tools, offered) {
				t.Errorf("Tier %d: the model is offered %q", tier, r.Tools)
			}
		}
		if _, err := os.Stat(made); err == nil {
			t.Errorf("Tier %d: a tool of the program's own ran", tier)
		}
		d.wantCalled("bash echo one", "bash echo two >&2; exit 3", `call claudeops report {"check_results":[{"check_type":"http","error":"","service":"shop","status":"healthy"}]}`)
		results := d.results()
		if len(results) != 7 {
			t.Fatalf("Tier %d: %d results: %+v", tier, len(results), results)
		}
		for i, r := range results[:4] {
			if !r.IsError || !strings.Contains(r.Text, "not enabled in this context") && !strings.Contains(r.Text, "No such tool") {
				t.Errorf("Tier %d: call %d of another tool was answered %+v", tier, i, r)
			}
		}
		want := []modeltest.Result{{Text: "one\n"}, {Text: "Exit code 3\ntwo", IsError: true}, {Text: "reported"}}
		if !slices.Equal(results[4:], want) {
			t.Errorf("Tier %d: the model was told %+v, want %+v", tier, results[4:], want)
		}
	}
}

func TestDoor_LongOutputIsCutAndKept(t *testing.T) {
	d := newDoored(t, 1, bash("seq 20000"), modeltest.Say("done"))
	d.run()
	results := d.results()
	counted(t, "results", results, 1)
	if text := results[0].Text; len(text) != 30_000 || !strings.Contains(text, "[cut: the output has 108894 bytes, kept in "+d.spec.Workspace.Scratch()) {
		t.Errorf("the model was told %d bytes that end in %q", len(text), text[max(0, len(text)-200):])
	}
}

// relay returns the pid of the relay that the agent program has started.
func (d *doored) relay() (pid int) {
	d.t.Helper()
	want := strings.Join([]string{shimBin, "relay", d.spec.Workspace.Socket(), ""}, "\x00")
	entries, err := filepath.Glob("/proc/[0-9]*/cmdline")
	must(d.t, err)
	for _, path := range entries {
		if text, err := os.ReadFile(path); err == nil && string(text) == want {
			_, err := fmt.Sscanf(path, "/proc/%d/", &pid)
			must(d.t, err)
		}
	}
	return pid
}

func TestDoor_AKilledRelayEndsTheCallAndIsStartedAgain(t *testing.T) {
	d := newDoored(t, 1, bash("first"), bash("echo second"), modeltest.Say("done"))
	var cancelled error
	d.bash = func(ctx context.Context, command string) error {
		if command != "first" {
			return nil
		}
		if err := syscall.Kill(d.relay(), syscall.SIGKILL); err != nil {
			return err
		}
		<-ctx.Done()
		cancelled = context.Cause(ctx)
		return cancelled
	}
	out := d.run()
	results := d.results()
	if out.Ending != tiers.Completed || cancelled == nil || len(results) != 2 || !results[0].IsError || results[1] != (modeltest.Result{Text: "second\n"}) {
		t.Errorf("%s %s; cancelled: %v; the model was told %+v", out.Ending, out.Reason, cancelled, results)
	}
	d.wantCalled("bash first", "bash echo second")
}

// The agent program ends at once on a signal, and its server with it. What the server has started must not survive.
func TestDoor_AnAgentThatIsKilledEndsTheCall(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		d := newDoored(t, 1, bash("sleep 600"))
		var agent int
		d.spec.Started = func(p tiers.ProcessID) error { agent = p.PID; return nil }
		ended := false
		d.bash = func(ctx context.Context, _ string) error {
			if err := syscall.Kill(agent, signal); err != nil {
				return err
			}
			<-ctx.Done()
			ended = true
			return context.Cause(ctx)
		}
		if out := d.run(); out.Ending != tiers.Failed || !ended {
			t.Errorf("%v: %s, and the call ended: %v", signal, out.Ending, ended)
		}
	}
}

func TestDoor_WithoutAServerNothingRuns(t *testing.T) {
	for name, lay := range map[string]func(d *doored){
		"no socket": func(d *doored) { d.listen = false },
		"no shim":   func(d *doored) { d.spec.Server.Shim = filepath.Join(d.dir, "none") },
		"a shim that hangs": func(d *doored) {
			d.spec.Server.Shim = filepath.Join(d.dir, "hangs")
			must(d.t, os.WriteFile(d.spec.Server.Shim, []byte("#!/bin/sh\nexec sleep 600\n"), 0o700))
			d.spec.Environ = append(d.spec.Environ, "MCP_CONNECT_TIMEOUT_MS=1000")
		},
		"a server that hangs": func(d *doored) {
			d.listen = false
			l, err := net.Listen("unix", d.spec.Workspace.Socket())
			must(d.t, err)
			d.t.Cleanup(func() { l.Close() })
			d.spec.Environ = append(d.spec.Environ, "MCP_CONNECT_TIMEOUT_MS=1000")
		},
	} {
		made := filepath.Join(t.TempDir(), "made")
		d := newDoored(t, 1, modeltest.Use("Bash", map[string]any{"command": "touch " + made}), bash("touch "+made), modeltest.Say("done"))
		lay(d)
		out := d.run()
		if out.Ending != tiers.Failed || !strings.Contains(out.Reason, "has not the tools of this cycle") {
			t.Errorf("%s: %s, %q", name, out.Ending, out.Reason)
		}
		if _, err := os.Stat(made); err == nil || len(d.called) > 0 {
			t.Errorf("%s: something ran: %q", name, d.called)
		}
	}
}

func TestDoor_AServerThatEndsInACallStopsTheAgent(t *testing.T) {
	d := newDoored(t, 1, bash("first"), bash("echo second"), modeltest.Use("Bash", map[string]any{"command": "echo third"}), modeltest.Say("done"))
	d.bash = func(ctx context.Context, _ string) error {
		d.crash()
		<-ctx.Done()
		return context.Cause(ctx)
	}
	out := d.run()
	if out.Ending != tiers.Failed || !strings.Contains(out.Reason, "their server has ended") {
		t.Errorf("%s, %s", out.Ending, out.Reason)
	}
	d.wantCalled("bash first")
	for i, r := range d.results() {
		if !r.IsError {
			t.Errorf("call %d was answered %q", i, r.Text)
		}
	}
}

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/claudeops/claudeops/testkit/modeltest"
)

// hooksHome is the place of a person who works with the agent program: a home with settings and hooks, a project, a scripted model, and the
// program under its name claude-hooks in PATH. Nothing else of claudeops is configured.
type hooksHome struct {
	*world
	model *modeltest.Server
}

func newHooksHome(t *testing.T, script modeltest.Script) *hooksHome {
	t.Helper()
	d := &hooksHome{world: makeWorld(t)}
	for _, dir := range []string{"home/.claude/hooks", "project/.claude", "bin", "tmp"} {
		must(t, os.MkdirAll(d.path(dir), 0o700))
	}
	d.link()
	d.env = map[string]string{
		"PATH": d.path("bin") + ":" + os.Getenv("PATH"), "HOME": d.path("home"), "TMPDIR": d.path("tmp"), "TZ": "UTC",
		"TEST_DIR": d.dir, // to which hooks write their input
	}
	if script != nil {
		d.model = modeltest.Start(t, script)
		for _, entry := range d.model.Environ() {
			name, value, _ := strings.Cut(entry, "=")
			d.env[name] = value
		}
	}
	return d
}

// link puts claude-hooks into PATH, unlink removes it.
func (d *hooksHome) link() {
	d.t.Helper()
	must(d.t, os.Symlink(claudeopsBin, d.path("bin", "claude-hooks")))
}
func (d *hooksHome) unlink() { d.t.Helper(); must(d.t, os.Remove(d.path("bin", "claude-hooks"))) }

// hook writes a shell script and returns the command to run it, as people write it in their settings.
func (d *hooksHome) hook(name, script string) (command string) {
	d.t.Helper()
	d.write("home/.claude/hooks/"+name, script)
	return "sh $HOME/.claude/hooks/" + name
}

func (d *hooksHome) write(name, text string) {
	d.t.Helper()
	must(d.t, os.WriteFile(d.path(name), []byte(text), 0o600))
}

// read returns the content of a file below the home; empty if it is missing.
func (d *hooksHome) read(name string) string {
	d.t.Helper()
	text, err := os.ReadFile(d.path(name))
	if !errors.Is(err, os.ErrNotExist) {
		must(d.t, err)
	}
	return string(text)
}

// lines returns the number of lines of a file below the home: how often a hook was run.
func (d *hooksHome) lines(name string) int { return strings.Count(d.read(name), "\n") }

const userSettings = "home/.claude/settings.json"

// settings writes the user's hooks: for each event, its matcher and its commands.
func (d *hooksHome) settings(hooks map[string][]string) {
	d.t.Helper()
	events := map[string]any{}
	for event, commands := range hooks {
		var entries []any
		for _, command := range commands {
			entries = append(entries, map[string]any{"type": "command", "command": command, "timeout": 30})
		}
		events[event] = []any{map[string]any{"hooks": entries}}
	}
	text, err := json.MarshalIndent(map[string]any{"permissions": map[string]any{"allow": []string{"Bash"}}, "hooks": events}, "", "  ")
	must(d.t, err)
	d.write(userSettings, string(text)+"\n")
}

// hooks runs the program as claude-hooks, which must exit with 0.
func (d *hooksHome) hooks(args ...string) (stdout string) {
	d.t.Helper()
	a := d.claudeHooks("", args...)
	if a.code != 0 {
		d.t.Fatalf("claude-hooks %q exited with %d\n%s%s", args, a.code, a.out, a.err)
	}
	return a.out
}

func (d *hooksHome) claudeHooks(stdin string, args ...string) answer {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), deadline)
	defer cancel()
	cmd := d.command(ctx, d.path("bin", "claude-hooks"), args...)
	cmd.Stdin = strings.NewReader(stdin)
	return d.answer(cmd)
}

func (d *hooksHome) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env, cmd.Dir = d.environ(), d.path("project")
	cmd.WaitDelay = time.Minute
	return cmd
}

// sysProcAttr makes a command run as the home's user.
func (d *hooksHome) sysProcAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Credential: d.as} }

func (d *hooksHome) answer(cmd *exec.Cmd) answer {
	d.t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		d.t.Fatalf("%q: %v\n%s", cmd.Args, err, &errs)
	}
	return answer{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// conversation is the result of one run of the agent program.
type conversation struct {
	code     int
	subtype  string // subtype of the result: success, error_max_turns
	requests int    // the model's answers, which cost money
	events   []hookEvent
	output   string
}

// hookEvent is the agent program's report of one run of a hook.
type hookEvent struct {
	Subtype  string `json:"subtype"`
	Name     string `json:"hook_name"`
	Event    string `json:"hook_event"`
	Stdout   string `json:"stdout"`
	Stderr   string `json:"stderr"`
	ExitCode int    `json:"exit_code"`
	Outcome  string `json:"outcome"`
}

// talk runs the real agent program with the user's settings, for at most the given number of turns.
func (d *hooksHome) talk(maxTurns int, args ...string) conversation {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), deadline)
	defer cancel()
	before := len(d.model.Requests())
	cmd := d.command(ctx, modeltest.Program(d.t), append([]string{
		"-p", "--output-format", "stream-json", "--verbose", "--include-hook-events", "--model", "haiku", "--tools", "Bash",
		"--permission-mode", "dontAsk", "--strict-mcp-config", "--max-turns", strconv.Itoa(maxTurns),
	}, args...)...)
	cmd.Stdin = strings.NewReader("Check the services.")
	a := d.answer(cmd)
	c := conversation{code: a.code, requests: len(d.model.Requests()) - before, output: a.out + a.err}
	for line := range strings.Lines(a.out) {
		var e struct {
			Type string `json:"type"`
			hookEvent
		}
		if json.Unmarshal([]byte(line), &e) != nil {
			continue
		}
		switch {
		case e.Type == "result":
			c.subtype = e.Subtype
		case e.Subtype == "hook_response":
			c.events = append(c.events, e.hookEvent)
		}
	}
	if c.subtype == "" {
		d.t.Fatalf("the agent program ended with %d and no result:\n%s", c.code, c.output)
	}
	return c
}

// hookState is the part of the state file that the tests check: the fields of ANTI-LOOP, and other relevant ones.
type hookState struct {
	Hooks map[string]struct {
		State               string         `json:"state"`
		FailureCount        int            `json:"failure_count"`
		ConsecutiveFailures int            `json:"consecutive_failures"`
		LastError           string         `json:"last_error"`
		DisabledAt          *time.Time     `json:"disabled_at"`
		RetryAfter          *time.Time     `json:"retry_after"`
		Executions          int            `json:"executions"`
		Skips               int            `json:"skips"`
		Running             map[string]any `json:"running"`
	} `json:"hooks"`
	Stats struct {
		Executions int `json:"total_executions"`
		Failures   int `json:"total_failures"`
		Disabled   int `json:"hooks_disabled"`
	} `json:"global_stats"`
}

const stateFile = "home/.claude/hook_state.json"

func (d *hooksHome) state() (s hookState) {
	d.t.Helper()
	if err := json.Unmarshal([]byte(d.read(stateFile)), &s); err != nil {
		d.t.Fatalf("the state file is not whole: %v\n%s", err, d.read(stateFile))
	}
	return s
}

// input returns what the agent program gives a hook for an event.
func input(event, session string) string {
	return fmt.Sprintf(`{"session_id":%q,"cwd":"/tmp","permission_mode":"default","hook_event_name":%q}`+"\n", session, event)
}

const skippedMessage = `"message":"Hook disabled due to repeated failures"`

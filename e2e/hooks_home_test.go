package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/testkit/modeltest"
)

// hooksHome is the place of a person who works with the agent program: a home with settings and hooks, a project, a scripted model, and
// claude-hooks in PATH. Nothing of claudeops is there.
type hooksHome struct {
	*world
	model *modeltest.Server
}

const (
	project      = "my project"
	userSettings = "home/.claude/settings.json"
	guardrails   = "home/.claude/guardrails.yaml"
	stateFile    = "home/.claude/hook_state.json"
)

func newHooksHome(t *testing.T, script modeltest.Script) *hooksHome {
	t.Helper()
	d := &hooksHome{world: makeWorld(t)}
	for _, dir := range []string{"home/.claude/hooks", project + "/.claude", "bin", "tmp"} {
		must(t, os.MkdirAll(d.path(dir), 0o700))
	}
	d.bin = d.path("bin/claude-hooks")
	d.link()
	d.env = map[string]string{
		"PATH": d.path("bin") + ":" + os.Getenv("PATH"), "HOME": d.path("home"), "TMPDIR": d.path("tmp"), "TZ": "UTC",
		"TEST_DIR": d.dir, // where hooks leave their marks
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
func (d *hooksHome) link()   { d.t.Helper(); must(d.t, os.Symlink(hooksBin, d.bin)) }
func (d *hooksHome) unlink() { d.t.Helper(); must(d.t, os.Remove(d.bin)) }

func (d *hooksHome) write(name, text string) {
	d.t.Helper()
	must(d.t, os.WriteFile(d.path(name), []byte(text), 0o600))
}

// lines returns the number of lines of a file: how often a hook was run.
func (d *hooksHome) lines(name string) int {
	d.t.Helper()
	text, err := os.ReadFile(d.path(name))
	if !errors.Is(err, os.ErrNotExist) {
		must(d.t, err)
	}
	return bytes.Count(text, []byte("\n"))
}

// settings makes a command the user's only hook.
func (d *hooksHome) settings(event, command string) {
	d.t.Helper()
	d.write(userSettings, fmt.Sprintf(`{
  "permissions": {"allow": ["Bash"]},
  "hooks": {%q: [{"hooks": [{"type": "command", "command": %q, "timeout": 30}]}]}
}
`, event, command))
}

// input returns what the agent program gives a hook for an event.
func input(event, session string) string {
	return fmt.Sprintf(`{"session_id":%q,"cwd":"/tmp","permission_mode":"default","hook_event_name":%q}`+"\n", session, event)
}

// call calls a wrapped hook as the agent program does: `claude-hooks run` with args.
func (d *hooksHome) call(event string, args ...string) answer {
	d.t.Helper()
	return d.feed(input(event, "s"), append([]string{"run"}, args...)...)
}

// starts starts a wrapped hook, for tests in which several run at once.
func (d *hooksHome) starts(stdout *bytes.Buffer, line string) *exec.Cmd {
	d.t.Helper()
	cmd := exec.CommandContext(d.t.Context(), d.bin, "run", "-c", line)
	cmd.Env, cmd.Dir, cmd.Stdin = d.environ(), d.dir, strings.NewReader(input("PostToolUse", "s"))
	if stdout != nil {
		cmd.Stdout = stdout
	}
	must(d.t, cmd.Start())
	return cmd
}

// conversation is the result of one run of the agent program.
type conversation struct {
	code     int
	subtype  string   // of the result: success, error_max_turns
	requests int      // the model's answers, which cost money
	events   []string // its reports of hooks that ended
}

// turnLimit is the number of turns after which the agent program gives up.
const turnLimit = 30

// talk runs the real agent program with the user's settings.
func (d *hooksHome) talk(tools string) (c conversation) {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), deadline)
	defer cancel()
	before := len(d.model.Requests())
	cmd := exec.CommandContext(ctx, modeltest.Program(d.t),
		"-p", "--output-format", "stream-json", "--verbose", "--include-hook-events", "--model", "haiku", "--tools", tools,
		"--permission-mode", "dontAsk", "--strict-mcp-config", "--max-turns", strconv.Itoa(turnLimit))
	cmd.Env, cmd.Dir, cmd.Stdin = d.environ(), d.path(project), strings.NewReader("Check the services.")
	cmd.WaitDelay = time.Minute
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	c.code, c.requests = cmd.ProcessState.ExitCode(), len(d.model.Requests())-before
	for line := range strings.Lines(string(out)) {
		var e struct{ Type, Subtype string }
		if json.Unmarshal([]byte(line), &e) != nil {
			continue
		}
		switch {
		case e.Type == "result":
			c.subtype = e.Subtype
		case e.Subtype == "hook_response":
			c.events = append(c.events, line)
		}
	}
	if c.subtype == "" {
		d.t.Fatalf("the agent program ended without a result: %v\n%s%s", err, out, &errs)
	}
	return c
}

// hookState is the part of the state file that the tests check.
type hookState struct {
	Hooks map[string]struct {
		State        string     `json:"state"`
		FailureCount int        `json:"failure_count"`
		LastError    string     `json:"last_error"`
		LastFailure  *time.Time `json:"last_failure"`
		DisabledAt   *time.Time `json:"disabled_at"`
		RetryAfter   *time.Time `json:"retry_after"`
		Executions   int        `json:"executions"`
		Failures     int        `json:"failures"`
		Skips        int        `json:"skips"`
		Owner        string     `json:"owner"` // another program's
	} `json:"hooks"`
	Stats struct {
		Executions int    `json:"total_executions"`
		Failures   int    `json:"total_failures"`
		Disabled   int    `json:"hooks_disabled"`
		Host       string `json:"host"` // another program's
	} `json:"global_stats"`
	Schema []int `json:"schema"` // another program's
}

func (d *hooksHome) state() (s hookState) {
	d.t.Helper()
	if err := json.Unmarshal([]byte(d.read(stateFile)), &s); err != nil {
		d.t.Fatalf("the state file is not whole: %v\n%s", err, d.read(stateFile))
	}
	return s
}

// cooldownOver dates the next trials back.
func (d *hooksHome) cooldownOver() {
	d.t.Helper()
	d.write(stateFile, regexp.MustCompile(`("retry_after": )"[^"]*"`).ReplaceAllString(d.read(stateFile), `$1"2026-02-10T23:40:42Z"`))
}

// openCircuit returns a state file as in ANTI-LOOP, whose cooldown is long over.
func openCircuit(command string) string {
	return fmt.Sprintf(`{
  "hooks": {
    %q: {
      "state": "open", "failure_count": 5, "consecutive_failures": 5, "consecutive_successes": 0,
      "first_failure": "2026-02-10T23:32:15Z", "last_failure": "2026-02-10T23:35:42Z", "last_success": null,
      "last_error": "Failed to spawn: No such file or directory",
      "disabled_at": "2026-02-10T23:35:42Z", "retry_after": "2026-02-10T23:40:42Z"
    }
  },
  "global_stats": {"total_executions": 1523, "total_failures": 12, "hooks_disabled": 1, "last_updated": "2026-02-10T23:35:42Z"}
}
`, command)
}

const (
	skippedMessage = `{"result":"continue","message":"Hook disabled due to repeated failures"`
	missingFile    = "Failed to spawn: No such file or directory"
)

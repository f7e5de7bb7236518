package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/hooks"
)

// desk is claude-hooks with its own state file, home and clock.
type desk struct {
	t     *testing.T
	home  string
	now   time.Time
	out   bytes.Buffer
	err   bytes.Buffer
	stdin *os.File
}

func newDesk(t *testing.T, state string) *desk {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "GUARDRAILS_") || strings.HasPrefix(name, "CLAUDE_HOOKS_") {
			t.Setenv(name, "")
		}
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = null.Close() })
	d := &desk{t: t, home: home, now: time.Date(2026, 2, 10, 23, 40, 42, 0, time.FixedZone("CET", 3600)), stdin: null}
	if state != "" {
		d.write(".claude/hook_state.json", state)
	}
	return d
}

func (d *desk) write(name, text string) {
	d.t.Helper()
	path := filepath.Join(d.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) streams() Streams {
	return Streams{In: d.stdin, Out: &d.out, Err: &d.err, Now: func() time.Time { return d.now }}
}

// run returns the exit code; the output is in out and err.
func (d *desk) run(args ...string) int {
	return d.runIn(context.Background(), args...)
}

func (d *desk) runIn(ctx context.Context, args ...string) int {
	d.out.Reset()
	d.err.Reset()
	return Main(ctx, append([]string{"/usr/local/bin/claude-hooks"}, args...), d.streams())
}

func (d *desk) want(code int, out, err string, args ...string) {
	d.t.Helper()
	if got := d.run(args...); got != code || d.out.String() != out || !strings.Contains(d.err.String(), err) || err == "" && d.err.Len() > 0 {
		d.t.Errorf("%q: exit %d, want %d\n%s\n%s\nwant error %q", args, got, code, cmp.Diff(out, d.out.String()), d.err.String(), err)
	}
}

// The example of ANTI-LOOP. Its times are not of the same moment, so the retry is two minutes later here.
func TestANTILOOP_HealthReport(t *testing.T) {
	hooks := []string{`"uv run $CLAUDE_PROJECT_DIR/.claude/hooks/validators/validate_file_contains.py": {
      "state": "open",
      "failure_count": 5,
      "consecutive_failures": 5,
      "consecutive_successes": 0,
      "first_failure": "2026-02-10T22:32:15Z",
      "last_failure": "2026-02-10T22:35:42Z",
      "last_success": null,
      "last_error": "Failed to spawn: No such file or directory",
      "disabled_at": "2026-02-10T22:35:42Z",
      "retry_after": "2026-02-10T22:42:42Z"
    }`}
	for i := range 44 {
		hooks = append(hooks, fmt.Sprintf(`"hook-%d": {"state": "closed"}`, i))
	}
	d := newDesk(t, `{"hooks": {`+strings.Join(hooks, ",")+`}}`)
	const want = `Hook Health Report
==================
Total Hooks: 45
Active: 44
Disabled: 1

DISABLED HOOKS:
  [OPEN] validate_file_contains.py
    Failures: 5 consecutive, 5 total
    Last Error: Failed to spawn: No such file or directory
    Disabled Since: 2026-02-10 23:35:42 (5 minutes ago)
    Retry After: 2026-02-10 23:42:42 (in 2 minutes)

COMMANDS:
  Reset single hook:  claude-hooks reset validate_file_contains.py
  Reset all:          claude-hooks reset --all
  Force enable:       claude-hooks enable validate_file_contains.py --force
`
	d.want(0, want, "", "health")
	d.want(1, want, "", "health", "--check")
	d.want(0, "hooks: 1 of 45 off: validate_file_contains.py\n", "", "health", "--line")

	d.want(0, "validate_file_contains.py is reset\n", "", "reset", "validate_file_contains.py")
	d.want(0, "Hook Health Report\n==================\nTotal Hooks: 44\nActive: 44\nDisabled: 0\n", "", "health", "--check")
	d.want(0, "hooks: 44 active\n", "", "health", "--line")
	d.want(0, "44 hooks reset\n", "", "reset", "--all")
	d.want(0, "Hook Health Report\n==================\nTotal Hooks: 0\nActive: 0\nDisabled: 0\n", "", "health")
	d.want(0, "hooks: 0 active\n", "", "health", "--line")
}

// What is not in ANTI-LOOP.
func TestHealthReportOfEverythingElse(t *testing.T) {
	d := newDesk(t, `{"hooks": {
  "/h/due.py": {"state": "open", "failure_count": 4, "consecutive_failures": 3, "disabled_at": "2026-02-10T21:00:00Z", "retry_after": "2026-02-10T22:40:42Z"},
  "/h/trial.py": {"state": "half_open", "consecutive_successes": 1, "last_error": "two\nlines \u001b[31m\u202e", "disabled_at": "2026-02-08T21:00:00Z"},
  "/h/tried.py": {"state": "half_open", "generation": 2},
  "/h/off.py": {"disabled_by_hand": "2026-02-10T22:40:42Z"},
  "/h/off-and-open.py": {"state": "open", "consecutive_failures": 3, "failure_count": 3, "last_error": "x", "disabled_by_hand": "2026-02-10T22:40:41Z", "retry_after": "2026-02-10T22:59:00Z"},
  "/h/child.py": {},
  "/h/parent.py": {"state": "open", "disabled_at": "2026-02-10T22:40:00Z", "retry_after": "2026-02-10T22:41:42Z"},
  "/h/observed.py": {"state": "open", "retry_after": "2026-02-10T22:59:00Z"},
  "/h/tree.py": {"state": "open", "event": "WorktreeCreate", "retry_after": "2026-02-10T22:59:00Z"},
  "/h/safe.py": {"consecutive_failures": 7, "failure_count": 9, "last_error": "y"},
  "/h/it's.py": {"sessions": {"0123": {"seen_at": "2026-02-10T22:40:42Z", "loop": {"state": "open", "consecutive_failures": 8,
    "disabled_at": "2026-02-10T22:40:42Z", "retry_after": "2026-02-11T22:40:42Z"}}}}
}}`)
	d.write(".claude/guardrails.yaml", `circuit_breaker:
  cooldown_seconds: soon
  exclude: [safe.py]
  dependencies: {child.py: [parent.py]}
  hooks:
    observed.py: {mode: observe}
    due.py: {backoff: {adaptive: true}}
`)
	d.run("health")
	const want = `Hook Health Report
==================
Total Hooks: 11
Active: 4
Disabled: 7

DISABLED HOOKS:
  [PARENT_OPEN] child.py
    Depends On: parent.py
    Disabled Since: 2026-02-10 23:40:00 (42 seconds ago)
    Retry After: 2026-02-10 23:41:42 (in 1 minute)
  [OPEN] due.py
    Failures: 3 consecutive, 4 total
    Disabled Since: 2026-02-10 22:00:00 (1 hour ago)
    Retry After: 2026-02-10 23:40:42 (the next call is a trial)
    Recovery: 50 % likely, by its trials so far
  [DISABLED] off-and-open.py
    Failures: 3 consecutive, 3 total
    Last Error: x
    Disabled Since: 2026-02-10 23:40:41 (1 second ago), by hand
  [DISABLED] off.py
    Disabled Since: 2026-02-10 23:40:42 (just now), by hand
  [OPEN] parent.py
    Failures: 0 consecutive, 0 total
    Disabled Since: 2026-02-10 23:40:00 (42 seconds ago)
    Retry After: 2026-02-10 23:41:42 (in 1 minute)
  [HALF_OPEN] trial.py
    Failures: 0 consecutive, 0 total
    Last Error: two lines �[31m�
    Disabled Since: 2026-02-08 22:00:00 (2 days ago)
    On Trial: 1 of 2 successes, the next call is tried
  [HALF_OPEN] tried.py
    Failures: 0 consecutive, 0 total
    On Trial: 0 of 2 successes, the next call is tried

WOULD BE DISABLED:
  [OPEN] observed.py
    Failures: 0 consecutive, 0 total
    Retry After: 2026-02-10 23:59:00 (in 18 minutes)
    Runs All The Same: it is observed only
  [OPEN] tree.py
    Failures: 0 consecutive, 0 total
    Retry After: 2026-02-10 23:59:00 (in 18 minutes)
    Runs All The Same: WorktreeCreate hooks are never skipped

DISABLED IN SINGLE SESSIONS:
  [OPEN] it's.py
    Session: 0123
    Blocks: 8 consecutive
    Disabled Since: 2026-02-10 23:40:42 (just now)
    Retry After: 2026-02-11 23:40:42 (in 24 hours)

EXCLUDED, BUT FAILING:
  [EXCLUDED] safe.py
    Failures: 7 consecutive, 9 total
    Last Error: y

CONFIGURATION FAULTS:
  guardrails.yaml:2: circuit_breaker.cooldown_seconds: "soon"; must be a whole number of seconds from 1 to 31536000; 300 is used

COMMANDS:
  Reset single hook:  claude-hooks reset due.py
  Reset all:          claude-hooks reset --all
  Force enable:       claude-hooks enable due.py --force
  Enable:             claude-hooks enable off-and-open.py
`
	if diff := cmp.Diff(want, d.out.String()); diff != "" {
		t.Error(diff)
	}
	d.want(0, "hooks: 8 of 11 off: child.py, due.py +6\n", "", "health", "--line")
	t.Setenv("GUARDRAILS_MODE", "observe")
	if code := d.run("health", "--check"); code != 0 || !strings.Contains(d.out.String(), "\nDisabled: 0\nMode: observe, every hook runs\n") {
		t.Errorf("exit %d: %s", code, d.out.String())
	}
	d.want(0, "hooks: 11 observed\n", "", "health", "--line")
	t.Setenv("GUARDRAILS_ENABLED", "false")
	if code := d.run("health", "--check"); code != 0 || !strings.Contains(d.out.String(), "\nDisabled: 0\nCircuit Breaker: off, every hook runs\n") {
		t.Errorf("exit %d: %s", code, d.out.String())
	}
	d.want(0, "hooks: circuit breaker off\n", "", "health", "--line")
}

// The commands that a report suggests work.
func TestHealthReportNamesCommands(t *testing.T) {
	d := newDesk(t, "")
	state := filepath.Join(d.home, "the state")
	d.write("the state", `{"hooks": {"/h/it's here.py": {"sessions": {"s": {"seen_at": "2026-02-10T22:40:42Z", "loop": {"state": "open", "retry_after": "2026-02-11T22:40:42Z"}}}}}}`)
	if code := d.run("health", "--check", "--state-file", state); code != 1 {
		t.Errorf("exit %d", code)
	}
	want := fmt.Sprintf(`
COMMANDS:
  Reset single hook:  claude-hooks reset "it's" --state-file '%s'
  Reset all:          claude-hooks reset --all --state-file '%[1]s'
`, state)
	if !strings.HasSuffix(d.out.String(), want) {
		t.Errorf("%s\nwant at its end\n%s", d.out.String(), want)
	}
	a := &app{program: "claudeops"}
	if got := a.hooks("health"); got != "claudeops hooks health" {
		t.Error(got)
	}
}

func TestOnlyOursIsColour(t *testing.T) {
	a := &app{Streams: Streams{Now: time.Now}}
	h := hooks.HookHealth{Name: "a\x1b[0m\nb", Disabled: true}
	h.State = hooks.Open
	got, err := a.healthText(hooks.Health{Enabled: true, Hooks: []hooks.HookHealth{h}}, true)
	if want := "\n\x1b[1mDISABLED HOOKS:\x1b[0m\n  \x1b[31m[OPEN]\x1b[0m a\uFFFD[0m b\n    Failures: 0 consecutive, 0 total\n"; err != nil || !strings.Contains(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

func TestRelativeTimes(t *testing.T) {
	now := time.Date(2026, 2, 10, 12, 0, 0, 0, time.UTC)
	for ago, want := range map[time.Duration]string{
		0:                                "just now",
		999 * time.Millisecond:           "just now",
		time.Second:                      "1 second ago",
		59*time.Second + 999e6:           "59 seconds ago",
		time.Minute:                      "1 minute ago",
		5*time.Minute + 59*time.Second:   "5 minutes ago",
		59*time.Minute + 59*time.Second:  "59 minutes ago",
		time.Hour:                        "1 hour ago",
		47*time.Hour + 59*time.Minute:    "47 hours ago",
		48 * time.Hour:                   "2 days ago",
		400 * 24 * time.Hour:             "400 days ago",
		-1:                               "in 1 second",
		-1400 * time.Millisecond:         "in 1 second",
		-59 * time.Second:                "in 59 seconds",
		-59*time.Second - 700e6:          "in 1 minute",
		-89 * time.Second:                "in 1 minute",
		-90 * time.Second:                "in 2 minutes",
		-2 * time.Minute:                 "in 2 minutes",
		-5*time.Minute - time.Second:     "in 5 minutes",
		-59*time.Minute - 40*time.Second: "in 1 hour",
		-24 * time.Hour:                  "in 24 hours",
		-72 * time.Hour:                  "in 3 days",
	} {
		if got := relative(now.Add(-ago), now); got != want {
			t.Errorf("%v: %q, want %q", ago, got, want)
		}
	}
}

func TestStatusLineIsShort(t *testing.T) {
	health := hooks.Health{Enabled: true, Total: 5}
	for _, name := range []string{"a-hook-with-a-name-that-no-status-line-has-room-for.py", "b\nc", "d", "e"} {
		health.Hooks = append(health.Hooks, hooks.HookHealth{Name: name, Disabled: true})
	}
	if got, want := healthLine(health), "hooks: 4 of 5 off: a-hook-with-a-name-that-no-st…, b c +2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

const threeHooks = `{"hooks": {
  "/h/a/x.py": {"state": "open", "consecutive_failures": 3, "failure_count": 3, "last_error": "broken", "retry_after": "2026-02-10T22:59:00Z"},
  "/h/b/x.py": {"state": "closed", "executions": 7, "skips": 2, "last_call": "2026-02-10T22:00:00Z", "event": "Stop"},
  "/h/safe.py": {"state": "closed"}
}}`

func TestHookList(t *testing.T) {
	d := newDesk(t, threeHooks)
	t.Setenv("GUARDRAILS_EXCLUDE", "safe.py")
	d.want(0, `NAME     STATE     FAILURES  RUNS  SKIPPED  LAST CALL                EVENT
a/x.py   open      3 of 3    0     0        -                        -
b/x.py   closed    0 of 3    7     2        2026-02-10 23:00:00 CET  Stop
safe.py  excluded  0         0     0        -                        -
`, "", "list")
	if code := d.run("list", "--json"); code != 0 || !strings.HasPrefix(d.out.String(), "[\n  {\n") || strings.Count(d.out.String(), `"command": "/h/`) != 3 {
		t.Errorf("%d: %s", code, d.out.String())
	}
	if code := d.run("health", "--json"); code != 0 || !strings.Contains(d.out.String(), "  \"disabled\": 1,\n") || !strings.Contains(d.out.String(), `"global_stats": {`) {
		t.Errorf("%d: %s", code, d.out.String())
	}
	d = newDesk(t, "")
	d.want(0, "no hook has run behind the circuit breaker yet\n", "", "list")
	d.want(0, "[]\n", "", "list", "--json")
	d.want(0, "[]\n", "", "log", "--json")
	d.want(0, "nothing is logged in "+d.home+"/.claude/logs/circuit_breaker.log\n", "", "log")
}

// Manual override in ANTI-LOOP: a failed hook needs --force, one that was disabled by hand does not.
func TestANTILOOP_ManualOverride(t *testing.T) {
	d := newDesk(t, threeHooks)
	t.Setenv("GUARDRAILS_EXCLUDE", "safe.py")
	d.want(1, "", "could be any of\nclaude-hooks:   a/x.py\nclaude-hooks:   b/x.py\n", "reset", "x.py")
	for _, command := range []string{"disable", "enable", "reset"} {
		d.want(1, "", "no hook is called \"y.py\"; a hook is known once it has run: `claude-hooks list` names those; one that has not run yet and is not wrapped is named by its whole command", command, "y.py")
		d.want(1, "", "no hook is called \"saef.py\"; did you mean safe.py? `claude-hooks list` names those that have run", command, "saef.py")
	}
	d.want(1, "", "claude-hooks: no hook is called \"y.py\"; a hook is known once it has run: `claude-hooks list` names those\n", "log", "y.py")
	d.want(1, "", "a/x.py was switched off because it failed (broken), and is tried again by itself; `claude-hooks enable a/x.py --force` closes its circuit now", "enable", "a/x.py")
	d.want(0, "a/x.py is enabled\n", "", "enable", "a/x.py", "--force")
	d.want(0, "a/x.py was not disabled\n", "", "enable", "a/x.py")
	d.want(0, "b/x.py is disabled until `claude-hooks enable b/x.py`\n", "", "disable", "b/x.py")
	d.want(0, "b/x.py is reset\nit stays disabled, as it was by hand; `claude-hooks enable b/x.py` enables it\n", "", "reset", "b/x.py")
	d.want(1, "", "safe.py is excluded from the circuit breaker and always executes; ", "disable", "safe.py")
	d.run("list")
	if !strings.Contains(d.out.String(), "b/x.py   disabled") || !strings.Contains(d.out.String(), "a/x.py   closed") {
		t.Error(d.out.String())
	}
	d.want(0, "b/x.py is enabled\n", "", "enable", "b/x.py")
	d.want(0, "3 hooks reset\n", "", "reset", "--all")

	d.run("log")
	for _, line := range []string{"/h/a/x.py | Circuit OPEN -> CLOSED", "/h/a/x.py | enabled by hand", "/h/b/x.py | disabled by hand", "/h/b/x.py | reset by hand", "- | all hooks were reset by hand"} {
		if !strings.Contains(d.out.String(), line+"\n") {
			t.Errorf("the log lacks %q:\n%s", line, d.out.String())
		}
	}
}

// A hook that has not run yet can be disabled: by its name if install has wrapped it, or by its command.
func TestANTILOOP_ManualOverride_BeforeItRuns(t *testing.T) {
	d := newDesk(t, `{"hooks": {"/h/known.py --all": {}}}`)
	d.write(".claude/settings.json", `{"hooks": {"Stop": [{"hooks": [
		{"type": "command", "command": "uv run /h/new.py 'a b'"}, {"type": "command", "command": "/h/known.py"},
		{"type": "command", "command": "python3", "args": ["/h/two words.py", "x"]}]}],
		"PreToolUse": [{"hooks": [{"type": "command", "command": "/h/not-wrapped.py"}]}]}}`)
	if code := d.run("install"); code != 0 {
		t.Fatalf("%d: %s", code, d.err.String())
	}
	d.want(0, "off.py is disabled until `claude-hooks enable off.py`\n"+"no hook with this command has run behind the circuit breaker yet: /h/off.py\n",
		"has the command /h/off.py", "disable", "/h/off.py")
	d.want(0, "not-wrapped.py is disabled until `claude-hooks enable not-wrapped.py`\n"+
		"no hook with this command has run behind the circuit breaker yet: /h/not-wrapped.py\n",
		"and not wrapped, so that it runs all the same; `claude-hooks install --include not-wrapped.py` wraps it", "disable", "/h/not-wrapped.py")
	d.write(".claude/hook_state.json", `{"hooks": {"/h/known.py --all": {}}}`)
	const note = "no hook with this command has run behind the circuit breaker yet: "
	d.want(0, "new.py is disabled until `claude-hooks enable new.py`\n"+note+"uv run /h/new.py 'a b'\n", "", "disable", "new.py")
	d.want(0, "known.py is disabled until `claude-hooks enable known.py`\n"+note+"/h/known.py\n", "", "disable", "/h/known.py")
	d.want(0, "two words.py is disabled until `claude-hooks enable 'two words.py'`\n"+note+"python3 '/h/two words.py' x\n", "", "disable", "two words")
	path := filepath.Join(d.home, ".claude/settings.json")
	d.want(0, "plugin.sh is disabled until `claude-hooks enable plugin.sh`\n"+note+"sh /p/plugin.sh\n",
		"claude-hooks: warning: no hook of "+path+" has the command 'sh /p/plugin.sh'", "disable", "sh /p/plugin.sh")
	for _, command := range []string{"disable", "enable", "reset"} {
		d.want(1, "", `no hook is called "not-wrapped.py" behind the circuit breaker: it is in `+path+
			" and not wrapped; `claude-hooks install --include not-wrapped.py` wraps it", command, "not-wrapped.py")
	}
	d.want(0, "other.sh was not disabled\n"+note+"sh /p/other.sh\n", "", "enable", "sh /p/other.sh")
	d.want(0, "nothing is known of other.sh\n"+note+"sh /p/other.sh\n", "", "reset", "sh /p/other.sh")
	for _, row := range []struct{ command, name string }{
		{"uv run /h/new.py 'a b'", "new.py"}, {"/h/known.py", "known.py"}, {"python3 '/h/two words.py' x", "two words.py"}, {"sh /p/plugin.sh", "plugin.sh"},
	} {
		if code := d.run("run", "-c", row.command); code != 0 || d.err.Len() > 0 || !strings.Contains(d.out.String(), "Hook disabled") {
			t.Errorf("%q was not skipped: %d, %s%s", row.command, code, d.out.String(), d.err.String())
		}
		if code := d.run("enable", row.command, "--json"); code != 0 || !strings.Contains(d.out.String(), `"command": "`) {
			t.Errorf("%q: %d, %s%s", row.command, code, d.out.String(), d.err.String())
		}
	}
	if d.run("list"); strings.Contains(d.out.String(), "other.sh") || strings.Count(d.out.String(), "\n") != 6 {
		t.Error(d.out.String())
	}
}

// A report lists wrapped hooks that have not run.
func TestWrappedAndNotRunYet(t *testing.T) {
	d := newDesk(t, "")
	d.write(".claude/settings.json", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/h/a.py"}, {"type": "command", "command": "/h/b.py"}]}]}}`)
	if code := d.run("install"); code != 0 || !strings.HasSuffix(d.out.String(), "\n\n"+
		"sessions that start from now on use this; `claude-hooks health` shows what is switched off, and why\n`claude-hooks uninstall` takes it back\n") {
		t.Errorf("%d: %s%s", code, d.out.String(), d.err.String())
	}
	yet := "2 hooks are wrapped in " + filepath.Join(d.home, ".claude/settings.json") + "; none has run yet\n"
	d.want(0, yet, "", "list")
	d.want(0, "Hook Health Report\n==================\nTotal Hooks: 0\nActive: 0\nDisabled: 0\n\n"+yet, "", "health")
	d.want(0, "hooks: 2 wrapped, none has run yet\n", "", "health", "--line")
}

// Commands about health report a damaged state file.
func TestHealthTellsOfTrouble(t *testing.T) {
	d := newDesk(t, "garbage")
	d.want(0, "Hook Health Report\n==================\nTotal Hooks: 0\nActive: 0\nDisabled: 0\n", "hook_state.json.corrupt", "health")
	d.want(0, "Hook Health Report\n==================\nTotal Hooks: 0\nActive: 0\nDisabled: 0\n", "", "health")
}

func TestManualOverrideAsJSON(t *testing.T) {
	d := newDesk(t, threeHooks)
	for _, args := range [][]string{{"disable", "b/x.py"}, {"enable", "b/x.py"}, {"enable", "b/x.py"}} {
		if code := d.run(append(args, "--json")...); code != 0 || !strings.Contains(d.out.String(), `"command": "/h/b/x.py"`) {
			t.Errorf("%q: %d\n%s%s", args, code, d.out.String(), d.err.String())
		}
	}
	d.want(0, "{\n  \"reset\": 3\n}\n", "", "reset", "--all", "--json")
}

func TestDisabledInVain(t *testing.T) {
	d := newDesk(t, `{"hooks": {"/h/x": {}}}`)
	t.Setenv("GUARDRAILS_MODE", "observe")
	d.want(0, "x is disabled until `claude-hooks enable x`; it runs all the same while it is observed only\n", "", "disable", "x")
	t.Setenv("GUARDRAILS_ENABLED", "false")
	d.want(0, "x is disabled until `claude-hooks enable x`; it runs all the same while the circuit breaker is off\n", "", "disable", "x")
}

func TestMetricsFile(t *testing.T) {
	d := newDesk(t, threeHooks)
	path := filepath.Join(d.home, "claude-hooks.prom")
	t.Setenv("GUARDRAILS_METRICS_FILE", path)
	if code := d.run("metrics"); code != 0 || !strings.Contains(d.out.String(), "\nclaude_hooks_disabled 1\n") {
		t.Fatalf("%d: %s", code, d.out.String())
	}
	printed := d.out.String()
	d.run("disable", "b/x.py")
	written, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(written), "\nclaude_hooks_disabled 2\n") {
		t.Errorf("%v\n%s", err, written)
	}
	d.run("enable", "b/x.py")
	if written, err = os.ReadFile(path); err != nil || lineOf(string(written), "claude_hooks_disabled ") != lineOf(printed, "claude_hooks_disabled ") {
		t.Errorf("%v\n%s", err, written)
	}
	t.Setenv("GUARDRAILS_METRICS_FILE", filepath.Join(d.home, "none", "x.prom"))
	d.want(0, "b/x.py is disabled until `claude-hooks enable b/x.py`\n", "", "disable", "b/x.py")
	if d.run("log"); !strings.Contains(d.out.String(), "ERROR | - | metrics file: ") {
		t.Error(d.out.String())
	}
}

func lineOf(text, prefix string) string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, prefix) {
			return line
		}
	}
	return ""
}

func TestSettingsInForce(t *testing.T) {
	d := newDesk(t, "")
	d.write("own.yaml", "circuit_breaker:\n  failure_threshold: 5\n  hooks: {x: {cooldown_seconds: 7}}\n")
	t.Setenv("GUARDRAILS_LOGGING_LEVEL", "DEBUG")
	own := filepath.Join(d.home, "own.yaml")
	if code := d.run("config", "--config", own, "--state-file", "/s.json"); code != 0 {
		t.Errorf("exit %d: %s", code, d.err.String())
	}
	for _, row := range []string{
		"circuit_breaker.failure_threshold 5 own.yaml:2", "logging.level DEBUG GUARDRAILS_LOGGING_LEVEL", "state_file /s.json --state-file", "metrics_file - default",
	} {
		if !strings.Contains(strings.Join(strings.Fields(d.out.String()), " "), row) {
			t.Errorf("%q is not in\n%s", row, d.out.String())
		}
	}
	d.write("own.yaml", "circuit_breaker: {failure_threshold: some, colour: red}\n")
	if code := d.run("config", "--config", own, "--json"); code != 1 || strings.Count(d.err.String(), "claude-hooks: ") != 2 || !strings.HasPrefix(d.out.String(), "[\n") {
		t.Errorf("exit %d: %s%s", code, d.out.String(), d.err.String())
	}
}

func TestNoHome(t *testing.T) {
	d := newDesk(t, "")
	t.Setenv("HOME", "")
	d.want(1, "", "no state file: HOME is not set, or not a whole path; name one with --state-file or GUARDRAILS_STATE_FILE", "health")
}

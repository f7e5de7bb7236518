package cli

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/hooks/wrapper"
)

// parsedRun is the result of parsing the arguments of hooks run.
func parsedRun(args []string) (f runFlags, err error) {
	c := (&app{program: hooksName}).hooksRun(&f)
	if err = c.ParseFlags(args); err == nil {
		err = c.Args(c, c.Flags().Args())
	}
	return f, err
}

func TestRunTakesTheHookLiterally(t *testing.T) {
	for _, row := range []struct {
		args  []string
		key   string
		words []string
	}{
		{[]string{"--", "uv", "run", "x.py", "--timeout", "3s", "--", "-c"}, "uv run x.py --timeout 3s -- -c", []string{"uv", "run", "x.py", "--timeout", "3s", "--", "-c"}},
		{[]string{"uv", "run", "--help"}, "uv run --help", []string{"uv", "run", "--help"}},
		{[]string{"--quiet", "--", "--quiet"}, "--quiet", []string{"--quiet"}},
		{[]string{"--", "a b", "it's", "$HOME", "", "x=y"}, `'a b' "it's" '$HOME' '' 'x=y'`, []string{"a b", "it's", "$HOME", "", "x=y"}},
		{[]string{"-c", "a && b 'c d'"}, "a && b 'c d'", []string{"/bin/sh", "-c", "a && b 'c d'"}},
		{[]string{"-c", "--timeout 3s -- x"}, "--timeout 3s -- x", []string{"/bin/sh", "-c", "--timeout 3s -- x"}},
		{[]string{"-c", ""}, "", []string{"/bin/sh", "-c", ""}},
		{[]string{"-c", "=x"}, "=x", []string{"/bin/sh", "-c", "=x"}},
		{[]string{"--plugin", "-c", `"${CLAUDE_PLUGIN_ROOT}"/a $CLAUDE_PLUGIN_ROOT`}, `"/plug"/a /plug`, []string{"/bin/sh", "-c", `"${CLAUDE_PLUGIN_ROOT}"/a $CLAUDE_PLUGIN_ROOT`}},
		{[]string{"-c", "$CLAUDE_PLUGIN_ROOT/a"}, "$CLAUDE_PLUGIN_ROOT/a", []string{"/bin/sh", "-c", "$CLAUDE_PLUGIN_ROOT/a"}},
	} {
		flags, err := parsedRun(row.args)
		if err != nil {
			t.Errorf("%q: %v", row.args, err)
			continue
		}
		if diff := cmp.Diff(wrapper.Command{Key: row.key, Args: row.words}, wrapper.Command{Key: flags.key("/plug"), Args: flags.args()}); diff != "" {
			t.Errorf("%q: %s", row.args, diff)
		}
	}
	flags, err := parsedRun([]string{"--timeout", "300ms", "--quiet", "--always", "PreToolUse,Stop", "x"})
	if err != nil {
		t.Fatal(err)
	}
	want := runFlags{timeout: 300 * time.Millisecond, quiet: true, always: []string{"PreToolUse", "Stop"}, words: []string{"x"}}
	if diff := cmp.Diff(want, flags, cmp.AllowUnexported(runFlags{})); diff != "" {
		t.Error(diff)
	}
}

// A wrong command line of a hook must not lead to exit 2, which would block the agent.
func TestFaultsOfRunAreNoVerdict(t *testing.T) {
	d := newDesk(t, "")
	for want, args := range map[string][]string{
		"no hook given: -c LINE or -- COMMAND":                             {},
		`-c takes one LINE, and "y" is another word: quote the whole line`: {"-c", "x", "y"},
		"--command: its value is missing: LINE":                            {"-c"},
		`--command "y": it was given before`:                               {"-c", "x", "-c", "y"},
		"unknown flag --loud":                                              {"--loud", "--", "x"},
		`--timeout "soon": not a time; write it like 57s or 2m30s`:         {"--timeout", "soon", "--", "x"},
		`--timeout "-1s": not a time; write it like 57s or 2m30s`:          {"--timeout", "-1s", "--", "x"},
	} {
		d.want(1, "", "claude-hooks: "+want+`; see "claude-hooks run --help"`, append([]string{"run"}, args...)...)
	}
	if code := d.run("run", "--help"); code != 0 || !strings.Contains(d.out.String(), "claude-hooks run [flags] (-c LINE | -- COMMAND…)") {
		t.Errorf("%d: %s", code, d.out.String())
	}
}

func TestRunPassesTheExitCodeOn(t *testing.T) {
	d := newDesk(t, "")
	for _, code := range []int{0, 1, 2, 3, 75, 126, 127, 130, 141, 255} {
		if got := d.run("run", "-c", "exit "+strconv.Itoa(code)); got != code || d.out.Len()+d.err.Len() > 0 {
			t.Errorf("exit %d, want %d: %s%s", got, code, d.out.String(), d.err.String())
		}
	}
	a := &app{}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(SignalError{Signal: syscall.SIGTERM})
	if code := a.exitCode(ctx, foreignExit(3)); code != 3 {
		t.Errorf("a hook that a signal asked to end: exit %d, want its own 3", code)
	}
}

// Go's own exit code for a panic is 2. If the breaker panics, the hook runs as without it.
func TestAPanicIsNoVerdict(t *testing.T) {
	t.Setenv("GUARDRAILS_METRICS_FILE", t.TempDir()+"/hooks.prom")
	d := newDesk(t, "")
	streams := d.streams()
	streams.Now = func() time.Time { panic("no clock") }
	for want := range 4 {
		d.out.Reset()
		code := Main(context.Background(), []string{"claude-hooks", "run", "-c", "echo ran; exit " + strconv.Itoa(want)}, streams)
		if code != want || d.out.String() != "ran\n" || d.err.Len() > 0 {
			t.Errorf("exit %d, want %d: %s%s", code, want, d.out.String(), d.err.String())
		}
	}
	streams = d.streams()
	streams.In = strings.NewReader("")
	if code := Main(context.Background(), []string{"claudeops", "hooks", "run", "--", "true"}, streams); code != 1 {
		t.Errorf("exit %d", code)
	}
}

// If not even the settings can be read, the hook runs.
func TestAPanicBeforeTheBreakerIsThere(t *testing.T) {
	command := wrapper.Command{Args: []string{"true"}}
	c := circuits{config: &hooks.Config{}}
	var nobody *app
	nobody.prepare(runFlags{words: command.Args}, &command, &c)
	if c.config.Enabled || c.file != nil || command.Key != "" {
		t.Errorf("%+v, %+v", command, c)
	}
}

// hooks run does not depend on the configuration of claudeops, even if that is invalid.
func TestRunReadsNoConfiguration(t *testing.T) {
	d := newDesk(t, "")
	t.Setenv("CLAUDEOPS_TIER1_TIMEOUT", "nonsense")
	t.Setenv("CLAUDEOPS_STATE_DIR", d.home+"/state")
	for _, program := range [][]string{{"claude-hooks"}, {"claudeops", "hooks"}, {"claudeops", "--json", "hooks"}, {"claudeops", "hooks", "--state-file", d.home + "/s"}} {
		d.out.Reset()
		if code := Main(context.Background(), append(program, "run", "--", "echo", "x"), d.streams()); code != 0 || d.out.String() != "x\n" || d.err.Len() > 0 {
			t.Errorf("%q: exit %d: %s%s", program, code, d.out.String(), d.err.String())
		}
	}
	if _, err := os.Stat(d.home + "/s"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(d.home + "/state"); err == nil {
		t.Error("the state directory of claudeops was made")
	}
}

// People are notified only of circuits that open or close, and only if the settings ask for it.
func TestWhoIsTold(t *testing.T) {
	d := newDesk(t, "")
	a := &app{Streams: d.streams()}
	changes := []hooks.Change{{Hook: "a", To: hooks.Open}, {Hook: "b", To: hooks.HalfOpen}, {Hook: "c", To: hooks.Closed}}
	for _, row := range []struct {
		alert   string
		changes []hooks.Change
		want    string
	}{
		{"true", changes, "a c"},
		{"true", changes[1:2], ""},
		{"true", nil, ""},
		{"false", changes, ""},
	} {
		t.Setenv("GUARDRAILS_ALERT", row.alert)
		c := a.circuits(hooksFlags{})
		var told []string
		c.alert = func(ctx context.Context, changes []hooks.Change) error {
			if _, bounded := ctx.Deadline(); !bounded {
				t.Error("it may take for ever")
			}
			for _, change := range changes {
				told = append(told, change.Hook)
			}
			return errors.New("no database")
		}
		a.afterHook(t.Context(), c, row.changes)
		if got := strings.Join(told, " "); got != row.want {
			t.Errorf("alert %s: %q, want %q", row.alert, got, row.want)
		}
	}
	if d.err.Len() > 0 {
		t.Errorf("on the hook's standard error: %s", d.err.String())
	}
	if d.run("log"); strings.Count(d.out.String(), "ERROR | a | the circuit changed, and no message could be queued: no database\n") != 1 {
		t.Error(d.out.String())
	}
}

func TestCalledAs(t *testing.T) {
	for name, want := range map[string]string{
		"claude-hooks": hooksName, "/usr/local/bin/claude-hooks": hooksName, "./claude-hooks": hooksName,
		"claudeops": ownName, "/opt/claude-hooks/claudeops": ownName, "claude-hooks-old": ownName, "": ownName,
	} {
		if got := calledAs(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

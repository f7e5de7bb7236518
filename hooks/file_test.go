package hooks_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/internal/statedir"
)

var start = time.Date(2026, 2, 10, 23, 35, 42, 0, time.UTC)

// fixture is a state file with the rules of ANTI-LOOP and a clock that the test moves.
type fixture struct {
	*testing.T
	hooks.File
	now     time.Time
	policy  hooks.Policy
	parents map[string][]string
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	d := &fixture{T: t, now: start, policy: hooks.Policy{
		Rules:              hooks.Rules{FailureThreshold: 3, SuccessThreshold: 2, Cooldown: 5 * time.Minute},
		StopBlockThreshold: 8,
	}}
	d.File = hooks.File{
		Path:    filepath.Join(t.TempDir(), "hook_state.json"),
		Now:     func() time.Time { return d.now },
		Random:  func() float64 { return 0 },
		Policy:  func(string) hooks.Policy { return d.policy },
		Parents: func(hook string) []string { return d.parents[hook] },
	}
	return d
}

func (d *fixture) ok(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

// begin begins a run that lasts as long as the test: if the collector closed its lock, it would count as killed.
func (d *fixture) begin(hook string, c hooks.Call) *hooks.Begun {
	d.Helper()
	b, err := d.Begin(d.Context(), hook, c)
	d.ok(err)
	d.Cleanup(func() { runtime.KeepAlive(b) })
	return b
}

func (d *fixture) finish(hook string, b *hooks.Begun, o hooks.Outcome) []hooks.Change {
	d.Helper()
	changes, err := d.Finish(d.Context(), hook, b, o)
	d.ok(err)
	return changes
}

// run makes a call from start to end, and returns all changes.
func (d *fixture) run(hook string, o hooks.Outcome) (hooks.Decision, []hooks.Change) {
	d.Helper()
	b := d.begin(hook, hooks.Call{Event: "Stop", Session: "s"})
	return b.Decision, append(b.Changes, d.finish(hook, b, o)...)
}

func (d *fixture) fails(hook string, times int) {
	d.Helper()
	for range times {
		d.run(hook, failed)
	}
}

func (d *fixture) state(hook string) hooks.Hook {
	d.Helper()
	h, found, err := d.State(d.Context(), hook)
	d.ok(err)
	if !found {
		d.Fatalf("no %q in the file", hook)
	}
	return h
}

func (d *fixture) report() hooks.Report {
	d.Helper()
	r, err := d.HealthReport(d.Context())
	d.ok(err)
	return r
}

func (d *fixture) put(text string) {
	d.Helper()
	d.ok(os.WriteFile(d.Path, []byte(text), 0o600))
}

func (d *fixture) text() string {
	d.Helper()
	b, err := os.ReadFile(d.Path)
	d.ok(err)
	return string(b)
}

// running returns the files of runs.
func (d *fixture) running() (names []string) {
	d.Helper()
	entries, err := os.ReadDir(d.Path + ".running")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

var failed = hooks.Outcome{Failed: true, Error: "Exit code 1: broken"}

const hook = "uv run $CLAUDE_PROJECT_DIR/.claude/hooks/validators/validate_file_contains.py"

func TestANTILOOP_StateManagerCRUD(t *testing.T) {
	d := newFixture(t)
	ctx := t.Context()
	if _, found, err := d.State(ctx, hook); found || err != nil {
		t.Errorf("before anything: found %v, error %v", found, err)
	}
	if found, err := d.ResetHook(ctx, hook); found || err != nil {
		t.Errorf("reset of nothing: found %v, error %v", found, err)
	}
	if _, err := os.Stat(d.Path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("looking made a file: %v", err)
	}
	d.fails(hook, 2)
	if h := d.state(hook); h.FailureCount != 2 || h.ConsecutiveFailures != 2 || h.State != hooks.Closed || h.Executions != 2 {
		t.Errorf("after two failures: %+v", h)
	}
	_, changes := d.run(hook, failed)
	until := start.Add(5 * time.Minute)
	wantChanges(t, changes, hooks.Change{Hook: hook, From: hooks.Closed, To: hooks.Open, At: start, Until: &until, Failures: 3, Error: failed.Error})
	d.run("other", hooks.Outcome{})
	r := d.report()
	want := hooks.Stats{TotalExecutions: 4, TotalFailures: 3, HooksDisabled: 1, LastUpdated: &start}
	if diff := cmp.Diff(want, r.Stats); diff != "" {
		t.Errorf("stats (-want +got):\n%s", diff)
	}
	if len(r.Hooks) != 2 || r.Hooks[hook].State != hooks.Open || r.Hooks["other"].State != hooks.Closed || r.Now != start {
		t.Errorf("report %+v", r)
	}
	found, err := d.ResetHook(ctx, hook)
	d.ok(err)
	if _, there, _ := d.State(ctx, hook); !found || there {
		t.Errorf("reset: found %v, still there %v", found, there)
	}
	if r := d.report(); r.Stats.HooksDisabled != 0 || r.Stats.TotalFailures != 3 {
		t.Errorf("after a reset: %+v", r.Stats)
	}
	d.fails(hook, 3)
	n, err := d.ResetAll(ctx)
	d.ok(err)
	if r := d.report(); n != 2 || len(r.Hooks) != 0 || r.Stats.TotalExecutions != 0 || r.Stats.HooksDisabled != 0 {
		t.Errorf("%d were reset, and %+v is left", n, r)
	}
}

// countedRuns matches runs, whose ids are random.
var countedRuns = regexp.MustCompile(`"counted": \[[^]]*\]`)

// The file of a failing hook equals the one in ANTI-LOOP, byte for byte.
func TestANTILOOP_StateManager_TheDocumentsModel(t *testing.T) {
	d := newFixture(t)
	spawn := hooks.Outcome{Failed: true, Error: "Failed to spawn: No such file or directory"}
	for range 3 {
		d.finish(hook, d.begin(hook, hooks.Call{}), spawn)
	}
	want := `{
  "hooks": {
    "uv run $CLAUDE_PROJECT_DIR/.claude/hooks/validators/validate_file_contains.py": {
      "state": "open",
      "failure_count": 3,
      "consecutive_failures": 3,
      "consecutive_successes": 0,
      "first_failure": "2026-02-10T23:35:42Z",
      "last_failure": "2026-02-10T23:35:42Z",
      "last_success": null,
      "last_error": "Failed to spawn: No such file or directory",
      "disabled_at": "2026-02-10T23:35:42Z",
      "retry_after": "2026-02-10T23:40:42Z",
      "generation": 1,
      "openings": 1,
      "executions": 3,
      "last_call": "2026-02-10T23:35:42Z",
      "counted": []
    }
  },
  "global_stats": {
    "total_executions": 3,
    "total_failures": 3,
    "hooks_disabled": 1,
    "last_updated": "2026-02-10T23:35:42Z"
  }
}
`
	if diff := cmp.Diff(want, countedRuns.ReplaceAllString(d.text(), `"counted": []`)); diff != "" {
		t.Errorf("the file (-want +got):\n%s", diff)
	}
	is, err := os.Stat(d.Path)
	d.ok(err)
	if is.Mode() != 0o600 {
		t.Errorf("mode %v, want -rw-------", is.Mode())
	}
}

func TestANTILOOP_CircuitBreakerStateTransitions_ThroughTheFile(t *testing.T) {
	d := newFixture(t)
	type step struct {
		after   time.Duration
		failed  bool
		execute bool
		then    hooks.State
		changes string
	}
	for i, s := range []step{
		{0, true, true, hooks.Closed, ""},
		{0, false, true, hooks.Closed, ""},
		{0, true, true, hooks.Closed, ""},
		{0, true, true, hooks.Closed, ""},
		{0, true, true, hooks.Open, "closed>open"},
		{299 * time.Second, true, false, hooks.Open, ""},
		{time.Second, true, true, hooks.Open, "open>half_open half_open>open"},
		{5 * time.Minute, false, true, hooks.HalfOpen, "open>half_open"},
		{0, false, true, hooks.Closed, "half_open>closed"},
		{0, true, true, hooks.Closed, ""},
	} {
		d.now = d.now.Add(s.after)
		o := hooks.Outcome{}
		if s.failed {
			o = failed
		}
		decision, changes := d.run(hook, o)
		var said []string
		for _, c := range changes {
			said = append(said, fmt.Sprintf("%s>%s", c.From, c.To))
		}
		if got := d.state(hook).State; decision.Execute != s.execute || got != s.then || strings.Join(said, " ") != s.changes {
			t.Errorf("step %d: execute %v, then %s, changes %q; want %+v", i, decision.Execute, got, said, s)
		}
		if open := d.report().Stats.HooksDisabled; (open == 1) != (s.then != hooks.Closed) {
			t.Errorf("step %d: hooks_disabled %d", i, open)
		}
	}
}

func wantChanges(t *testing.T, got []hooks.Change, want ...hooks.Change) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

func TestBlocksOpenTheCircuitOfTheirSession(t *testing.T) {
	d := newFixture(t)
	block := hooks.Outcome{Block: true}
	var changes []hooks.Change
	for range 8 {
		_, more := d.run(hook, block)
		changes = append(changes, more...)
	}
	until := start.Add(5 * time.Minute)
	wantChanges(t, changes, hooks.Change{Hook: hook, Session: "s", From: hooks.Closed, To: hooks.Open, At: start, Until: &until,
		Failures: 8, Error: "blocked the agent's end 8 times in a row"})
	if b := d.begin(hook, hooks.Call{Event: "Stop", Session: "s"}); b.Decision.Skip != hooks.LoopOpen || !b.Decision.Notify {
		t.Errorf("the same session: %+v", b.Decision)
	}
	if b := d.begin(hook, hooks.Call{Event: "Stop", Session: "another"}); !b.Decision.Execute {
		t.Errorf("another session: %+v", b.Decision)
	}
	if n := d.report().Stats.HooksDisabled; n != 0 {
		t.Errorf("%d hooks are disabled by the circuit of a session", n)
	}
	changes, err := d.Enable(t.Context(), hook)
	d.ok(err)
	wantChanges(t, changes, hooks.Change{Hook: hook, Session: "s", From: hooks.Open, To: hooks.Closed, At: start})
}

func TestDisabledByHand(t *testing.T) {
	d := newFixture(t)
	ctx := t.Context()
	d.ok(d.Disable(ctx, hook))
	d.now = d.now.Add(time.Hour)
	d.ok(d.Disable(ctx, hook))
	if b := d.begin(hook, hooks.Call{}); b.Decision.Skip != hooks.DisabledByHand {
		t.Errorf("decision %+v", b.Decision)
	}
	found, err := d.ResetHook(ctx, hook)
	d.ok(err)
	n, err := d.ResetAll(ctx)
	d.ok(err)
	h := d.state(hook)
	if !found || n != 1 || h.DisabledByHand == nil || !h.DisabledByHand.Equal(start) || h.Skips != 0 {
		t.Errorf("after two resets: %v %d %+v; want it off since %s and all else forgotten", found, n, h, start)
	}
	if r := d.report(); r.Stats.HooksDisabled != 1 {
		t.Errorf("stats %+v", r.Stats)
	}
	if changes, err := d.Enable(ctx, hook); len(changes) > 0 || err != nil {
		t.Errorf("enable: %+v, %v", changes, err)
	}
	if r := d.report(); r.Stats.HooksDisabled != 0 || r.Hooks[hook].DisabledByHand != nil {
		t.Errorf("after enable: %+v", r)
	}
	if _, err := d.Enable(ctx, "unknown"); err != nil || strings.Contains(d.text(), "unknown") {
		t.Errorf("enable of an unknown hook: %v, %s", err, d.text())
	}
}

func TestANTILOOP_ManualOverride_EnableClosesTheCircuit(t *testing.T) {
	d := newFixture(t)
	d.fails(hook, 3)
	changes, err := d.Enable(t.Context(), hook)
	d.ok(err)
	wantChanges(t, changes, hooks.Change{Hook: hook, From: hooks.Open, To: hooks.Closed, At: start, Error: failed.Error})
	if h := d.state(hook); h.State != hooks.Closed || h.ConsecutiveFailures != 0 || h.RetryAfter != nil {
		t.Errorf("%+v", h)
	}
	if decision, _ := d.run(hook, failed); !decision.Execute {
		t.Errorf("it does not run: %+v", decision)
	}
}

func TestResetWhileARunIsInFlight(t *testing.T) {
	d := newFixture(t)
	b := d.begin(hook, hooks.Call{})
	_, err := d.ResetHook(t.Context(), hook)
	d.ok(err)
	if changes := d.finish(hook, b, failed); len(changes) != 0 {
		t.Errorf("changes %+v", changes)
	}
	r := d.report()
	if len(r.Hooks) != 0 || r.Stats.TotalFailures != 0 || r.Stats.TotalExecutions != 0 {
		t.Errorf("the result of a run from before the reset counts: %+v", r)
	}
	if left := d.running(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if changes := d.finish(hook, b, failed); changes != nil {
		t.Errorf("a second end: %+v", changes)
	}
}

func TestARunWithoutItsWrapper(t *testing.T) {
	const started = `{"hook":"` + hook + `","run":{"started_at":"2026-02-10T23:00:00Z"}}` + "\n"
	for name, tt := range map[string]struct {
		file             string
		failures, counts int64
		notes            int
	}{
		"it never ended":              {started, 1, 1, 1},
		"it could not be counted":     {started + `{"Failed":true,"Error":"Exit code 1","Block":false}` + "\n", 1, 1, 0},
		"it ended well":               {started + `{"Failed":false,"Error":"","Block":false}` + "\n", 0, 1, 0},
		"killed while it noted that":  {started + `{"Failed":fal`, 1, 1, 1},
		"killed before it began":      {started[:20], 0, 0, 0},
		"of another hook":             {strings.Replace(started, hook, "other", 1), 0, 0, 0},
		"of something else's making":  {"\x00\n[]\n", 0, 0, 0},
		"of a hook that is no string": {`{"hook":7,"run":{}}` + "\n", 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.run(hook, hooks.Outcome{})
			live := d.begin(hook, hooks.Call{}) // its own run, which ends later
			d.ok(os.WriteFile(d.Path+".running/0123456789abcdef", []byte(tt.file), 0o600))
			b := d.begin(hook, hooks.Call{})
			h := d.state(hook)
			if h.FailureCount != tt.failures || h.Executions != 1+tt.counts || len(h.Running) != 2 || len(b.Notes) != tt.notes {
				t.Errorf("notes %q, hook %+v", b.Notes, h)
			}
			d.finish(hook, live, hooks.Outcome{})
			d.finish(hook, b, hooks.Outcome{})
			if h := d.state(hook); h.FailureCount != tt.failures || h.Executions != 3+tt.counts || len(h.Running) != 0 {
				t.Errorf("at last: %+v", h)
			}
		})
	}
}

// The wrapper may be killed after the state was written and before the run's file is removed.
func TestARunIsCountedOnce(t *testing.T) {
	d := newFixture(t)
	b := d.begin(hook, hooks.Call{})
	file, err := os.ReadFile(d.Path + ".running/" + b.ID)
	d.ok(err)
	d.finish(hook, b, failed)
	d.ok(os.WriteFile(d.Path+".running/"+b.ID, file, 0o600))
	d.run(hook, hooks.Outcome{})
	if h := d.state(hook); h.FailureCount != 1 || h.Executions != 2 {
		t.Errorf("%+v", h)
	}
	if left := d.running(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Ids of runs come from a file that others may write. None of them is used as a path elsewhere.
func TestNoNameOfARunLeadsElsewhere(t *testing.T) {
	d := newFixture(t)
	outside := filepath.Join(filepath.Dir(d.Path), "precious")
	d.ok(os.WriteFile(outside, []byte("x"), 0o600))
	d.put(`{"hooks": {"` + hook + `": {"counted": ["../precious", "..", ""]}}}`)
	d.run(hook, hooks.Outcome{})
	if h := d.state(hook); len(h.Counted) != 1 {
		t.Errorf("%+v", h)
	}
	if _, err := os.Stat(outside); err != nil {
		t.Error(err)
	}
}

func TestFilesWithoutARunAreRemoved(t *testing.T) {
	d := newFixture(t)
	b := d.begin(hook, hooks.Call{})
	for _, name := range []string{"0123456789abcdef", "somebody's"} {
		d.ok(os.WriteFile(d.Path+".running/"+name, nil, 0o600))
	}
	d.report()
	want := []string{b.ID, "somebody's"}
	slices.Sort(want)
	if got := d.running(); !slices.Equal(got, want) {
		t.Errorf("left: %v, want %v", got, want)
	}
}

func TestANTILOOP_HookDependencies(t *testing.T) {
	circle := map[string][]string{"child": {"parent"}, "parent": {"child"}}
	for _, tt := range []struct {
		name    string
		parents map[string][]string
		open    []string
		after   time.Duration
		want    hooks.Reason
	}{
		{"none", nil, []string{"parent"}, 0, ""},
		{"the parent is closed", map[string][]string{"child": {"parent"}}, []string{"other"}, 0, ""},
		{"the parent is open", map[string][]string{"child": {"parent"}}, []string{"parent"}, 0, hooks.ParentOpen},
		{"one of several, by a pattern", map[string][]string{"child": {"x", "par*"}}, []string{"parent"}, 0, hooks.ParentOpen},
		{"the parent's parent", map[string][]string{"child": {"parent"}, "parent": {"other"}}, []string{"other"}, 0, hooks.ParentOpen},
		{"the parent may be tried again", map[string][]string{"child": {"parent"}}, []string{"parent"}, 5 * time.Minute, ""},
		{"a circle of itself", map[string][]string{"child": {"child"}}, []string{"child"}, 5 * time.Minute, ""},
		{"a circle, and the other is open", circle, []string{"parent"}, 0, hooks.ParentOpen},
		{"a circle, and all closed", circle, nil, 0, ""},
		{"a circle, and both may be tried again", circle, []string{"child", "parent"}, 5 * time.Minute, ""},
		{"a circle behind", map[string][]string{"child": {"parent"}, "parent": {"other"}, "other": {"parent"}}, nil, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newFixture(t)
			for _, name := range []string{"child", "parent", "other"} {
				d.run(name, hooks.Outcome{})
			}
			for _, name := range tt.open {
				d.fails(name, 3)
			}
			d.now = d.now.Add(tt.after)
			d.parents = tt.parents
			if b := d.begin("child", hooks.Call{}); b.Decision.Skip != tt.want {
				t.Errorf("decision %+v, want the reason %q", b.Decision, tt.want)
			}
		})
	}
	t.Run("a parent that always executes", func(t *testing.T) {
		d := newFixture(t)
		d.fails("parent", 3)
		d.parents = map[string][]string{"child": {"parent"}}
		usual := d.policy
		d.File.Policy = func(name string) hooks.Policy {
			p := usual
			p.Excluded = name == "parent"
			return p
		}
		if b := d.begin("child", hooks.Call{}); !b.Decision.Execute {
			t.Errorf("decision %+v", b.Decision)
		}
	})
}

// Changes of the file while a hook runs are not lost.
func TestWhatHappensDuringARunIsKept(t *testing.T) {
	for name, between := range map[string]func(d *fixture){
		"nothing":                 func(*fixture) {},
		"the hook runs elsewhere": func(d *fixture) { d.fails(hook, 1) },
		"another hook runs":       func(d *fixture) { d.fails("other", 1) },
		"it is disabled by hand":  func(d *fixture) { d.ok(d.Disable(d.Context(), hook)) },
		"a person edits the file": func(d *fixture) { d.put(strings.Replace(d.text(), "{", "{\n  \"mine\": 1,", 1)) },
		"the file goes":           func(d *fixture) { d.ok(os.Remove(d.Path)) },
		"another takes its place": func(d *fixture) {
			d.ok(os.WriteFile(d.Path+".other", []byte(strings.Replace(d.text(), "{", "{\n  \"mine\": 1,", 1)), 0o600))
			d.ok(os.Rename(d.Path+".other", d.Path))
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, known := range []bool{false, true} {
				d := newFixture(t)
				d.run("first", hooks.Outcome{})
				if known {
					d.run(hook, hooks.Outcome{})
				}
				b := d.begin(hook, hooks.Call{})
				between(d)
				was := d.report()
				d.finish(hook, b, failed)
				is := d.report()
				want := was.Hooks[hook].FailureCount + 1
				got, more := is.Hooks[hook].FailureCount, is.Stats.TotalFailures-was.Stats.TotalFailures
				if got != want || more != 1 || len(is.Hooks[hook].Running) > 0 {
					t.Errorf("%d failures, want %d; before %+v, then %+v", got, want, was, is)
				}
				_, other := is.Hooks["other"]
				if other != (name == "another hook runs") || (is.Hooks[hook].DisabledByHand != nil) != (name == "it is disabled by hand") {
					t.Errorf("%+v", is.Hooks)
				}
				edited := name == "a person edits the file" || name == "another takes its place"
				if text, _ := os.ReadFile(d.Path); edited != strings.Contains(string(text), `"mine": 1`) {
					t.Errorf("the file:\n%s", text)
				}
			}
		})
	}
}

func TestALinkInThePlaceOfTheFileIsNotFollowed(t *testing.T) {
	d := newFixture(t)
	target := filepath.Join(t.TempDir(), "somebody's.json")
	d.ok(os.WriteFile(target, []byte("{}"), 0o600))
	d.ok(os.Symlink(target, d.Path))
	if _, err := d.Begin(t.Context(), hook, hooks.Call{}); !errors.Is(err, statedir.ErrNotRegular) {
		t.Errorf("a run begins: %v", err)
	}
	if _, err := d.Look(); !errors.Is(err, statedir.ErrNotRegular) {
		t.Errorf("it is read: %v", err)
	}
	if b, err := os.ReadFile(target); err != nil || string(b) != "{}" {
		t.Errorf("what it leads to holds %s, %v", b, err)
	}
}

func TestANTILOOP_Chaos_PermissionErrors(t *testing.T) {
	d := newFixture(t)
	d.fails(hook, 1)
	was := d.text()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	held, err := statedir.TryAcquire(d.Path + ".lock")
	d.ok(err)
	if _, err := d.Begin(ctx, hook, hooks.Call{}); !errors.Is(err, statedir.ErrLocked) {
		t.Errorf("the lock is held: %v", err)
	}
	d.ok(held.Release())
	b := d.begin(hook, hooks.Call{})
	d.ok(os.Remove(d.Path))
	d.ok(os.Mkdir(d.Path, 0o700))
	if _, err := d.Begin(t.Context(), hook, hooks.Call{}); !errors.Is(err, statedir.ErrNotRegular) {
		t.Errorf("a directory has the name: %v", err)
	}
	if _, err := d.Finish(t.Context(), hook, b, hooks.Outcome{}); err == nil {
		t.Error("the end of a run was written into a directory")
	}
	d.ok(os.Remove(d.Path))
	d.put(was)
	d.ok(os.RemoveAll(d.Path + ".running"))
	d.ok(os.WriteFile(d.Path+".running", nil, 0o600))
	if _, err := d.Begin(t.Context(), hook, hooks.Call{}); err == nil {
		t.Error("a file is where the runs' directory should be, and a run began")
	}
	if got := d.text(); got != was {
		t.Errorf("a call that could not begin was counted:\n%s", cmp.Diff(was, got))
	}
}

package wrapper

import (
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/claudeops/claudeops/hooks"
)

// The loop described in ANTI-LOOP: the hook fails at each call, and is therefore called again.
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
	if h.Executions != 3 || h.Skips != 17 || h.State != hooks.Open || h.LastError != "Exit code 1: validation failed" {
		t.Errorf("state %+v", h)
	}
	w.logged(t, "Circuit CLOSED -> OPEN after 3 failures: Exit code 1: validation failed; next try at ")
	w.logged(t, "Hook skipped (circuit_open), until ")
}

// A Stop hook that blocks again and again is a loop, although none of its runs is a failure.
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
	w.configure(t, "circuit_breaker: {failure_threshold: 1, success_threshold: 1}")
	w.run(t, message("Stop"))
	must(t, os.WriteFile(filepath.Join(w.Dir, "mended"), nil, 0o600))
	state, err := os.ReadFile(w.state())
	must(t, err)
	retry := w.hook(t).RetryAfter
	over := strings.Replace(string(state), retry.Format(time.RFC3339), retry.Add(-time.Hour).Format(time.RFC3339), 1)
	must(t, os.WriteFile(w.state(), []byte(over), 0o600))
	equal(t, w.run(t, message("Stop")), result{})
	if h := w.hook(t); h.State != hooks.Closed {
		t.Errorf("%s, want closed", h.State)
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
		w.lock(t)
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
		w.lock(t)
		must(t, os.WriteFile(filepath.Join(w.Dir, "go"), []byte("\n"), 0))
		if code := s.end(t); code != 3 {
			t.Errorf("exit code %d", code)
		}
		w.logged(t, "how the hook ended is not recorded yet")
	})
}

// What is not counted, or is counted but never skipped, runs however often it fails.
func TestWhatIsNeverSkipped(t *testing.T) {
	const counted = true
	for name, tt := range map[string]struct {
		settings string
		options  Options
		stdin    string
		counted  bool
		state    hooks.State
		logged   string
	}{
		"switched off":         {settings: "enabled: false"},
		"observed":             {"mode: observe", Options{}, "", counted, hooks.Open, "Hook would be skipped (circuit_open), but runs"},
		"excluded by a part":   {"exclude: [exit]", Options{}, "", counted, hooks.Closed, ""},
		"excluded by a glob":   {`exclude: ["*ex?t 3"]`, Options{}, "", counted, hooks.Closed, ""},
		"always at its event":  {"", Options{Always: []string{"PreToolUse"}}, message("PreToolUse"), counted, hooks.Closed, ""},
		"status line":          {stdin: message("Status")}, // the agent program runs it like a hook, and prints its output
		"list of files":        {stdin: message("FileSuggestion")},
		"no event of a plugin": {options: Options{Plugin: true}, stdin: `{"session_id":"s1","model":{}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := line(t, `cat; exit 3`)
			w.configure(t, "circuit_breaker: {"+tt.settings+"}")
			w.Options = tt.options
			stdin := cmp.Or(tt.stdin, message("Stop"))
			for range 5 {
				equal(t, w.run(t, stdin, SkipVariable+"="+map[bool]string{true: "exit"}[strings.HasPrefix(tt.settings, "exclude")]), result{3, stdin, ""})
			}
			if _, err := os.Stat(w.state()); (err == nil) != tt.counted {
				t.Errorf("state file: %v", err)
			}
			if h := w.hook(t); tt.counted && (h.FailureCount < 3 || h.State != tt.state || h.State == hooks.Closed && h.FailureCount != 5) {
				t.Errorf("%+v", h)
			}
			w.logged(t, tt.logged)
		})
	}
	t.Run("at another event", func(t *testing.T) {
		w := line(t, `exit 3`)
		w.Options.Always = []string{"PreToolUse"}
		for range 3 {
			w.run(t, message("PostToolUse"))
		}
		if h := w.hook(t); h.State != hooks.Open {
			t.Errorf("%+v", h)
		}
	})
}

func TestSkipVariable(t *testing.T) {
	w := line(t, `echo ran`)
	got := w.run(t, message("Stop"), SkipVariable+"=other, echo ran")
	if got.code != 0 || !strings.Contains(got.stdout, "is skipped because CLAUDE_HOOKS_SKIP names it") {
		t.Errorf("got %+v", got)
	}
	equal(t, w.run(t, message("Stop"), SkipVariable+"=other,"), result{stdout: "ran\n"})
}

func TestChangesAreReturned(t *testing.T) {
	w := line(t, `exit 1`)
	w.configure(t, "circuit_breaker: {failure_threshold: 1}")
	code, changes := w.runner(nil, io.Discard).Run(t.Context(), w.Command, Options{})
	if code != 1 || len(changes) != 1 || changes[0].To != hooks.Open || changes[0].Hook != w.Command.Key {
		t.Errorf("exit code %d, changes %v", code, changes)
	}
}

// Whatever panics in the breaker, the hook runs exactly once.
func TestPanics(t *testing.T) {
	for name, breaks := range map[string]func(r *Runner){
		"clock of the state": func(r *Runner) { r.File.Now = func() time.Time { panic("no") } },
		"policy":             func(r *Runner) { r.File.Policy = func(string) hooks.Policy { panic("no") } },
		"policy at the end": func(r *Runner) {
			calls, policy := 0, r.File.Policy
			r.File.Policy = func(hook string) hooks.Policy {
				if calls++; calls > 1 {
					panic("no")
				}
				return policy(hook)
			}
		},
		"configuration": func(r *Runner) { r.Config = nil },
		"log": func(r *Runner) {
			r.File.Path = ""
			r.Log = r.Config.OpenLog(func() time.Time { panic("no") })
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := line(t, `cat; exit 3`)
			stdin, in, err := os.Pipe()
			must(t, err)
			defer stdin.Close()
			_, err = in.WriteString(message("Stop"))
			must(t, errors.Join(err, in.Close()))
			var said strings.Builder
			r := w.runner(stdin, &said)
			breaks(r)
			if code, _ := r.Run(t.Context(), w.Command, Options{}); code != 3 || said.String() != message("Stop") {
				t.Errorf("exit code %d: %q", code, said.String())
			}
		})
	}
	t.Run("output", func(t *testing.T) { // the hook ends by a broken pipe
		w := line(t, `while :; do echo y; done`)
		if code, _ := w.runner(nil, writer(func([]byte) { panic("no") })).Run(t.Context(), w.Command, Options{}); code != 128+int(syscall.SIGPIPE) {
			t.Errorf("exit code %d", code)
		}
		w.logged(t, "the circuit breaker failed: no")
	})
}

// A call that must not be skipped is not skipped even while its event is unknown.
func TestEventComesLate(t *testing.T) {
	w := line(t, `cat; exit 3`)
	w.configure(t, "circuit_breaker: {failure_threshold: 1}")
	w.run(t, "") // opens the circuit
	big := `{"x":"` + strings.Repeat("y", headerMax) + `","hook_event_name":"WorktreeCreate"}` + "\n"
	for range 2 {
		if got := w.run(t, big); got.code != 3 || got.stdout != big {
			t.Errorf("got %d, %.100q, %.1000s", got.code, got.stdout, got.stderr)
		}
	}
	if got := w.run(t, message("Stop")); got.code != 0 || !strings.Contains(got.stdout, skippedMessage) {
		t.Errorf("an event that is known: %+v", got)
	}
}

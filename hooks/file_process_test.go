package hooks_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/internal/statedir"
)

// patient never opens a circuit, so that every failure stays counted.
func patient(string) hooks.Policy {
	return hooks.Policy{Rules: hooks.Rules{FailureThreshold: 1 << 40, SuccessThreshold: 2, Cooldown: 5 * time.Minute}}
}

// TestStateFileChild is not a test: it makes the test binary act as another process that uses the same file.
func TestStateFileChild(t *testing.T) {
	do := os.Getenv("BREAKER_TEST_DO")
	if do == "" {
		t.Skip("only in a process that another test starts")
	}
	f := &hooks.File{
		Path:   os.Getenv("BREAKER_TEST_PATH"),
		Now:    func() time.Time { return start.Add(5 * time.Minute) },
		Random: rand.Float64,
		Policy: patient,
	}
	if err := act(t.Context(), f, do); err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func act(ctx context.Context, f *hooks.File, do string) error {
	switch do {
	case "once":
		return begunAndFailed(ctx, f)
	case "forever":
		for {
			if err := begunAndFailed(ctx, f); err != nil {
				return err
			}
		}
	case "hold":
		b, err := f.Begin(ctx, hook, hooks.Call{})
		for errors.Is(err, statedir.ErrLocked) {
			b, err = f.Begin(ctx, hook, hooks.Call{})
		}
		if err != nil {
			return err
		}
		fmt.Println(b.Decision.Execute, b.Decision.Trial)
		_, _ = io.Copy(io.Discard, os.Stdin)
		_, err = f.Finish(ctx, hook, b, hooks.Outcome{})
		return err
	}
	return fmt.Errorf("what is %q?", do)
}

func begunAndFailed(ctx context.Context, f *hooks.File) error {
	b, err := f.Begin(ctx, hook, hooks.Call{Event: "Stop", Session: "s"})
	for errors.Is(err, statedir.ErrLocked) { // on a slow machine, after many others
		b, err = f.Begin(ctx, hook, hooks.Call{Event: "Stop", Session: "s"})
	}
	if err != nil {
		return err
	}
	fmt.Println("begun")
	// Whoever has the lock next counts what waited too long for it.
	if _, err := f.Finish(ctx, hook, b, failed); err != nil && !errors.Is(err, statedir.ErrLocked) {
		return err
	}
	fmt.Println("finished")
	return nil
}

func (d *fixture) child(do string) *exec.Cmd {
	d.Helper()
	self, err := os.Executable()
	d.ok(err)
	cmd := exec.CommandContext(d.Context(), self, "-test.run=^TestStateFileChild$")
	cmd.Env = append(os.Environ(), "BREAKER_TEST_DO="+do, "BREAKER_TEST_PATH="+d.Path)
	return cmd
}

func TestANTILOOP_ConcurrentHookExecutions_FiftyProcessesLoseNoCount(t *testing.T) {
	d := newFixture(t)
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if out, err := d.child("once").CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	d.wantEachRunOnce(50, 50)
}

// wantEachRunOnce checks that there were between least and most runs, each begun once and failed once.
func (d *fixture) wantEachRunOnce(least, most int64) {
	d.Helper()
	if !jsontext.Value(d.text()).IsValid() {
		d.Fatalf("the file is not whole:\n%s", d.text())
	}
	d.File.Policy = patient
	r := d.report()
	h := r.Hooks[hook]
	n := h.Executions
	if h.FailureCount != n || r.Stats.TotalExecutions != n || r.Stats.TotalFailures != n || n < least || n > most || len(h.Running) > 0 {
		d.Fatalf("%d runs, want %d to %d, and as many failures: %d; running %v; stats %+v", n, least, most, h.FailureCount, h.Running, r.Stats)
	}
	for _, note := range r.Notes {
		if !strings.Contains(note, "never ended") {
			d.Errorf("note %q", note)
		}
	}
	if left := d.running(); len(left) > 0 {
		d.Errorf("left behind: %v", left)
	}
}

func TestANTILOOP_ConcurrentHookExecutions_TenAtOnceMakeOneTrial(t *testing.T) {
	d := newFixture(t)
	d.fails(hook, 3)
	began, ended := make(chan string, 10), make(chan struct{})
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			cmd := d.child("hold")
			in, err := cmd.StdinPipe()
			out, err2 := cmd.StdoutPipe()
			if err := errors.Join(err, err2, cmd.Start()); err != nil {
				t.Error(err)
			}
			line, _ := bufio.NewReader(out).ReadString('\n')
			began <- strings.TrimSpace(line)
			<-ended // all begin before any ends
			if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
				t.Error(err)
			}
		})
	}
	said := map[string]int{}
	for range 10 {
		said[<-began]++
	}
	close(ended)
	wg.Wait()
	if said["true true"] != 1 || said["false false"] != 9 {
		t.Errorf("execute and trial: %v; want one of true true and nine of false false", said)
	}
	if h := d.state(hook); h.State != hooks.HalfOpen || h.ConsecutiveSuccesses != 1 || h.Executions != 4 || h.Skips != 9 {
		t.Errorf("%+v", h)
	}
}

// Whenever wrappers are killed, the file stays valid, and each run that they began is counted once.
func TestANTILOOP_Chaos_KilledWrappers(t *testing.T) {
	const rounds, children = 60, 5
	d := newFixture(t)
	var least int64 // runs that were reported as begun, or counted before
	for range rounds {
		begun := make(chan int64, children)
		var wg sync.WaitGroup
		for range children {
			wg.Go(func() { begun <- d.killedChild() })
		}
		wg.Wait()
		close(begun)
		for n := range begun {
			least += n
		}
		d.wantEachRunOnce(least, least+children) // each child may have begun one without reporting it
		least = d.state(hook).Executions
	}
	if left, _ := filepath.Glob(d.Path + "*"); len(left) > 4 {
		t.Errorf("left behind: %v", left)
	}
}

// killedChild starts a process that begins and ends runs, kills it at some moment, and returns how many runs it reported as begun.
func (d *fixture) killedChild() (begun int64) {
	cmd := d.child("forever")
	out, err := cmd.StdoutPipe()
	if err := errors.Join(err, cmd.Start()); err != nil {
		d.Error(err)
		return 0
	}
	lines := bufio.NewScanner(out)
	count := func() bool {
		more := lines.Scan()
		if more && lines.Text() == "begun" {
			begun++
		} else if more && lines.Text() != "finished" {
			d.Errorf("a process said %q", lines.Text())
		}
		return more
	}
	for range 1 + rand.IntN(6) {
		count()
	}
	for range rand.IntN(400) {
		_, _ = os.Stat(d.Path) // let some time pass, one system call at a time
	}
	if err := cmd.Process.Kill(); err != nil {
		d.Error(err)
	}
	for count() {
	}
	var ended *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &ended) || ended.Exited() {
		d.Errorf("it ended before it was killed: %v", err)
	}
	return begun
}

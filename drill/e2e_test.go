package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/claudeops/claudeops/testkit/need"
)

// programs is the directory of what build builds, until the tests end.
var programs string

func TestMain(m *testing.M) {
	code := 1
	dir, err := os.MkdirTemp("", "claudeops-built-")
	if err == nil {
		err = os.Chmod(dir, 0o755) // as those of t.TempDir
	}
	if programs = dir; err == nil {
		code = m.Run()
	}
	if err = errors.Join(err, os.RemoveAll(dir)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// build builds claudeops with its shim, and the drill.
var build = sync.OnceValue(func() error {
	const module = "github.com/claudeops/claudeops"
	out, err := exec.Command("go", "build", "-o", programs+"/", module, module+"/cmd/claudeops-shim", module+"/drill").CombinedOutput()
	if err != nil {
		return fmt.Errorf("build the programs: %w: %s", err, out)
	}
	return nil
})

// built returns the path of one of the programs.
func built(t *testing.T, name string) string {
	t.Helper()
	if err := build(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(programs, name)
}

// with returns what a drill of these cases runs with.
func with(t *testing.T, environ []string, list ...Case) Options {
	t.Helper()
	return Options{Program: built(t, "claudeops"), Self: built(t, "drill"), Environ: environ, Cases: list}
}

func chosen(t *testing.T, names ...string) []Case {
	t.Helper()
	list, err := Named(names...)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// environ is the environment of a user without a model, and with settings of which none may reach a drill.
func environ(t *testing.T, more ...string) []string {
	return append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "CLAUDEOPS_STATE_DIR=/nowhere/state", "CLAUDEOPS_INVENTORY=/nowhere/services.yaml",
		"CLAUDEOPS_APPRISE_URLS=json://127.0.0.1:1/", "CLAUDEOPS_POLICY=/nowhere/policy.yaml"}, more...)
}

// left returns what drills have left behind below a folder.
func left(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "claudeops-drill-*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestDrillWithoutAModel(t *testing.T) {
	need.Full(t, "a minute")
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	report, err := Run(t.Context(), with(t, environ(t, "CLAUDEOPS_MAX_TIER=1"), chosen(t, "crash", "wrong-password", "crash-loop", "recovered", "unknown")...))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		name     string
		kind     Kind
		detected bool
		mended   bool
		score    int
	}{{"crash", Fault, true, true, 70}, {"wrong-password", Fault, true, false, 20}, {"crash-loop", Fault, true, false, 20}, {"recovered", NoAct, false, false, 100}, {"unknown", NoAct, false, false, 100}} {
		r := report.Cases[i]
		if r.Name != want.name || r.Kind != want.kind || (r.DetectedS != nil) != want.detected || r.Mended != want.mended || r.Score != want.score ||
			r.Cycles > 2 || len(r.Collateral) > 0 || r.CostUSD != 0 || !r.Ran() {
			t.Errorf("%+v, want %+v", r, want)
		}
	}
	if report.Score != 62 {
		t.Errorf("the score is %v, want 62", report.Score)
	}
	if rest := left(t, dir); len(rest) > 0 {
		t.Errorf("left behind: %q", rest)
	}
}

func TestAnActOnAHealthyServiceIsCollateral(t *testing.T) {
	need.Full(t, "half a minute")
	t.Setenv("TMPDIR", t.TempDir())
	meddling := Case{Name: "meddling", Kind: NoAct, Between: func(ctx context.Context, lab *Lab, cycle int) error {
		if cycle > 1 {
			return nil
		}
		return exec.CommandContext(ctx, lab.Labctl(), "restart", "shop").Run()
	}}
	report, err := Run(t.Context(), with(t, environ(t, "CLAUDEOPS_MAX_TIER=1"), meddling))
	if err != nil || len(report.Cases) != 1 || !slices.Equal(report.Cases[0].Collateral, []string{"shop"}) || report.Score != 0 {
		t.Errorf("%+v, %v", report, err)
	}
}

// What a case has broken outside of what it needs, and a case that cannot be set up, keep no other from being run.
func TestTheDrillGoesOnAfterACaseThatBreaksMore(t *testing.T) {
	need.Full(t, "half a minute")
	t.Setenv("TMPDIR", t.TempDir())
	impossible := Case{Name: "impossible", Kind: Fault, Services: []string{"shop"}, Inject: func(context.Context, *Lab) error { return errors.New("no such fault") }}
	meddling := Case{Name: "meddling", Kind: NoAct, Between: func(ctx context.Context, lab *Lab, cycle int) error {
		if cycle < noActCycles {
			return nil
		}
		_ = exec.CommandContext(ctx, lab.Labctl(), "stop", disk).Run() // it is refused
		return exec.CommandContext(ctx, lab.Labctl(), "stop", "names").Run()
	}}
	quiet := Case{Name: "quiet", Kind: NoAct, Needs: []string{dnsPart}}
	files := Case{Name: "files", Kind: NoAct, Needs: []string{disk}}
	report, err := Run(t.Context(), with(t, environ(t, "CLAUDEOPS_MAX_TIER=1"), impossible, meddling, quiet, files))
	if err == nil || err.Error() != "1 case could not be run: impossible" || len(report.Cases) != 4 {
		t.Fatalf("%+v, %v", report, err)
	}
	if r := report.Cases[0]; !strings.Contains(r.Failed, "no such fault") {
		t.Errorf("%+v", r)
	}
	if r := report.Cases[1]; !slices.Equal(r.Collateral, []string{"names"}) {
		t.Errorf("%+v", r)
	}
	if r := report.Cases[2]; r.Score != pointsAll || report.Score < 66 || report.Score > 67 {
		t.Errorf("%+v", report)
	}
}

func TestAPartThatIsMissingSkipsItsCases(t *testing.T) {
	need.Full(t, "some seconds")
	t.Setenv("TMPDIR", t.TempDir())
	report, err := Run(t.Context(), with(t, environ(t, "CLAUDEOPS_MAX_TIER=1"), Case{Name: "x", Kind: Fault, Needs: []string{"mainframe"}}))
	if err != nil || len(report.Cases) != 1 || !strings.Contains(report.Cases[0].Skipped, "mainframe") {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestAKilledDrillLeavesNothing(t *testing.T) {
	need.Full(t, "some seconds")
	dir := t.TempDir()
	cmd := exec.Command(built(t, "drill"), "--program", built(t, "claudeops"), "--case", "healthy")
	cmd.Env = environ(t, "CLAUDEOPS_MAX_TIER=1", "TMPDIR="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.After(time.Minute)
	for ready := false; !ready; {
		select {
		case <-deadline:
			t.Fatal("the homelab has not started")
		case <-time.After(pace):
			found, _ := filepath.Glob(filepath.Join(dir, "claudeops-drill-*", "services.yaml")) // the pattern is valid
			ready = len(found) > 0
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	for len(left(t, dir)) > 0 {
		select {
		case <-deadline:
			t.Fatalf("left behind: %q", left(t, dir))
		case <-time.After(pace):
		}
	}
}

package setup

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// planIn returns the plan for an empty directory.
func planIn(t *testing.T, dir string) *Plan {
	t.Helper()
	m, err := Look(t.Context(), Where{Prefix: dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return decide(t, m, Wish{Notify: []string{"json://host/secret"}})
}

func TestApplyWritesAllAndIsDone(t *testing.T) {
	dir := t.TempDir()
	p := planIn(t, dir)
	if _, err := p.Apply(t.Context()); err != nil {
		t.Fatal(err)
	}
	for path, mode := range map[string]os.FileMode{p.EnvFile: 0o600, p.Services: 0o644, p.Record: 0o600, p.StateDir: 0o700 | os.ModeDir, p.ResultsDir: 0o700 | os.ModeDir} {
		if is, err := os.Stat(path); err != nil || is.Mode() != mode {
			t.Errorf("%s: %v, %v, want mode %v", path, is, err, mode)
		}
	}
	if again := planIn(t, dir); len(again.Files) != 0 {
		t.Errorf("a second run would write %+v", again.Files)
	}
}

// If one file cannot be written, none is.
func TestApplyWritesNothingWhereOneFileFails(t *testing.T) {
	for _, obstacle := range []string{"etc/claudeops/services.yaml", "etc/claudeops/init.json"} {
		dir := t.TempDir()
		env := filepath.Join(dir, "etc/claudeops/env")
		if err := os.MkdirAll(filepath.Dir(env), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(env, []byte("# mine\n"), 0o640); err != nil {
			t.Fatal(err)
		}
		p := planIn(t, dir)
		if err := os.MkdirAll(filepath.Join(dir, obstacle, "in-the-way"), 0o755); err != nil {
			t.Fatal(err)
		}
		done, err := p.Apply(context.Background())
		if err == nil || !strings.Contains(err.Error(), obstacle) || len(done) != 0 {
			t.Errorf("%s: done %q, %v; want an error that names it", obstacle, done, err)
		}
		if text, err := os.ReadFile(env); err != nil || string(text) != "# mine\n" {
			t.Errorf("%s: the file that was there is %q, %v", obstacle, text, err)
		}
		if is, err := os.Stat(p.Services); err == nil && is.Mode().IsRegular() {
			t.Errorf("%s: the services file is there", obstacle)
		}
	}
}

// A world-readable environment file is closed when it gets a secret, and opened again if a later file cannot be written.
func TestApplyClosesTheFileThatGetsASecret(t *testing.T) {
	dir := t.TempDir()
	env := filepath.Join(dir, "etc/claudeops/env")
	if err := errors.Join(os.MkdirAll(filepath.Dir(env), 0o755), os.WriteFile(env, []byte("# mine\n"), 0o644), os.Chmod(env, 0o644)); err != nil {
		t.Fatal(err)
	}
	p := planIn(t, dir)
	wantMode := func(want os.FileMode) {
		t.Helper()
		if is, err := os.Stat(env); err != nil || is.Mode() != want {
			t.Errorf("mode %v, %v; want %v", is.Mode(), err, want)
		}
	}
	inTheWay := filepath.Join(p.Services, "in-the-way")
	if err := os.MkdirAll(inTheWay, 0o755); err != nil {
		t.Fatal(err)
	}
	var undo []func() error
	if err := p.put(p.Files, &undo); err == nil {
		t.Error("a folder was replaced")
	}
	wantMode(0o600)
	for _, back := range undo {
		if err := back(); err != nil {
			t.Error(err)
		}
	}
	wantMode(0o644)
	if err := os.RemoveAll(p.Services); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Apply(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantMode(0o600)
}

// A change made to a file while init asks its questions is not overwritten.
func TestApplyLosesNoChangeMadeMeanwhile(t *testing.T) {
	p := planIn(t, t.TempDir())
	if err := errors.Join(os.MkdirAll(filepath.Dir(p.EnvFile), 0o755), os.WriteFile(p.EnvFile, []byte("A=1\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if done, err := p.Apply(t.Context()); err == nil || !strings.Contains(err.Error(), p.EnvFile+" was changed meanwhile: nothing was done") || len(done) > 0 {
		t.Errorf("done %q, %v", done, err)
	}
	if text, err := os.ReadFile(p.EnvFile); err != nil || string(text) != "A=1\n" {
		t.Errorf("the file is %q, %v", text, err)
	}
}

// The record is written before the files that it names, so that a killed run can be undone. Removed files are removed from it.
func TestTheRecordComesFirstAndForgetsWhatIsRemoved(t *testing.T) {
	dir := t.TempDir()
	p := planIn(t, dir)
	p.Makes, p.User = true, "bad:name" // useradd rejects it
	if _, err := p.Apply(t.Context()); err == nil {
		t.Fatal("a user was made")
	}
	if _, err := os.Stat(p.Record); err == nil {
		t.Error("nothing was done, and there is a record")
	}
	p = planIn(t, dir)
	if _, err := p.Apply(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p.EnvFile, []byte("A=1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := Look(t.Context(), Where{Prefix: dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Remove(t.Context(), Removal{Files: []string{m.Services}}, time.Now()); err != nil {
		t.Fatal(err)
	}
	m, err = Look(t.Context(), Where{Prefix: dir}, nil)
	if err != nil || len(m.Made.Files) != 1 || m.Made.Files[m.EnvFile] == "" {
		t.Errorf("the record has %+v, %v; want the file of variables alone", m.Made.Files, err)
	}
}

// The file decides which programs root runs, so only root may be able to write it.
func TestLookRefusesAFileThatOthersCanChange(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("it is root who must not trust others")
	}
	dir := t.TempDir()
	env := filepath.Join(dir, "etc/claudeops/env")
	if err := errors.Join(os.MkdirAll(filepath.Dir(env), 0o755), os.WriteFile(env, []byte("LD_PRELOAD=/tmp/x\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := Look(t.Context(), Where{Prefix: dir}, nil); err != nil {
		t.Fatalf("root's own: %v", err)
	}
	if err := os.Chown(env, 54321, 54321); err != nil {
		t.Fatal(err)
	}
	if _, err := Look(t.Context(), Where{Prefix: dir}, nil); err == nil || !strings.HasPrefix(err.Error(), "the user 54321 can change "+env+", and root would run programs by what ") {
		t.Errorf("another's: %v", err)
	}
}

func TestLookRefusesAServicesFileThatIsNone(t *testing.T) {
	dir := t.TempDir()
	services := filepath.Join(dir, "etc/claudeops/services.yaml")
	if err := errors.Join(os.MkdirAll(filepath.Dir(services), 0o755), os.WriteFile(services, []byte("services: {}\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if _, err := Look(t.Context(), Where{Prefix: dir}, nil); err == nil || !strings.HasPrefix(err.Error(), services+": not a valid services file") {
		t.Error(err)
	}
}

func TestLookRefusesARecordThatIsNone(t *testing.T) {
	dir := t.TempDir()
	record := filepath.Join(dir, "etc/claudeops/init.json")
	if err := os.MkdirAll(filepath.Dir(record), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(record, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if m, err := Look(t.Context(), Where{Prefix: dir}, nil); err == nil || !strings.Contains(err.Error(), "take the file away") {
		t.Errorf("%+v, %v", m, err)
	}
}

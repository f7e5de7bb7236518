package statefile_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/statefile"
)

func TestReadMissingMakesNothing(t *testing.T) {
	f := newFile(t)
	if s := read(t, f); len(s.Services) != 0 || s.LastRun != nil {
		t.Errorf("%+v, want an empty state", s)
	}
	wantEntries(t, f)
}

func TestUpdateMakesTheFile(t *testing.T) {
	f := newFile(t)
	must(t, update(t, f, func(s *statefile.State) { s.Ensure("x").ConsecutiveHealthy = 1 }))
	if got := read(t, f).Service("x").ConsecutiveHealthy; got != 1 {
		t.Errorf("consecutive_healthy %d, want 1", got)
	}
	wantEntries(t, f, "cooldown.json", "cooldown.lock")
}

func TestUpdateThatChangesNothingWritesNothing(t *testing.T) {
	f := newFile(t)
	must(t, update(t, f, func(*statefile.State) {}))
	before, err := os.Stat(f.Path)
	must(t, err)
	must(t, update(t, f, func(*statefile.State) {}))
	after, err := os.Stat(f.Path)
	must(t, err)
	if !os.SameFile(before, after) {
		t.Error("the file was replaced")
	}
}

func TestUpdateThatFailsWritesNothing(t *testing.T) {
	f := newFile(t)
	put(t, f, `{"services":{"x":{"restarts":[{"timestamp":"2999-01-01T00:00:00Z"}]}}}`)
	before, failed := content(t, f), errors.New("no")
	_, err := f.Update(t.Context(), func(s *statefile.State) error {
		s.Ensure("x").ConsecutiveHealthy = 1
		return failed
	})
	if err != failed { //nolint:errorlint // the same error, not wrapped
		t.Errorf("error %v, want the function's own", err)
	}
	if content(t, f) != before {
		t.Errorf("content %s; want it not to change", content(t, f))
	}
}

func TestUpdateTidies(t *testing.T) {
	f := newFile(t)
	put(t, f, `{"services":{"x":{"restarts":[{"timestamp":"2999-01-01T00:00:00Z","success":true},{"timestamp":"2025-06-13T12:00:00Z","success":true}]}}}`)
	must(t, update(t, f, func(*statefile.State) {}))
	if got := jq(t, f, ".services.x.restarts"); got != `[{"timestamp":"2025-06-15T12:00:00Z","success":true}]` {
		t.Errorf("restarts %s", got)
	}
}

func TestCorruptFileIsRefilled(t *testing.T) {
	f := newFile(t)
	f.Refill = func(context.Context) (*statefile.State, error) { return with("nginx", statefile.Restart, 0, 0), nil }
	put(t, f, "{broken")
	remade, err := f.Update(t.Context(), func(s *statefile.State) error {
		wantPermitted(t, s, "nginx", statefile.Restart, false)
		s.Ensure("redis")
		return nil
	})
	must(t, err)
	if want := f.Path + ".corrupt-20250615T120000Z"; !strings.HasSuffix(remade, "moved to "+want) {
		t.Errorf("it %s, want that it was moved to %s", remade, want)
	}
	if s := read(t, f); len(s.Services) != 2 {
		t.Errorf("services %v, want nginx and redis", s.Services)
	}
	wantEntries(t, f, "cooldown.json", "cooldown.json.corrupt-20250615T120000Z", "cooldown.lock")
}

// A missing file is no way to forget what still counts, not even where nothing is to be changed.
func TestMissingFileIsRefilled(t *testing.T) {
	f := newFile(t)
	f.Refill = func(context.Context) (*statefile.State, error) { return with("nginx", statefile.Restart, 0, 0), nil }
	wantPermitted(t, read(t, f), "nginx", statefile.Restart, false)
	for _, want := range []string{"was missing", ""} {
		remade, err := f.Update(t.Context(), func(*statefile.State) error { return nil })
		must(t, err)
		if remade != want {
			t.Errorf("it %q, want %q", remade, want)
		}
	}
	if got := jq(t, f, ".services.nginx.restarts | length"); got != "2" {
		t.Errorf("%s restarts in the file, want 2", got)
	}
}

func TestCorruptCopiesAreNeverOverwritten(t *testing.T) {
	f := newFile(t)
	want := map[string]string{}
	for _, text := range []string{"one", "two", "three"} {
		put(t, f, text)
		remade, err := f.Update(t.Context(), func(*statefile.State) error { return nil })
		must(t, err)
		want[movedTo(remade)] = text
	}
	for path, text := range want {
		if b, err := os.ReadFile(path); err != nil || string(b) != text {
			t.Errorf("%s: %q, %v; want %q", path, b, err, text)
		}
	}
	if _, there := want[f.Path+".corrupt-20250615T120000Z-3"]; len(want) != 3 || !there {
		t.Errorf("copies %v, want three, the last with -3", want)
	}
}

func TestCorruptFileStaysWhereRefillFails(t *testing.T) {
	f := newFile(t)
	broken := errors.New("the store is away")
	f.Refill = func(context.Context) (*statefile.State, error) { return nil, broken }
	put(t, f, "{broken")
	if err := update(t, f, func(*statefile.State) {}); !errors.Is(err, broken) || !strings.Contains(err.Error(), f.Path) {
		t.Errorf("error %v, want the store's and the path", err)
	}
	if content(t, f) != "{broken" {
		t.Errorf("content %q", content(t, f))
	}
	wantEntries(t, f, "cooldown.json", "cooldown.lock")
}

func TestForeignFilesAreLeftAlone(t *testing.T) {
	for name, make := range map[string]func(path string) error{
		"a directory": func(path string) error { return os.Mkdir(path, 0o700) },
		"a link":      func(path string) error { return os.Symlink("elsewhere", path) },
		"a pipe":      func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"64 MiB and a byte": func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, statefile.MaxBytes+1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFile(t)
			must(t, make(f.Path))
			before, err := os.Lstat(f.Path)
			must(t, err)
			_, rerr := f.Read(t.Context())
			uerr := update(t, f, func(s *statefile.State) { s.Ensure("x").ConsecutiveHealthy = 1 })
			for _, err := range []error{rerr, uerr} {
				if !errors.Is(err, statedir.ErrNotRegular) && !errors.Is(err, statedir.ErrTooLarge) || !strings.Contains(err.Error(), f.Path) {
					t.Errorf("error %v, want one that says what it is and names it", err)
				}
			}
			after, err := os.Lstat(f.Path)
			must(t, err)
			if !os.SameFile(before, after) {
				t.Error("it was replaced")
			}
			wantEntries(t, f, "cooldown.json", "cooldown.lock")
		})
	}
}

func TestNoStateDirectory(t *testing.T) {
	f := newFile(t)
	f.Path = statefile.Path(filepath.Join(t.TempDir(), "none"))
	_, rerr := f.Read(t.Context())
	for name, err := range map[string]error{"Read": rerr, "Update": update(t, f, func(*statefile.State) {})} {
		if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "CLAUDEOPS_STATE_DIR") {
			t.Errorf("%s: %v, want one that says what to do", name, err)
		}
	}
}

func TestUpdateWaitsForTheLockOnly(t *testing.T) {
	f := newFile(t)
	lock, err := statedir.TryAcquire(filepath.Join(filepath.Dir(f.Path), statefile.LockName))
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = f.Update(ctx, func(*statefile.State) error { t.Error("called without the lock"); return nil })
	if !errors.Is(err, statedir.ErrLocked) || !strings.Contains(err.Error(), statefile.LockName) {
		t.Errorf("error %v, want ErrLocked and the lock's name", err)
	}
	read(t, f) // readers of a whole file need no lock
	must(t, lock.Release())
}

func TestDirectoryThatMayNotBeWritten(t *testing.T) {
	f := newFile(t)
	must(t, update(t, f, func(s *statefile.State) { s.Ensure("x").ConsecutiveHealthy = 1 }))
	before := content(t, f)
	t.Cleanup(func() { must(t, os.Chmod(filepath.Dir(f.Path), 0o755)) }) // so that it can be removed
	out := child(t, f, "update-readonly")
	if !strings.Contains(out, "permission denied") && !strings.Contains(out, "read-only file system") {
		t.Errorf("it said %q, want that it may not be written", out)
	}
	if content(t, f) != before {
		t.Errorf("content %s", content(t, f))
	}
}

func TestFullDiskLeavesTheOldFileWhole(t *testing.T) {
	f := newFile(t)
	must(t, update(t, f, func(s *statefile.State) { s.Ensure("x").ConsecutiveHealthy = 1 }))
	before := content(t, f)
	if out := child(t, f, "update-limited"); !strings.Contains(out, "file too large") {
		t.Errorf("it said %q, want that there is no room", out)
	}
	if content(t, f) != before {
		t.Errorf("content %s", content(t, f))
	}
	wantEntries(t, f, "cooldown.json", "cooldown.lock")
}

func TestFullDiskOnARealOne(t *testing.T) {
	f := newFile(t)
	dir := filepath.Dir(f.Path)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=32k"); err != nil {
		t.Skipf("a small disk needs a privileged root (the limited child shows the same): %v", err)
	}
	t.Cleanup(func() { must(t, syscall.Unmount(dir, 0)) })
	must(t, update(t, f, func(s *statefile.State) { s.Ensure("x").ConsecutiveHealthy = 1 }))
	before := content(t, f)
	err := update(t, f, func(s *statefile.State) {
		s.Add("x", statefile.Restart, statefile.Record{Error: strings.Repeat("x", 64<<10)})
	})
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error %v, want ENOSPC", err)
	}
	if content(t, f) != before {
		t.Errorf("content %s", content(t, f))
	}
	wantEntries(t, f, "cooldown.json", "cooldown.lock")
	put(t, f, "{broken")
	f.Refill = func(context.Context) (*statefile.State, error) {
		s := statefile.New()
		s.Add("x", statefile.Restart, statefile.Record{Error: strings.Repeat("x", 64<<10)})
		return s, nil
	}
	if err := update(t, f, func(*statefile.State) {}); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error %v, want ENOSPC", err)
	}
	if got := content(t, f); got != "{broken" {
		t.Errorf("content %q", got)
	}
	wantEntries(t, f, "cooldown.json", "cooldown.lock")
}

func wantEntries(t *testing.T, f statefile.File, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(f.Path))
	must(t, err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("in the directory: %v, want %v", got, want)
	}
}

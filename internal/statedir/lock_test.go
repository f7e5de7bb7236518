package statedir_test

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
)

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	l, err := statedir.TryAcquire(path)
	must(t, err)
	if _, err := statedir.TryAcquire(path); !errors.Is(err, statedir.ErrLocked) || !strings.Contains(err.Error(), path) {
		t.Errorf("second: error %v, want ErrLocked and the path", err)
	}
	if out := child(t, "lock", path); !strings.Contains(out, statedir.ErrLocked.Error()) {
		t.Errorf("another process: %q, want %q", out, statedir.ErrLocked)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := statedir.Acquire(ended, path); !errors.Is(err, statedir.ErrLocked) || !errors.Is(err, context.Canceled) {
		t.Errorf("Acquire: error %v, want ErrLocked and context.Canceled", err)
	}
	released := make(chan error)
	go func() { released <- l.Release() }()
	second, err := statedir.Acquire(t.Context(), path)
	must(t, err)
	must(t, <-released)
	must(t, second.Release())
	must(t, second.Release())
	if _, err := statedir.TryAcquire(filepath.Join(t.TempDir(), "none", "x.lock")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no directory: error %v, want fs.ErrNotExist", err)
	}
}

// Any user with write access to the directory may create another kind of file with the lock's name. That must not block all others.
func TestLockTakesThePlaceOfWhatIsNoFile(t *testing.T) {
	for name, plant := range map[string]func(path string) error{
		"a link":      func(path string) error { return os.Symlink("/etc/passwd", path) },
		"a pipe":      func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a directory": func(path string) error { return os.Mkdir(path, 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.lock")
			must(t, plant(path))
			l, err := statedir.TryAcquire(path)
			must(t, err)
			if _, err := statedir.TryAcquire(path); !errors.Is(err, statedir.ErrLocked) {
				t.Errorf("a second holder: error %v, want ErrLocked", err)
			}
			must(t, l.Release())
		})
	}
}

// Other users could lock a lock file that they can open.
func TestLockFilesAreForTheirOwnerAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	for _, was := range []string{"none", "left open by an earlier version"} {
		if was != "none" {
			must(t, os.Chmod(path, 0o644))
		}
		l, err := statedir.TryAcquire(path)
		must(t, err)
		must(t, l.Release())
		if is, err := os.Stat(path); err != nil || is.Mode() != 0o600 {
			t.Errorf("%s: its mode is %v, %v", was, is.Mode(), err)
		}
	}
}

func TestDirectoryLock(t *testing.T) {
	path := t.TempDir()
	dir, err := statedir.TryAcquireDir(path)
	must(t, err)
	if _, err := statedir.TryAcquireDir(path); !errors.Is(err, statedir.ErrLocked) {
		t.Errorf("a second holder: error %v, want ErrLocked", err)
	}
	must(t, dir.Close())
	again, err := statedir.TryAcquireDir(path)
	must(t, err)
	must(t, again.Close())
}

func TestLockGoesWithItsProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	if out := child(t, "lock", path); out != "done" {
		t.Fatalf("child: %s", out)
	}
	l, err := statedir.TryAcquire(path) // the child ended without Release
	must(t, err)
	must(t, l.Release())
}

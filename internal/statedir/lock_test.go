package statedir_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

// Other users could lock a lock file that they can open.
func TestLockFilesAreForTheirOwnerAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	l, err := statedir.TryAcquire(path)
	must(t, err)
	must(t, l.Release())
	if is, err := os.Stat(path); err != nil || is.Mode() != 0o600 {
		t.Errorf("its mode is %v, %v", is.Mode(), err)
	}
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

// Package denied has the kernel refuse what tested code does: write, as on a full disk or to another user's files, or use Landlock.
package denied

import (
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// Space makes every file of this process as good as on a full disk past max bytes, for good: it is for a process that a test starts.
func Space(max uint64) error {
	signal.Ignore(unix.SIGXFSZ)
	return unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: max, Max: max})
}

// Writing runs f as a user who may read everything and write nothing below dir.
func Writing(t *testing.T, dir string, f func()) {
	t.Helper()
	change := func(mode os.FileMode) {
		t.Helper()
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		all := func(path string, _ fs.DirEntry, err error) error { return errors.Join(err, root.Chmod(path, mode)) }
		if err := errors.Join(fs.WalkDir(root.FS(), ".", all), root.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if os.Geteuid() != 0 {
		t.Cleanup(func() { change(0o755) }) // it is removed then
		change(0o555)
		f()
		return
	}
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	change(0o755)
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends with its goroutine
		if _, err := unix.SetfsuidRetUid(65534); err != nil {
			t.Error(err)
			return
		}
		f()
	}()
	<-done
}

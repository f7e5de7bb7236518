package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// asNobody calls f without root's privileges, in a thread that drops them and then ends.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		f()
		return
	}
	done := make(chan syscall.Errno)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		const nobody = 65534
		_, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, nobody, nobody, nobody)
		if errno == 0 {
			f()
		}
		done <- errno
	}()
	if errno := <-done; errno != 0 {
		t.Fatalf("give up root's rights: %v", errno)
	}
}

func TestAnEnvironmentFileThatIsClosedToUsIsSaid(t *testing.T) {
	t.Setenv("CLAUDEOPS_RUN_TOKEN", "")
	dir := t.TempDir()
	closed := filepath.Join(dir, "env")
	if err := os.WriteFile(closed, nil, 0); err != nil {
		t.Fatal(err)
	}
	for up := dir; up != filepath.Dir(up) && up != os.TempDir(); up = filepath.Dir(up) {
		if err := os.Chmod(up, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var warnings, none []string
	asNobody(t, func() { warnings, none = unreadFile(closed), unreadFile(filepath.Join(dir, "none")) })
	if len(warnings) != 1 || !strings.HasPrefix(warnings[0], closed+" may not be read by this user: ") || none != nil {
		t.Errorf("%q, and of a file that is not there %q", warnings, none)
	}
	t.Setenv("CLAUDEOPS_RUN_TOKEN", "x")
	asNobody(t, func() { warnings = unreadFile(closed) })
	if warnings != nil {
		t.Errorf("agents can never read the file, but are warned: %q", warnings)
	}
}

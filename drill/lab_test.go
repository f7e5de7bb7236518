package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestTheFolderOfTemporaryFiles(t *testing.T) {
	long := "/tmp/" + strings.Repeat("x", longestTemp)
	for dir, want := range map[string]string{
		"/tmp":            "",
		"tmp":             "no absolute path",
		"/tmp/it's":       "no absolute path of letters",
		"/tmp/my files":   "no absolute path of letters",
		"/nowhere/at/all": "no such file or directory",
		long:              "too long for a socket",
	} {
		err := checkTemp(dir)
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s: %v, want %q", dir, err, want)
		}
	}
}

func TestProgramsMustRunInTheFolderOfTemporaryFiles(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root may mount a file system")
	}
	dir, refused := t.TempDir(), make(chan error)
	go func() {
		runtime.LockOSThread() // and so it ends with this goroutine, and the mount with it
		err := errors.Join(unix.Unshare(unix.CLONE_NEWNS), unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""), unix.Mount("test", dir, "tmpfs", unix.MS_NOEXEC, ""))
		if err == nil {
			err = checkTemp(dir)
		}
		refused <- err
	}()
	if err := <-refused; err == nil || !strings.Contains(err.Error(), "noexec") {
		t.Error(err)
	}
}

func TestAFolderThatOthersMayNotEnterIsFound(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "private")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := closedAbove(filepath.Join(dir, "claudeops-drill-1")); got != dir {
		t.Errorf("%q, want %q", got, dir)
	}
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	if got := closedAbove(filepath.Join(dir, "claudeops-drill-1")); got == dir {
		t.Errorf("%q is open", got)
	}
}

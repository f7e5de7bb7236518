package tiers

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// The state directory's name is never read as a pattern.
func TestWhatKilledCyclesLeftIsRemovedFromAFolderOfAnyName(t *testing.T) {
	state := t.TempDir() + "/a[bc]*"
	must(t, os.Mkdir(state, 0o700))
	ws := got(NewWorkspace(state, 3))(t)
	must(t, RemoveWorkspaces(state))
	if _, err := os.Stat(ws.State()); !os.IsNotExist(err) {
		t.Errorf("%s is left: %v", ws.State(), err)
	}
}

// Everything that an agent left is removed with its session, however deep or unreadable, and the targets of its links are not.
func TestWhatAnAgentLeftIsRemoved(t *testing.T) {
	var limit unix.Rlimit
	must(t, unix.Getrlimit(unix.RLIMIT_NOFILE, &limit))
	fewer := unix.Rlimit{Cur: 256, Max: limit.Max}
	must(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &fewer))
	defer func() { must(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &limit)) }()

	state, other := t.TempDir(), filepath.Join(t.TempDir(), "other")
	must(t, os.Mkdir(other, 0o500))
	ws := got(NewWorkspace(state, 3))(t)
	must(t, os.Symlink(other, filepath.Join(ws.Scratch(), "link")))
	must(t, os.Mkdir(filepath.Join(ws.Scratch(), "moved-1"), 0o700))
	must(t, os.WriteFile(filepath.Join(ws.Scratch(), "moved-1", "file"), nil, 0o600))
	at := got(unix.Open(ws.Scratch(), unix.O_PATH, 0))(t)
	for range 2_000 {
		must(t, unix.Mkdirat(at, "d", 0o700))
		below := got(unix.Openat(at, "d", unix.O_PATH|unix.O_DIRECTORY, 0))(t)
		must(t, unix.Close(at))
		at = below
	}
	must(t, unix.Mkdirat(at, "closed", 0o700))
	must(t, unix.Mkdirat(at, "closed/in", 0o700))
	must(t, unix.Fchmodat(at, "closed", 0, 0))
	must(t, unix.Close(at))
	must(t, ws.Remove())
	if left, err := filepath.Glob(state + "/run/*"); err != nil || len(left) != 0 {
		t.Errorf("%q are left, %v", left, err)
	}
	if is, err := os.Stat(other); err != nil || is.Mode().Perm() != 0o500 {
		t.Errorf("what a link leads to is %v, %v", is, err)
	}
}

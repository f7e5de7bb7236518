package notify

import (
	"bytes"
	"crypto/rand"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// sweepWithin is how long what a program left behind may take to be gone; it has got SIGKILL.
	sweepWithin = time.Second
	sweepTick   = 2 * time.Millisecond
)

// newMark makes the entry of a program's environment by which its children are known.
func newMark() string { return "APPRISE_RUN=" + rand.Text() }

// adopt makes this process the one to which orphans come, until it ends: a child that went into a session of its own is no longer of the
// program's group, and would be nobody's.
func adopt() error { return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// orphans are what a program leaves to us.
type orphans struct {
	group int    // the program's
	mark  string // an entry of the environment of all of them, and of nobody else
}

// sweep ends the orphans that the program left to us, with what they leave in turn, and takes their exit statuses. The program's own is
// left to whoever waits for it.
func (o orphans) sweep() {
	ended := map[int]bool{} // by us: one that has ended shows its mark no more
	for until := time.Now().Add(sweepWithin); ; time.Sleep(sweepTick) {
		found := false
		for _, pid := range children() {
			if pid == o.group || !ended[pid] && !o.are(pid) {
				continue
			}
			found, ended[pid] = true, true
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
			_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		}
		if !found || time.Now().After(until) {
			return
		}
	}
}

// are reports whether a child of ours is one: still in the group, or gone from it with the mark.
func (o orphans) are(pid int) bool {
	if id, err := unix.Getpgid(pid); err == nil && id == o.group {
		return true
	}
	environ, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "environ"))
	return err == nil && bytes.Contains(environ, []byte(o.mark))
}

// children are ours, those that have ended too.
func children() (all []int) {
	lists, _ := filepath.Glob("/proc/self/task/[0-9]*/children") // the pattern is one
	for _, path := range lists {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // that thread has ended, and others have its children
		}
		for field := range strings.FieldsSeq(string(text)) {
			if pid, err := strconv.Atoi(field); err == nil {
				all = append(all, pid)
			}
		}
	}
	return all
}

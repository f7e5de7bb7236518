package statedir

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/procfs"
)

// Holder is a process that holds a lock.
type Holder struct {
	PID     int       // 0 if unknown
	Stopped bool      // stopped by a signal
	Began   time.Time // start time by the current clock; zero if it cannot be determined
}

// Age returns how long the process has been running; 0 if it cannot be determined.
func (h Holder) Age(now time.Time) time.Duration {
	if h.Began.IsZero() {
		return 0
	}
	return now.Sub(h.Began)
}

// String describes the holder for people: process 12, which is stopped.
func (h Holder) String() string {
	if h.PID == 0 {
		return "a process that cannot be seen"
	}
	stopped := ""
	if h.Stopped {
		stopped = ", which is stopped"
	}
	return fmt.Sprintf("process %d%s", h.PID, stopped)
}

// Remedies returns what a person can do about a known process: commands, with their effects.
func (h Holder) Remedies() (commands []string) {
	if h.Stopped {
		commands = append(commands, fmt.Sprintf("`kill -CONT %d` lets it go on", h.PID))
	}
	return append(commands, fmt.Sprintf("`kill -9 %d` ends it", h.PID))
}

// HolderOf returns the process that holds a lock on a file. It does not try to take the lock, because that could turn away
// a process that is just starting.
func HolderOf(path string) (h Holder, held bool) {
	pid, held := holder(path)
	if held {
		h.PID = pid
		h.Stopped, h.Began = runs(pid)
	}
	return h, held
}

func holder(path string) (pid int, held bool) {
	var is syscall.Stat_t
	if err := syscall.Stat(path, &is); err != nil {
		return 0, false
	}
	locks, err := os.Open("/proc/locks")
	if err != nil {
		return 0, false
	}
	defer locks.Close() //nolint:errcheck // it was only read
	lines := bufio.NewScanner(locks)
	for lines.Scan() {
		// number: FLOCK ADVISORY WRITE pid major:minor:inode from to; a waiting process has -> after the number.
		fields := strings.Fields(lines.Text())
		if len(fields) < 6 || fields[1] != "FLOCK" || !strings.HasSuffix(fields[5], fmt.Sprintf(":%d", is.Ino)) {
			continue
		}
		pid, _ = strconv.Atoi(fields[4]) // 0 means unknown
		device := fmt.Sprintf("%02x:%02x:%d", unix.Major(is.Dev), unix.Minor(is.Dev), is.Ino)
		if open, known := hasOpen(pid, &is); open || !known && fields[5] == device {
			return pid, true
		}
	}
	return 0, false
}

// hasOpen reports whether a process has a file open, and whether this can be determined. The device in /proc/locks is the file system's
// own number, which may differ from the one in stat, and an inode number belongs to many files.
func hasOpen(pid int, is *syscall.Stat_t) (open, known bool) {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false, false
	}
	for _, e := range entries {
		var file syscall.Stat_t
		if err := syscall.Stat(filepath.Join(dir, e.Name()), &file); err == nil && file.Ino == is.Ino && file.Dev == is.Dev {
			return true, true
		}
	}
	return false, true
}

// runs returns whether a process is stopped, and when it was started.
func runs(pid int) (stopped bool, began time.Time) {
	p, err := procfs.Read(pid)
	var now unix.Timespec
	if err != nil || unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) != nil {
		return false, time.Time{}
	}
	age := time.Duration(now.Nano()) - time.Duration(p.Start)*(time.Second/procfs.TicksPerSecond)
	return p.Stopped(), time.Now().Add(-age)
}

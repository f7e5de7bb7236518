package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/cycle"
	"github.com/claudeops/claudeops/statefile"
)

func (a *app) cronHealthCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "health",
		Short: "Say whether cycles run as the schedule asks for: exit 0, or 1",
		Long: `health says on one line when the last cycle ended, and exits with 0 where that is as the schedule asks for, with 1 where
it is not, or where no cycle has ended yet. It is meant for the health check of a container, and for people.

A cycle was due at each time of CLAUDEOPS_SCHEDULE, and has ended once the tiers' limits have passed, and --jitter, if cron was
given any. While a cycle runs, all is well, unless it runs for longer than its limits together. With --max-age the schedule does not matter, only the last cycle's age.`,
		Args: takes(),
	}
	var maxAge, jitter span
	c.Flags().Var(&maxAge, "max-age", "well is a last cycle that ended at most this `TIME` ago, such as 2h")
	c.Flags().Var(&jitter, "jitter", "the `TIME` that cron was given as --jitter")
	c.RunE = func(*cobra.Command, []string) error {
		l, err := a.load()
		if err != nil {
			return err
		}
		h, err := a.health(l, time.Duration(maxAge), time.Duration(jitter))
		if err != nil {
			return err
		}
		if a.json {
			err = a.printJSON(h)
		} else {
			err = a.print(h.line() + "\n")
		}
		if err == nil && !h.Healthy {
			err = &exitError{code: exitFault}
		}
		return err
	}
	return c
}

// health is what `cron health` says.
type health struct {
	Healthy bool       `json:"healthy"`
	Reason  string     `json:"reason"`
	Running bool       `json:"running"`               // a cycle runs now
	LastRun *time.Time `json:"last_run"`              // when the last cycle ended; null before the first
	AgeS    *int64     `json:"age_seconds"`           // null before the first
	Due     *time.Time `json:"due,omitempty"`         // the run that a cycle should have ended for since
	Longest float64    `json:"longest_cycle_seconds"` // that a cycle may take
}

func (h health) line() string {
	if h.Healthy {
		return "healthy: " + h.Reason
	}
	return "unhealthy: " + h.Reason
}

// health looks at the state file and at the lock of cycles, and changes nothing.
func (a *app) health(l *loaded, maxAge, jitter time.Duration) (health, error) {
	if err := stateDirectory(l.config.StateDir); err != nil {
		return health{}, err
	}
	st, err := statefile.File{Path: statefile.Path(l.config.StateDir), Now: a.Now}.Look()
	if err != nil {
		return health{}, err
	}
	now := a.Now().Round(0)
	longest := crontab.LongestCycle(l.config)
	h := health{Longest: longest.Seconds()}
	var pid int
	pid, h.Running = holder(filepath.Join(l.config.StateDir, cycle.LockName))
	if limit, age := crontab.LongestWithAllTiers(l.config), runsFor(pid); h.Running && age > limit+hangs {
		h.Reason = fmt.Sprintf("a cycle, process %d, runs for %s, and its limits together are %s", pid, age.Round(time.Second), limit)
		return h, nil
	}
	if st.LastRun == nil {
		h.Healthy, h.Reason = h.Running, "no cycle has ended yet in "+l.config.StateDir
		if h.Running {
			h.Reason = "the first cycle is running"
		}
		return h, nil
	}
	last := st.LastRun.Time
	age := max(now.Sub(last), 0)
	seconds := int64(age.Seconds())
	h.LastRun, h.AgeS = &last, &seconds
	ended := fmt.Sprintf("the last cycle ended %s ago, at %s", age.Round(time.Second), a.local(last))
	if last.Sub(now) > futureLimit {
		h.Reason = "the last cycle ended in the future, at " + a.local(last) + ": was the clock wrong then, or is it now?"
		return h, nil
	}
	switch due, missing := crontab.Unanswered(l.config.Schedule, last, now, longest+jitter); {
	case h.Running:
		h.Healthy, h.Reason = true, "a cycle is running; "+ended
	case maxAge > 0 && age > maxAge:
		h.Reason = ended + ", more than " + maxAge.String()
	case maxAge > 0:
		h.Healthy, h.Reason = true, ended
	case missing:
		h.Due = &due
		h.Reason = fmt.Sprintf("%s; one was due at %s and takes at most %s", ended, a.local(due), (longest + jitter).Round(time.Second))
	default:
		h.Healthy, h.Reason = true, ended
	}
	return h, nil
}

// futureLimit is how far ahead of the clock the last cycle may have ended: clocks are set back a little, now and then.
const futureLimit = 3 * time.Hour

// hangs is how much longer than its limits a cycle may run until it counts as one that hangs: as long as cron waits until it kills it.
const hangs = 5 * time.Minute

// holder is the process that holds a lock on a file; its id is 0 where that is not known. Nobody asks for the lock: a cycle that begins
// just then would be turned away.
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
		// number: FLOCK ADVISORY WRITE pid major:minor:inode from to; one that waits has -> behind the number.
		fields := strings.Fields(lines.Text())
		if len(fields) < 6 || fields[1] != "FLOCK" || !strings.HasSuffix(fields[5], fmt.Sprintf(":%d", is.Ino)) {
			continue
		}
		pid, _ = strconv.Atoi(fields[4]) // 0 is not known
		device := fmt.Sprintf("%02x:%02x:%d", unix.Major(is.Dev), unix.Minor(is.Dev), is.Ino)
		if open, known := hasOpen(pid, &is); open || !known && fields[5] == device {
			return pid, true
		}
	}
	return 0, false
}

// hasOpen reports whether a process has a file open, and whether that can be seen. The device in /proc/locks is the file system's own number,
// which is not always the one that stat gives, and an inode's number is that of many files.
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

// runsFor is for how long a process runs; 0 where that cannot be seen.
func runsFor(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// Behind the name in parentheses, which may hold anything, the 20th field is when it began, in hundredths of a second since boot.
	const began = 20 - 1
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	var now unix.Timespec
	if len(fields) <= began || unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) != nil {
		return 0
	}
	ticks, err := strconv.ParseInt(fields[began], 10, 64)
	if err != nil {
		return 0
	}
	return time.Duration(now.Nano()) - time.Duration(ticks)*(time.Second/100)
}

package dashboard

import (
	"os"
	"time"

	"github.com/claudeops/claudeops/internal/procfs"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/store"
)

// longestSession is longer than any tier runs: a session without an end after that was cut off.
const longestSession = 24 * time.Hour

// gone reports whether a session is on record as running although nothing runs it any more: neither does a process hold the cycle's lock,
// nor does its own live.
func (i *Instance) gone(s store.Session) bool {
	if s.Status != store.Running {
		return false
	}
	_, held := statedir.CycleHolder(i.options.Config.StateDir)
	return lost(s, i.now(), machine{boot: procfs.BootID(), seesAll: seesAll(), held: held, alive: alive})
}

// machine is what this process can see of its machine.
type machine struct {
	boot    string // the kernel's boot_id; empty if unknown
	seesAll bool   // no process is hidden
	held    bool   // a process that is seen holds the cycle's lock
	alive   func(pid int, start int64) bool
}

// lost decides gone. If the cycle may be out of sight, in another container or on another machine, the age decides. (Testing the lock would
// take it for a moment, and a cycle that begins then would not start.)
func lost(s store.Session, now time.Time, m machine) bool {
	switch {
	case now.Sub(s.StartedAt) > longestSession:
		return true
	case s.BootID != "" && m.boot != "" && s.BootID != m.boot:
		return true
	}
	return m.seesAll && !m.held && !(s.PID > 0 && m.alive(s.PID, s.PIDStart))
}

// firstPIDs is the name of the kernel's initial PID namespace, which has all processes; its number is the same on every kernel.
const firstPIDs = "pid:[4026531836]"

// seesAll reports whether every process is visible: this one is not in a container, and /proc hides none (mount option hidepid).
func seesAll() bool {
	namespace, err := os.Readlink("/proc/self/ns/pid")
	if err != nil || namespace != firstPIDs {
		return false
	}
	_, err = os.ReadFile("/proc/1/stat")
	return err == nil
}

// alive reports whether the process with that pid and start time (clock ticks after boot) exists.
func alive(pid int, start int64) bool {
	p, err := procfs.Read(pid)
	return err == nil && p.Start == start
}

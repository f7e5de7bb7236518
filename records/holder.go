package records

import (
	"os"
	"path/filepath"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/procfs"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/store"
)

// CycleLock is the file in the state directory that a running cycle locks with flock. Who holds it is the cycle: what it started may decide
// nothing for people, and without it no session runs.
const CycleLock = "cycle.lock"

// CycleHolder returns the process that holds the cycle lock of a state directory: on the file or, if an agent has removed that, on the
// directory.
func CycleHolder(stateDir string) (by statedir.Holder, held bool) {
	by, held = statedir.HolderOf(filepath.Join(stateDir, CycleLock))
	if !held && !statedir.HeldByOtherUser(stateDir) {
		by, held = statedir.HolderOf(stateDir)
	}
	return by, held
}

// OfSession reports whether a session started this process: its agent, an act, or the plugin of a check. It has the session's variables or,
// if it has cleared them to pass as a person, descends from the cycle.
func OfSession(c config.Config) bool {
	if c.Agent != (config.Agent{}) {
		return true
	}
	by, held := CycleHolder(c.StateDir)
	return held && by.PID > 0 && procfs.Descends(os.Getpid(), by.PID)
}

// longestSession is longer than any tier runs: a session without an end after that was cut off.
const longestSession = 24 * time.Hour

// Gone reports whether a session is on record as running although nothing runs it any more: neither does a process hold the cycle's lock,
// nor does its own live.
func Gone(stateDir string, s store.Session, now time.Time) bool {
	if s.Status != store.Running {
		return false
	}
	_, held := CycleHolder(stateDir)
	return lost(s, now, machine{boot: procfs.BootID(), seesAll: seesAll(), held: held, alive: alive})
}

// machine is what this process can see of its machine.
type machine struct {
	boot    string // the kernel's boot_id; empty if unknown
	seesAll bool   // no process is hidden
	held    bool   // a process that is seen holds the cycle's lock
	alive   func(pid int, start int64) bool
}

// lost decides Gone. If the cycle may be out of sight, in another container or on another machine, the age decides. (Testing the lock would
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

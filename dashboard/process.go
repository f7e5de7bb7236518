package dashboard

import (
	"os"
	"time"

	"github.com/claudeops/claudeops/internal/clock"
	"github.com/claudeops/claudeops/internal/procfs"
	"github.com/claudeops/claudeops/store"
)

// longestSession is longer than any tier runs: what has not ended by then was cut off.
const longestSession = 24 * time.Hour

// machine is what this process can see of the machine that it runs on.
type machine struct {
	boot    string // the kernel's boot_id; empty where it is not known
	seesAll bool   // no process is hidden from it
	alive   func(pid int, start int64) bool
}

// gone reports whether a session is on record as running and nothing runs it any more.
func (i *Instance) gone(s store.Session) bool {
	return s.Status == store.Running && thisMachine().lost(s, i.own != nil, i.now())
}

// lost decides whether what runs a session has ended. Where that cannot be seen, because it runs in another container or on another machine,
// its age decides. (The cycle's lock is not asked: whoever asks takes it for a moment, and a cycle that began then would not start.)
func (m machine) lost(s store.Session, own bool, now time.Time) bool {
	switch {
	case now.Sub(s.StartedAt) > longestSession:
		return true
	case s.PID <= 0 || m.boot == "" || s.BootID == "":
		return false
	case s.BootID != m.boot: // another boot of this machine, or a database of another one
		return own
	}
	return m.seesAll && !m.alive(s.PID, s.PIDStart)
}

func thisMachine() machine {
	return machine{clock.BootID(), seesAll(), alive}
}

// firstPIDs is the name of the kernel's first namespace of processes, in which there are all; its number is the same on every kernel.
const firstPIDs = "pid:[4026531836]"

// seesAll reports whether every process is to be seen: it is not in a container, and /proc hides no processes (mount option hidepid).
func seesAll() bool {
	namespace, err := os.Readlink("/proc/self/ns/pid")
	if err != nil || namespace != firstPIDs {
		return false
	}
	_, err = os.ReadFile("/proc/1/stat")
	return err == nil
}

// alive reports whether the process of that pid is there that began at that many clock ticks after boot.
func alive(pid int, start int64) bool {
	p, err := procfs.Read(pid)
	return err == nil && p.Start == start
}

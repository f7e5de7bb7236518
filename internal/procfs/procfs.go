// Package procfs lists processes, with their parents, states and start times.
package procfs

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
)

// Process is a process as shown by /proc.
type Process struct {
	PID, Parent int
	Group       int   // the process group
	Threads     int   // 0 for a zombie
	State       byte  // the letter shown by ps, such as R, S, T, Z
	Start       int64 // clock ticks from boot to start, which distinguishes a process from a later one with the same pid
}

// TicksPerSecond is the unit of Start; it is the same on every Linux machine.
const TicksPerSecond = 100

// Dead reports whether only the exit status is left.
func (p Process) Dead() bool { return p.State == 'Z' || p.State == 'X' }

// Stopped reports whether a signal or a debugger has stopped it.
func (p Process) Stopped() bool { return p.State == 'T' || p.State == 't' }

// Read returns a process. If it does not exist, the error wraps fs.ErrNotExist or syscall.ESRCH.
func Read(pid int) (Process, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return Process{}, err
	}
	p, err := parse(stat)
	if err != nil {
		return Process{}, fmt.Errorf("/proc/%d/stat: %w", pid, err)
	}
	p.PID = pid
	return p, nil
}

// parse parses "pid (name) state ppid … starttime …", where name may contain anything.
func parse(stat []byte) (p Process, err error) {
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 20 {
		return p, fmt.Errorf("%d fields behind the name, want 20 or more", len(fields))
	}
	p.State = fields[0][0]
	for at, to := range map[int]*int{1: &p.Parent, 2: &p.Group, 17: &p.Threads} {
		if *to, err = strconv.Atoi(fields[at]); err != nil {
			return p, fmt.Errorf("field %d behind the name: %w", at+1, err)
		}
	}
	if p.Start, err = strconv.ParseInt(fields[19], 10, 64); err != nil {
		return p, fmt.Errorf("start time: %w", err)
	}
	return p, nil
}

// All lists the processes. Processes that end meanwhile are left out.
func All() ([]Process, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fmt.Errorf("list the processes: %w", err)
	}
	var all []Process
	for _, entry := range entries {
		if pid, err := strconv.Atoi(entry.Name()); err == nil {
			if p, err := Read(pid); err == nil {
				all = append(all, p)
			}
		}
	}
	return all, nil
}

// Below lists the descendants of this process, children first, except those in except and their descendants.
func Below(except map[int]bool) ([]Process, error) {
	all, err := All()
	if err != nil {
		return nil, err
	}
	children := map[int][]Process{}
	for _, p := range all {
		if !except[p.PID] {
			children[p.Parent] = append(children[p.Parent], p)
		}
	}
	below := children[os.Getpid()]
	for i := 0; i < len(below); i++ {
		below = append(below, children[below[i].PID]...)
	}
	return below, nil
}

// Descends reports whether a process is a descendant of another, and not that process itself.
func Descends(pid, from int) bool {
	for range 1 << 16 { // deeper than any tree; cycles are only possible while processes end and their ids are reused
		p, err := Read(pid)
		if err != nil || p.Parent == 0 {
			return false
		}
		if p.Parent == from {
			return true
		}
		pid = p.Parent
	}
	return false
}

// BootID returns the kernel's boot id. If it changes, no process has survived. It is empty if /proc does not provide it.
var BootID = sync.OnceValue(func() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
})

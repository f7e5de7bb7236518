// Package procfs lists processes: whose child each is, in which state, and since when.
package procfs

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Process is one as /proc shows it.
type Process struct {
	PID, Parent int
	Group       int   // of processes
	Threads     int   // 0 where only the exit status is left
	State       byte  // the letter that ps shows, such as R, S, T, Z
	Start       int64 // clock ticks between boot and start, which distinguishes a process from a later one of the same pid
}

// TicksPerSecond is the unit of Start; Linux shows it so on every machine.
const TicksPerSecond = 100

// Dead reports whether only the exit status is left of it.
func (p Process) Dead() bool { return p.State == 'Z' || p.State == 'X' }

// Stopped reports whether a signal or a debugger keeps it from moving.
func (p Process) Stopped() bool { return p.State == 'T' || p.State == 't' }

// Read returns a process. One that is not there is an error that wraps fs.ErrNotExist or syscall.ESRCH.
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

// parse reads "pid (name) state ppid … starttime …", where name may hold anything.
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

// All lists the processes. One that ends meanwhile is left out.
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

// Below lists what descends from this process, children first, but not the processes of except nor what descends from them.
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

// Descends reports whether a process descends from another. It is none of its own descendants.
func Descends(pid, from int) bool {
	for range 1 << 16 { // deeper than any tree; a cycle is possible only while processes end and their numbers come again
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

// Package procfs says of a process whose child it is, in which state, and since when.
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
	Start       int64 // clock ticks between boot and start, which tells a process from a later one of the same pid
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
	if p.Parent, err = strconv.Atoi(fields[1]); err != nil {
		return p, fmt.Errorf("parent: %w", err)
	}
	if p.Group, err = strconv.Atoi(fields[2]); err != nil {
		return p, fmt.Errorf("group: %w", err)
	}
	if p.Threads, err = strconv.Atoi(fields[17]); err != nil {
		return p, fmt.Errorf("threads: %w", err)
	}
	if p.Start, err = strconv.ParseInt(fields[19], 10, 64); err != nil {
		return p, fmt.Errorf("start time: %w", err)
	}
	return p, nil
}

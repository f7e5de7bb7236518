package tiers

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// childless reports whether this process has no child at all, which is the usual case and saves the walk through /proc.
func childless() bool {
	return errors.Is(unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil), unix.ECHILD)
}

// relation is what /proc says of a process's place.
type relation struct {
	pid, parent int
	state       byte
	start       int64
}

// dead reports whether only the exit status is left of it.
func (r relation) dead() bool { return r.state == 'Z' || r.state == 'X' }

// relations lists all processes. What ends while it reads is left out.
func relations() ([]relation, error) {
	pids, err := pids()
	if err != nil {
		return nil, err
	}
	all := make([]relation, 0, len(pids))
	for _, pid := range pids {
		if r, err := relationOf(pid); err == nil {
			all = append(all, r)
		}
	}
	return all, nil
}

func pids() ([]int, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fmt.Errorf("list the processes: %w", err)
	}
	found := make([]int, 0, len(entries))
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			found = append(found, pid)
		}
	}
	return found, nil
}

// relationOf reads /proc/PID/stat: "pid (name) state ppid … starttime …", where name may hold anything.
func relationOf(pid int) (relation, error) {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return relation{}, err
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 20 {
		return relation{}, fmt.Errorf("/proc/%d/stat has %d fields after the name, want 20 or more", pid, len(fields))
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return relation{}, fmt.Errorf("/proc/%d/stat: parent: %w", pid, err)
	}
	start, err := strconv.ParseInt(fields[19], 10, 64)
	if err != nil {
		return relation{}, fmt.Errorf("/proc/%d/stat: start time: %w", pid, err)
	}
	return relation{pid, parent, fields[0][0], start}, nil
}

// ancestry bounds how many generations are looked at.
const ancestry = 256

// BelowCycleOf reports whether this process descends from the cycle that started the process of that pid and start time: from that very
// process, or as an orphan of it, which the cycle adopts. Where the system hides other users' processes it does not.
func BelowCycleOf(pid int, start int64) bool {
	child, err := relationOf(pid)
	if err != nil || child.start != start {
		return false
	}
	at := os.Getpid()
	for range ancestry {
		if at <= 1 {
			break
		}
		if at == child.parent || at == pid {
			return true
		}
		r, err := relationOf(at)
		if err != nil {
			break
		}
		at = r.parent
	}
	return false
}

// directChildren are ours, zombies too, less the strangers, from where the kernel lists them or else by a walk.
func directChildren(strangers map[int]bool) []int {
	lists, err := filepath.Glob("/proc/self/task/[0-9]*/children")
	var found []int
	for _, path := range lists {
		text, readErr := os.ReadFile(path)
		err = errors.Join(err, readErr)
		for _, field := range strings.Fields(string(text)) {
			if pid, convErr := strconv.Atoi(field); convErr == nil && !strangers[pid] {
				found = append(found, pid)
			}
		}
	}
	if err == nil && len(lists) > 0 {
		return found
	}
	for pid := range children() {
		if !strangers[pid] {
			found = append(found, pid)
		}
	}
	return found
}

// children are our direct ones, by a walk.
func children() map[int]bool {
	found := map[int]bool{}
	if childless() {
		return found
	}
	all, err := relations()
	if err != nil {
		return found
	}
	for _, r := range all {
		if r.parent == os.Getpid() {
			found[r.pid] = true
		}
	}
	return found
}

// descendants are all processes below us that are alive and not below a stranger.
func descendants(strangers map[int]bool) ([]int, error) {
	all, err := relations()
	if err != nil {
		return nil, err
	}
	below := map[int][]relation{}
	for _, r := range all {
		below[r.parent] = append(below[r.parent], r)
	}
	var found []int
	var walk func(parent int)
	walk = func(parent int) {
		for _, r := range below[parent] {
			if strangers[r.pid] {
				continue
			}
			if !r.dead() {
				found = append(found, r.pid)
			}
			walk(r.pid)
		}
	}
	walk(os.Getpid())
	return found, nil
}

// Identify returns what names the process beyond the reuse of its pid.
func Identify(pid int) (ProcessID, error) {
	r, err := relationOf(pid)
	if err != nil {
		return ProcessID{}, fmt.Errorf("identify process %d: %w", pid, err)
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ProcessID{}, fmt.Errorf("read the kernel's boot id: %w", err)
	}
	return ProcessID{PID: pid, Start: r.start, BootID: strings.TrimSpace(string(boot))}, nil
}

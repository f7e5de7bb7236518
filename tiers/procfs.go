package tiers

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/clock"
	"github.com/claudeops/claudeops/internal/procfs"
)

// childless reports whether this process has no child at all, which is the usual case and saves the walk through /proc.
func childless() bool {
	return errors.Is(unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil), unix.ECHILD)
}

// BelowCycleOf reports whether this process descends from the cycle that started the process of that pid and start time: from that very
// process, or as an orphan of it, which the cycle adopts. Where the system hides other users' processes it does not.
func BelowCycleOf(pid int, start int64) bool {
	child, err := procfs.Read(pid)
	if err != nil || child.Start != start {
		return false
	}
	self := os.Getpid()
	below := func(of int) bool { return of == self || procfs.Descends(self, of) }
	return below(pid) || child.Parent > 1 && below(child.Parent)
}

// children are our direct ones, zombies too, but for others, from where the kernel lists them or else by a walk. While one ends, the kernel's
// list may lack another.
func children(others map[int]bool) map[int]bool {
	found := map[int]bool{}
	if childless() {
		return found
	}
	lists, err := filepath.Glob("/proc/self/task/[0-9]*/children")
	for _, path := range lists {
		text, readErr := os.ReadFile(path)
		err = errors.Join(err, readErr)
		for _, field := range strings.Fields(string(text)) {
			if pid, convErr := strconv.Atoi(field); convErr == nil && !others[pid] {
				found[pid] = true
			}
		}
	}
	if err == nil && len(lists) > 0 {
		return found
	}
	return childrenByWalk(others)
}

// childrenByWalk are the same, and no living one is missing.
func childrenByWalk(others map[int]bool) map[int]bool {
	found := map[int]bool{}
	if childless() {
		return found
	}
	all, _ := procfs.Below(others) // without /proc there is no telling
	for _, p := range all {
		if p.Parent == os.Getpid() {
			found[p.PID] = true
		}
	}
	return found
}

// descendants are all processes below us that are alive, but for others and what descends from them.
func descendants(others map[int]bool) (pids []int, err error) {
	all, err := procfs.Below(others)
	for _, p := range all {
		if !p.Dead() {
			pids = append(pids, p.PID)
		}
	}
	return pids, err
}

// Identify returns what names the process beyond the reuse of its pid.
func Identify(pid int) (ProcessID, error) {
	r, err := procfs.Read(pid)
	if err != nil {
		return ProcessID{}, fmt.Errorf("identify process %d: %w", pid, err)
	}
	return ProcessID{PID: pid, Start: r.Start, BootID: clock.BootID()}, nil
}

package tiers

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/procfs"
)

// childless reports whether this process has no children at all. This is the usual case, and saves a walk through /proc.
func childless() bool {
	return errors.Is(unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil), unix.ECHILD)
}

// children returns the direct children of this process, including zombies, except others. It uses the kernel's list, or a walk if there
// is none. While one child exits, the kernel's list may miss another.
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

// childrenByWalk is like children, but misses no live child.
func childrenByWalk(others map[int]bool) map[int]bool {
	found := map[int]bool{}
	if childless() {
		return found
	}
	all, _ := procfs.Below(others) // without /proc, there is nothing to find
	for _, p := range all {
		if p.Parent == os.Getpid() {
			found[p.PID] = true
		}
	}
	return found
}

// descendants returns all live descendants of this process, except others and their descendants.
func descendants(others map[int]bool) (pids []int, err error) {
	all, err := procfs.Below(others)
	for _, p := range all {
		if !p.Dead() {
			pids = append(pids, p.PID)
		}
	}
	return pids, err
}

// Identify returns an identity of the process that survives the reuse of its pid.
func Identify(pid int) (ProcessID, error) {
	r, err := procfs.Read(pid)
	if err != nil {
		return ProcessID{}, fmt.Errorf("identify process %d: %w", pid, err)
	}
	return ProcessID{PID: pid, Start: r.Start, BootID: procfs.BootID()}, nil
}

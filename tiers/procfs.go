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

// processes lists all processes. What ends while it reads is left out.
func processes() ([]procfs.Process, error) {
	pids, err := pids()
	if err != nil {
		return nil, err
	}
	all := make([]procfs.Process, 0, len(pids))
	for _, pid := range pids {
		if r, err := procfs.Read(pid); err == nil {
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

// ancestry bounds how many generations are looked at.
const ancestry = 256

// BelowCycleOf reports whether this process descends from the cycle that started the process of that pid and start time: from that very
// process, or as an orphan of it, which the cycle adopts. Where the system hides other users' processes it does not.
func BelowCycleOf(pid int, start int64) bool {
	child, err := procfs.Read(pid)
	if err != nil || child.Start != start {
		return false
	}
	at := os.Getpid()
	for range ancestry {
		if at <= 1 {
			break
		}
		if at == child.Parent || at == pid {
			return true
		}
		r, err := procfs.Read(at)
		if err != nil {
			break
		}
		at = r.Parent
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
	all, err := processes()
	if err != nil {
		return found
	}
	for _, r := range all {
		if r.Parent == os.Getpid() {
			found[r.PID] = true
		}
	}
	return found
}

// descendants are all processes below us that are alive and not below a stranger.
func descendants(strangers map[int]bool) ([]int, error) {
	all, err := processes()
	if err != nil {
		return nil, err
	}
	below := map[int][]procfs.Process{}
	for _, r := range all {
		below[r.Parent] = append(below[r.Parent], r)
	}
	var found []int
	var walk func(parent int)
	walk = func(parent int) {
		for _, r := range below[parent] {
			if strangers[r.PID] {
				continue
			}
			if !r.Dead() {
				found = append(found, r.PID)
			}
			walk(r.PID)
		}
	}
	walk(os.Getpid())
	return found, nil
}

// Identify returns what names the process beyond the reuse of its pid.
func Identify(pid int) (ProcessID, error) {
	r, err := procfs.Read(pid)
	if err != nil {
		return ProcessID{}, fmt.Errorf("identify process %d: %w", pid, err)
	}
	return ProcessID{PID: pid, Start: r.Start, BootID: clock.BootID()}, nil
}

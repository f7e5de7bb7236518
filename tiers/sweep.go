package tiers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	sweepTerm = 2 * time.Second // from SIGTERM to SIGKILL
	sweepKill = 5 * time.Second // after SIGKILL; only a process that hangs in the kernel outlives it
	sweepTick = 5 * time.Millisecond
)

// maxEnviron bounds how much of a process's environment is searched for a run token.
const maxEnviron = 1 << 20

// sweep ends what the agent left behind. Orphans come to us, because we are the subreaper: whatever descends from us and is
// not of strangers is the agent's. It returns those that are still there after SIGKILL.
func sweep(strangers map[int]bool) ([]int, error) {
	if childless() {
		return nil, nil
	}
	return end(context.Background(), quarry{
		find: func(hurry bool) ([]int, error) {
			reap(strangers)
			if hurry {
				// A walk through /proc takes longer than a process needs that only forks and ends; its next body is our child at once.
				if pids := directChildren(strangers); len(pids) > 0 {
					return pids, nil
				}
			}
			return descendants(strangers)
		},
		// An empty walk is no proof: it may have missed a body each time. While one lives, we have a child.
		gone: func() bool { return childless() || len(strangers) > 0 && len(directChildren(strangers)) == 0 },
	})
}

// EndRuns ends every process of our user that carries one of the run tokens, wherever it was re-parented to (DESIGN.md §4
// "Recovery of a killed cycle"). It returns what it ended and what outlived even SIGKILL.
func EndRuns(ctx context.Context, tokens []string) (ended, survivors []int, err error) {
	if len(tokens) == 0 {
		return nil, nil, nil
	}
	seen := map[int]bool{}
	empty := 0
	survivors, err = end(ctx, quarry{
		find: func(bool) ([]int, error) {
			pids, err := carriers(tokens)
			for _, pid := range pids {
				if !seen[pid] {
					seen[pid] = true
					ended = append(ended, pid)
				}
			}
			return pids, err
		},
		gone: func() bool { empty++; return len(seen) == 0 || empty >= emptyWalks },
	})
	return ended, survivors, err
}

// emptyWalks is how many walks through /proc must find nothing once something was found.
const emptyWalks = 3

// quarry is what is to be ended. A find in a hurry may leave some out.
type quarry struct {
	find func(hurry bool) ([]int, error)
	gone func() bool // whether an empty find means that there is nothing
}

var errForks = errors.New("a process that the agent left behind forks faster than it can be ended")

// end sends SIGTERM, and after a while SIGKILL without a pause, until the quarry is gone.
func end(ctx context.Context, q quarry) (survivors []int, err error) {
	began := time.Now()
	tick := time.NewTicker(sweepTick)
	defer tick.Stop()
	termed := map[int]bool{}
	for {
		hurry := time.Since(began) > sweepTerm
		pids, err := q.find(hurry)
		switch {
		case err != nil:
			return nil, err
		case len(pids) == 0 && q.gone():
			return nil, nil
		case time.Since(began) > sweepTerm+sweepKill || ctx.Err() != nil:
			if len(pids) == 0 {
				return nil, errForks
			}
			return pids, nil
		case hurry:
			for _, pid := range pids {
				signal(pid, syscall.SIGKILL)
			}
			continue
		}
		for _, pid := range pids {
			if !termed[pid] {
				termed[pid] = true
				signal(pid, syscall.SIGTERM)
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// signal sends sig to a process that find has just named. One that ended meanwhile needs none, and one that may not be
// signalled is named as a survivor in the end.
func signal(pid int, sig syscall.Signal) {
	_ = syscall.Kill(pid, sig)
	if sig == syscall.SIGTERM {
		_ = syscall.Kill(pid, syscall.SIGCONT) // a stopped process gets its SIGTERM only then
	}
}

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
			if r.state != 'Z' && r.state != 'X' {
				found = append(found, r.pid)
			}
			walk(r.pid)
		}
	}
	walk(os.Getpid())
	return found, nil
}

// reap takes the exit statuses of orphans that came to us, so that they do not stay as zombies.
func reap(strangers map[int]bool) {
	for _, pid := range directChildren(strangers) {
		_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
	}
}

// carriers are the living processes of our user whose environment holds a run token.
func carriers(tokens []string) ([]int, error) {
	pids, err := pids()
	if err != nil {
		return nil, err
	}
	var found []int
	for _, pid := range pids {
		if pid != os.Getpid() && carries(pid, tokens) {
			found = append(found, pid)
		}
	}
	return found, nil
}

// carries reports whether a process has a run token: in its environment or, where that was cleared, as the limit that mark set.
// The environment of a zombie is empty, that of another user's unreadable.
func carries(pid int, tokens []string) bool {
	environ, err := readSome(pid, "environ")
	if err != nil {
		return false
	}
	for _, token := range tokens {
		if bytes.Contains(environ, []byte(RunTokenVariable+"="+token)) {
			return true
		}
	}
	if bytes.Contains(environ, []byte(RunTokenVariable+"=")) {
		return false // another session's
	}
	limits, err := readSome(pid, "limits")
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(limits)) {
		if fields := strings.Fields(strings.TrimPrefix(line, markLine)); strings.HasPrefix(line, markLine) && len(fields) > 1 {
			return slices.ContainsFunc(tokens, func(token string) bool { return fields[1] == strconv.FormatUint(markOf(token), 10) })
		}
	}
	return false
}

func readSome(pid int, name string) ([]byte, error) {
	f, err := os.Open(filepath.Join("/proc", strconv.Itoa(pid), name))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, maxEnviron))
	return text, errors.Join(err, f.Close())
}

// markLine begins the line of the mark in /proc/PID/limits.
const markLine = "Max msgqueue size"

// markOf turns a run token into a limit for POSIX message queues, in bytes: at most half of what Linux gives, and never the round
// figure of anybody else.
func markOf(token string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(token))
	return 200_000 + h.Sum64()%200_000
}

// mark makes a process, and all that it starts, known by something that no process without privileges can take off: a hard limit,
// lower than ours, of a resource that none of them uses. Where the kernel refuses, the token in the environment is all there is.
func mark(pid int, token string) {
	limit := markOf(token)
	_ = unix.Prlimit(pid, unix.RLIMIT_MSGQUEUE, &unix.Rlimit{Cur: limit, Max: limit}, nil)
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

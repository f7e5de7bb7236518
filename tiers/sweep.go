package tiers

import (
	"context"
	"errors"
	"maps"
	"slices"
	"syscall"
	"time"

	"github.com/claudeops/claudeops/internal/procfs"
)

const (
	sweepTerm = 2 * time.Second // from SIGTERM to SIGKILL
	sweepKill = 5 * time.Second // after SIGKILL; only a process that hangs in the kernel survives it
	sweepTick = 5 * time.Millisecond

	mostReaped = 1 << 16 // at once
)

// sweep ends what the agent left behind. Orphans become children of this process, because it is the subreaper: every descendant that is
// not in others is the agent's. It returns those that survived SIGKILL.
func sweep(others map[int]bool) ([]int, error) {
	if childless() {
		return nil, nil
	}
	return end(context.Background(), prey{
		others: others,
		find: func(hurry bool) ([]int, error) {
			reap(others)
			if hurry {
				// A process that only forks and exits is faster than a walk through /proc, but its successor becomes a direct child at once.
				if pids := children(others); len(pids) > 0 {
					return slices.Collect(maps.Keys(pids)), nil
				}
			}
			return descendants(others)
		},
		// An empty walk proves nothing, because it may miss such a process each time. While one lives, this process has a child.
		gone: func() bool { return childless() || len(others) > 0 && len(children(others)) == 0 },
	})
}

// EndRuns ends every process of the current user that carries one of the run tokens, whatever its parent (RULE "Recovery of a killed
// cycle"). It returns what it ended, and what survived SIGKILL.
func EndRuns(ctx context.Context, tokens []string) (ended, survivors []int, err error) {
	if len(tokens) == 0 {
		return nil, nil, nil
	}
	seen := map[int]int64{} // start times by pid
	empty := 0
	survivors, err = end(ctx, prey{
		find: func(bool) ([]int, error) {
			pids, err := carriers(tokens)
			for _, pid := range pids {
				if r, err := procfs.Read(pid); err == nil && seen[pid] != r.Start {
					seen[pid] = r.Start
					ended = append(ended, pid)
				}
			}
			// A process is pursued until it is dead, even if it no longer shows the token: while it dies, or as another user.
			for pid, start := range seen {
				if r, err := procfs.Read(pid); err == nil && r.Start == start && !r.Dead() && !slices.Contains(pids, pid) {
					pids = append(pids, pid)
				}
			}
			return pids, err
		},
		gone: func() bool { empty++; return len(seen) == 0 || empty >= emptyWalks },
	})
	return ended, survivors, err
}

// emptyWalks is how many consecutive walks through /proc must find nothing once something was found.
const emptyWalks = 3

// prey describes what to end. With hurry, find may miss some.
type prey struct {
	find func(hurry bool) ([]int, error)
	gone func() bool // whether an empty find means that nothing is left

	others map[int]bool // processes whose groups are spared
}

var errForks = errors.New("a process that the agent left behind forks faster than it can be ended")

// end sends SIGTERM, and after sweepTerm SIGKILL repeatedly, until the prey is gone.
func end(ctx context.Context, q prey) (survivors []int, err error) {
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
				killGroup(pid, q.others)
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

// signal sends sig to a process that find has just returned. If it has ended there is nothing to do, and if it may not be signalled, end
// reports it as a survivor.
func signal(pid int, sig syscall.Signal) {
	_ = syscall.Kill(pid, sig)
	if sig == syscall.SIGTERM {
		_ = syscall.Kill(pid, syscall.SIGCONT) // a stopped process handles SIGTERM only after SIGCONT
	}
}

// killGroup kills the whole process group of a process that find has returned: on a busy machine, processes that only fork and exit
// cannot be caught one by one. A group with a live leader is spared, because the process may have joined it from outside. So are the
// groups of this process and of others.
func killGroup(pid int, others map[int]bool) {
	group, err := syscall.Getpgid(pid)
	if err != nil || group <= 1 || group == syscall.Getpgrp() {
		return
	}
	for other := range others {
		if its, err := syscall.Getpgid(other); err == nil && its == group {
			return
		}
	}
	r, err := procfs.Read(group)
	if group == pid || err == nil && r.Dead() || errors.Is(syscall.Kill(group, 0), syscall.ESRCH) {
		_ = syscall.Kill(-group, syscall.SIGKILL)
	}
}

// reap collects the exit statuses of orphans, so that they do not remain as zombies. An endless fork leaves thousands of them, for which
// listing first would be too slow.
func reap(others map[int]bool) {
	if len(others) == 0 {
		for range mostReaped {
			if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); pid <= 0 && !errors.Is(err, syscall.EINTR) {
				return
			}
		}
		return
	}
	for pid := range children(others) {
		_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
	}
}

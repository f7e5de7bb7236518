package tiers

import (
	"bytes"
	"errors"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/procfs"
)

// maxEnviron bounds how much of a process's environment is searched for a run token.
const maxEnviron = 1 << 20

// carriers are the living processes of our user that carry a run token.
func carriers(tokens []string) (pids []int, err error) {
	all, err := procfs.All()
	for _, p := range all {
		if p.PID != os.Getpid() && carries(p.PID, tokens) {
			pids = append(pids, p.PID)
		}
	}
	return pids, err
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

// markWalks bounds how often what the agent has started before it was marked is looked for.
const markWalks = 100

// mark makes the agent's process, and all that it starts, known by something that no process without privileges can take off: a hard
// limit, lower than this process's, of a resource that none of them uses. On a busy machine the agent may have started others before: they are
// marked until a walk finds none without. Where the kernel refuses, the token in the environment is all there is.
func mark(agent int, token string, others map[int]bool) {
	limit := unix.Rlimit{Cur: markOf(token), Max: markOf(token)}
	fresh := func(pid int) bool {
		var had unix.Rlimit
		return unix.Prlimit(pid, unix.RLIMIT_MSGQUEUE, &limit, &had) == nil && had != limit
	}
	fresh(agent)
	for range markWalks {
		pids, _ := descendants(others) // without /proc there is nothing to be known by
		if len(slices.DeleteFunc(pids, func(pid int) bool { return !fresh(pid) })) == 0 {
			return
		}
	}
}

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

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/procfs"
)

// maxEnviron limits how much of a process's environment is searched for a run token, in bytes.
const maxEnviron = 1 << 20

// carriers returns the live processes of the current user that carry a run token.
func carriers(tokens []string) (pids []int, err error) {
	all, err := procfs.All()
	for _, p := range all {
		if p.PID != os.Getpid() && carries(p.PID, tokens) {
			pids = append(pids, p.PID)
		}
	}
	return pids, err
}

// carries reports whether a process has a run token: in its environment or, if that was cleared, as the limit that mark has set. The
// environment of a zombie is empty, and that of another user's process is unreadable.
func carries(pid int, tokens []string) bool {
	environ, err := readSome(pid, "environ")
	if err != nil {
		return false
	}
	for _, token := range tokens {
		if bytes.Contains(environ, []byte(config.RunTokenVariable+"="+token)) {
			return true
		}
	}
	if bytes.Contains(environ, []byte(config.RunTokenVariable+"=")) {
		return false // the token of another session
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

// markLine is the start of the line with the mark in /proc/PID/limits.
const markLine = "Max msgqueue size"

// markOf derives from a run token a limit for POSIX message queues, in bytes: at most half of Linux's default, and not a round number
// that others might use.
func markOf(token string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(token))
	return 200_000 + h.Sum64()%200_000
}

// markWalks limits how often mark searches for processes that the agent started before it was marked.
const markWalks = 100

// mark sets a hard limit on the agent's process, which its children inherit. It is lower than this process's limit, and on a resource
// that none of them uses, so no unprivileged process can remove it. On a busy machine the agent may already have started others: they are
// marked until a walk finds none without the mark. If the kernel refuses, only the token in the environment remains.
func mark(agent int, token string, others map[int]bool) {
	limit := unix.Rlimit{Cur: markOf(token), Max: markOf(token)}
	fresh := func(pid int) bool {
		var had unix.Rlimit
		return unix.Prlimit(pid, unix.RLIMIT_MSGQUEUE, &limit, &had) == nil && had != limit
	}
	fresh(agent)
	for range markWalks {
		pids, _ := descendants(others) // without /proc there are no marks to read either
		if len(slices.DeleteFunc(pids, func(pid int) bool { return !fresh(pid) })) == 0 {
			return
		}
	}
}

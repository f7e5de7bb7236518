package shim

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/claudeops/claudeops/internal/procfs"
)

// descendants are the processes of the call: all that fell to this one, however deep.
func descendants() ([]procfs.Process, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	children := map[int][]procfs.Process{}
	for _, entry := range entries {
		if pid, err := strconv.Atoi(entry.Name()); err == nil {
			if p, err := procfs.Read(pid); err == nil { // else it has ended
				children[p.Parent] = append(children[p.Parent], p)
			}
		}
	}
	all := children[os.Getpid()]
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i].PID]...)
	}
	return all, nil
}

// tasks is how many threads the processes have. One that has ended and was not waited for counts as one.
func tasks(list []procfs.Process) int {
	n := 0
	for _, p := range list {
		n += max(p.Threads, 1)
	}
	return n
}

// memory is how many bytes a process has that no file backs, and its page tables; precise is slower, and divides what several processes share.
func memory(pid int, precise bool) int64 {
	if !precise {
		total, _ := bytesOf(pid, "status", "RssAnon:", "RssShmem:", "VmSwap:", "VmPTE:")
		return total
	}
	total, err := bytesOf(pid, "smaps_rollup", "Pss_Anon:", "Pss_Shmem:", "SwapPss:")
	if errors.Is(err, os.ErrPermission) {
		return memory(pid, false)
	}
	tables, _ := bytesOf(pid, "status", "VmPTE:")
	return total + tables
}

// bytesOf adds up what a file of /proc says of a process: none of one that has ended. Where its first thread has, another is looked at.
func bytesOf(pid int, file string, fields ...string) (total int64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
	if !strings.Contains(string(text), fields[0]) && !errors.Is(err, os.ErrPermission) {
		threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/%s", pid, file))
		for i := 0; i < len(threads) && !strings.Contains(string(text), fields[0]); i++ {
			text, err = os.ReadFile(threads[i])
		}
	}
	return bytesIn(string(text), fields...), err
}

// bytesIn adds up fields of a text of /proc, each a line such as "VmSwap: 4 kB".
func bytesIn(text string, fields ...string) (total int64) {
	for line := range strings.Lines(text) {
		for _, name := range fields {
			if rest, found := strings.CutPrefix(line, name); found {
				kilobytes, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
				total += kilobytes << 10
			}
		}
	}
	return total
}

// isDescendant says whether a process is one of the call's: whether its parents lead here.
func isDescendant(pid int) bool {
	for range 1 << 16 { // deeper than any tree; a cycle is possible only while processes end and their numbers come again
		p, err := procfs.Read(pid)
		if err != nil || p.Parent == 0 {
			return false
		}
		if p.Parent == os.Getpid() {
			return true
		}
		pid = p.Parent
	}
	return false
}

package shim

import (
	"errors"
	"fmt"
	"os"
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

// memory is how many bytes a process has that no file backs; precise is slower, and divides what several processes share.
func memory(pid int, precise bool) (total int64) {
	file, fields := "status", []string{"RssAnon:", "RssShmem:", "VmSwap:"}
	if precise {
		file, fields = "smaps_rollup", []string{"Pss_Anon:", "Pss_Shmem:", "SwapPss:"}
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
	if errors.Is(err, os.ErrPermission) && precise {
		return memory(pid, false)
	}
	for line := range strings.Lines(string(text)) { // none of a process that has ended
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

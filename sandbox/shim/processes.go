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

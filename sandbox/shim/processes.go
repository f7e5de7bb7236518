package shim

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// memory returns the bytes of a process that no file backs, and of its page tables. precise is slower, and divides shared memory among
// the processes.
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

// bytesOf adds up fields of a /proc file of a process; 0 if the process has ended. If only its first thread has ended, another thread's
// file is read.
func bytesOf(pid int, file string, fields ...string) (total int64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
	if !strings.Contains(string(text), fields[0]) && !errors.Is(err, os.ErrPermission) {
		threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/%s", pid, file))
		for i := 0; i < len(threads) && !strings.Contains(string(text), fields[0]); i++ {
			text, err = os.ReadFile(threads[i])
		}
	}
	for line := range strings.Lines(string(text)) { // such as "VmSwap: 4 kB"
		for _, name := range fields {
			if rest, found := strings.CutPrefix(line, name); found {
				kilobytes, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
				total += kilobytes << 10
			}
		}
	}
	return total, err
}

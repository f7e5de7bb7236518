package sandbox

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/procfs"
)

// endMarked ends the processes of a call whose shim has been killed. They carry its mark. They cannot start others, because the shim no
// longer answers their forks.
func endMarked(mark uint64) error {
	deadline := time.Now().Add(grace)
	for {
		found, err := killMarked(mark)
		if err != nil || found == 0 {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%d processes that it left do not end", found)
		}
		time.Sleep(10 * time.Millisecond) // they are not child processes, so nothing reports their end
	}
}

// killMarked kills the processes that carry a mark, and returns how many there were.
func killMarked(mark uint64) (found int, err error) {
	all, err := procfs.All()
	if err != nil {
		return 0, err
	}
	want := strconv.FormatUint(mark, 10)
	for _, p := range all {
		// Open a pidfd before checking the process, so that the signal cannot hit another process with a reused number.
		process, err := unix.PidfdOpen(p.PID, 0)
		if errors.Is(err, unix.ESRCH) || errors.Is(err, unix.EINVAL) {
			continue // it has ended; before Linux 6.16 the error is EINVAL if its process group still exists
		}
		if err != nil {
			return 0, fmt.Errorf("look at process %d: %w", p.PID, err)
		}
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", p.PID))
		if err == nil && strings.Contains(string(text), want) && !ended(process) {
			found++
			err = unix.PidfdSendSignal(process, unix.SIGKILL, nil, 0)
		}
		_ = unix.Close(process)
		if err != nil && !errors.Is(err, unix.ESRCH) && !errors.Is(err, os.ErrNotExist) {
			return 0, fmt.Errorf("end process %d: %w", p.PID, err)
		}
	}
	return found, nil
}

// ended reports whether a process has ended, reaped or not.
func ended(process int) bool {
	n, err := unix.Poll([]unix.PollFd{{Fd: int32(process), Events: unix.POLLIN}}, 0)
	return err == nil && n > 0
}

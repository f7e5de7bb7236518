package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// endMarked ends the processes of a call whose shim has been killed: they carry its mark, and can make no others, because nobody answers
// them any more.
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
		time.Sleep(10 * time.Millisecond) // nobody says when a stranger's child has ended
	}
}

// killMarked kills what carries a mark, and says how many processes did.
func killMarked(mark uint64) (found int, err error) {
	limits, err := filepath.Glob("/proc/[0-9]*/limits")
	if err != nil {
		return 0, err
	}
	want := strconv.FormatUint(mark, 10)
	for _, file := range limits {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			return 0, err
		}
		// Opened before it is looked at, so that the signal cannot meet another process of that number.
		process, err := unix.PidfdOpen(pid, 0)
		if errors.Is(err, unix.ESRCH) || errors.Is(err, unix.EINVAL) {
			continue // it has ended, or is a thread
		}
		if err != nil {
			return 0, fmt.Errorf("look at process %d: %w", pid, err)
		}
		text, err := os.ReadFile(file)
		if err == nil && strings.Contains(string(text), want) && !ended(process) {
			found++
			err = unix.PidfdSendSignal(process, unix.SIGKILL, nil, 0)
		}
		_ = unix.Close(process)
		if err != nil && !errors.Is(err, unix.ESRCH) && !errors.Is(err, os.ErrNotExist) {
			return 0, fmt.Errorf("end process %d: %w", pid, err)
		}
	}
	return found, nil
}

// ended says whether a process has, be it reaped or not.
func ended(process int) bool {
	n, err := unix.Poll([]unix.PollFd{{Fd: int32(process), Events: unix.POLLIN}}, 0)
	return err == nil && n > 0
}

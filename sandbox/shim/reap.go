package shim

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/procfs"
)

// end ends the call, because of a limit or for another reason: new processes are refused and the command is killed. reapAll ends the
// descendants.
func (s *supervisor) end(limit string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending {
		return
	}
	s.ending, s.limit = true, limit
	_ = unix.PidfdSendSignal(s.command, unix.SIGKILL, nil, 0) // it may have ended
}

// reap waits for children until the command has ended, and returns its exit status.
func (s *supervisor) reap(command int) (int, error) {
	for {
		var status unix.WaitStatus
		pid, err := unix.Wait4(-1, &status, 0, nil)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		switch {
		case err != nil:
			return 0, fmt.Errorf("wait for the command: %w", err)
		case pid == command && status.Signaled():
			return 128 + int(status.Signal()), nil
		case pid == command:
			return status.ExitStatus(), nil
		}
	}
}

// reapAll kills and waits for every descendant. Forks are refused by now, and the children of an ended process become children of this
// one.
func reapAll() error {
	for {
		pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
		switch {
		case errors.Is(err, unix.ECHILD):
			return nil
		case err != nil && !errors.Is(err, unix.EINTR):
			return fmt.Errorf("wait for the processes that the command left: %w", err)
		case pid > 0:
			continue
		}
		all, err := procfs.Below(nil)
		if err != nil {
			return err
		}
		for _, p := range all {
			if p.Parent == os.Getpid() { // only this loop reaps, so the number still belongs to the child
				_ = unix.Kill(p.PID, unix.SIGKILL)
			}
		}
		_, _ = unix.Wait4(-1, nil, 0, nil)
	}
}

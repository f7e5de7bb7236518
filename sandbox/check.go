package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/child"
	"github.com/claudeops/claudeops/sandbox/shim"
)

// ErrMissing is wrapped by errors which say that the kernel, or the container that claudeops runs in, cannot confine commands. An error
// that does not wrap it says nothing of the kernel.
var ErrMissing = errors.New("this machine cannot confine commands")

// FindShim returns the path of the shim: in the directory of the running program, or in PATH.
func FindShim() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find the sandbox's shim: %w", err)
	}
	if file, found := child.Find(shim.Name, filepath.Dir(self)+":"+os.Getenv("PATH")); found {
		return file, nil
	}
	return "", fmt.Errorf("find the sandbox's shim: no %s beside %s or in PATH; install it there", shim.Name, self)
}

// checkTime is longer than an empty command takes on any working machine.
const checkTime = 30 * time.Second

// Check runs a command in a sandbox without any access. An error says what is missing, and what to do.
func Check(ctx context.Context, shimProgram string) error {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	domain, err := New(shimProgram, Access{})
	if err != nil {
		return err
	}
	defer func() { _ = domain.Close() }()
	reached := false
	command := Command{Argv: []string{domain.shim, "check"}, Connect: func(conn *net.UnixConn) { reached = conn.Close() == nil }}
	if _, err := domain.Run(ctx, command); err != nil {
		return err
	}
	if !reached {
		return fmt.Errorf("%w: a socket that means the broker did not arrive; let the unit's RestrictAddressFamilies= hold AF_UNIX", ErrMissing)
	}
	return nil
}

// missing returns the error for a failed step of confining or starting a command: why it failed, and what to do.
func missing(step string, errno error) error {
	var why, what string
	switch {
	case step == shim.StepStart, step == shim.StepLimits: // an error of the call, not of the machine
		return fmt.Errorf("%s: %w", step, errno)
	case errors.Is(errno, unix.ENOSYS):
		why, what = "the kernel has no Landlock", "use Linux 5.13 or later, built with CONFIG_SECURITY_LANDLOCK"
	case errors.Is(errno, unix.EOPNOTSUPP):
		why, what = "Landlock is switched off", "add landlock to the kernel's parameter lsm="
	case errors.Is(errno, unix.EBUSY):
		why, what = "another program supervises system calls already", "do not run claudeops in another sandbox, or in a container whose system calls are intercepted (LXC)"
	case errors.Is(errno, unix.EPERM), errors.Is(errno, unix.EACCES):
		why, what = "the container or unit forbids it", "permit landlock_create_ruleset, landlock_add_rule, landlock_restrict_self and seccomp in its seccomp profile or SystemCallFilter="
	default:
		return fmt.Errorf("%s: %w", step, errno)
	}
	return fmt.Errorf("%w: %s: %s (%w); %s", ErrMissing, step, why, errno, what)
}

package probe

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/child"
)

// ended is the result of a program.
type ended struct {
	child.Result
	late    bool // it was killed because ctx ended
	flooded bool // it was killed because it wrote more than child.DefaultMax
}

// run runs a program until it ends or ctx does, and keeps keep bytes of its output; 0 means child.DefaultKeep. command starts with the
// program's path, or its name in the environment's PATH. The error says why it could not be run.
func run(ctx context.Context, environ []string, keep int, command ...string) (ended, error) {
	if len(command) == 0 || command[0] == "" {
		return ended{}, errors.New("no command is given")
	}
	path := command[0]
	if !strings.Contains(path, "/") {
		var found bool
		search := config.Lookup(environ, "PATH")
		if path, found = child.Find(path, search); !found {
			return ended{}, fmt.Errorf("there is no program %s in PATH (%s)", command[0], search)
		}
	}
	cmd := &exec.Cmd{Path: path, Args: command, Env: append([]string{}, environ...)}
	result, err := child.Run(ctx, cmd, child.Limits{Within: time.Hour, Keep: keep}) // ctx ends before
	end := ended{Result: result, flooded: errors.Is(err, child.ErrTooMuchOutput)}
	end.late = errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
	var exit *child.ExitError
	failed := errors.As(err, &exit)
	if err == nil || end.late || end.flooded || failed && len(end.Stdout) > 0 {
		return end, nil
	}
	name, first := command[0], firstLineOf(path)
	interpreter, isScript := strings.CutPrefix(first, "#!")
	switch {
	case isScript && strings.HasSuffix(first, "\r"):
		return end, fmt.Errorf("%s cannot be started: its lines end with CR LF, as in Windows; mend it with `dos2unix`", name)
	case failed:
		return end, nil
	case errors.Is(err, os.ErrNotExist) && isScript:
		return end, fmt.Errorf("%s cannot be started: the interpreter that its first line names does not exist: %s", name, interpreter)
	case errors.Is(err, os.ErrNotExist) && first != "":
		return end, fmt.Errorf("%s cannot be started: it is built for a system with other libraries, and its loader does not exist", name)
	case errors.Is(err, os.ErrNotExist):
		return end, fmt.Errorf("there is no program %s", name)
	case errors.Is(err, os.ErrPermission):
		return end, fmt.Errorf("%s cannot be started: it is not executable for this user (permission denied)", name)
	case errors.Is(err, syscall.ENOEXEC):
		return end, fmt.Errorf("%s cannot be started: it is neither a program for this machine's processor, %s, nor a script with an interpreter in its first line",
			name, runtime.GOARCH)
	default:
		return end, fmt.Errorf("%s cannot be started: %s", name, plain(err))
	}
}

// firstLineOf returns the first line of a program, as much as the kernel reads of it; empty if there is none.
func firstLineOf(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	line, _ := bufio.NewReader(io.LimitReader(file, 256)).ReadString('\n')
	return strings.TrimSuffix(line, "\n")
}

// Output returns a program's output, at most maxBytes of it, and its exit status. The error says why it did not run to its end.
func Output(ctx context.Context, environ []string, maxBytes int, command ...string) (text []byte, exit int, err error) {
	end, err := run(ctx, environ, maxBytes, command...)
	switch {
	case err != nil:
		return nil, -1, err
	case end.late:
		return nil, -1, fmt.Errorf("%s did not end in time", command[0])
	case end.flooded:
		return nil, -1, fmt.Errorf("%s printed more than %d MiB", command[0], child.DefaultMax>>20)
	}
	return end.Stdout, end.Code, nil
}

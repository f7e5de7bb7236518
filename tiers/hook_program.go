package tiers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// HookProgramName is the program that does for a hook what claudeops does, and starts sooner.
const HookProgramName = "claudeops-hook"

// ErrNoHookProgram says that no claudeops-hook stands beside this program.
var ErrNoHookProgram = errors.New("no " + HookProgramName)

// FindHookProgram is the path of the program that an agent's hooks are to call: claudeops-hook, where it stands beside this very
// program and is of the same version. Otherwise the path is empty, which means this very program, and the error says why: it is
// ErrNoHookProgram where there is none, which is no fault.
//
// It keeps programs of two versions from working on one another's records, no more: whoever could put something else into that place
// could replace this program too. What is there and does not work grants no command, as if it were missing.
func FindHookProgram(ctx context.Context, version string) (string, error) {
	own, err := self()
	if err != nil {
		return "", err
	}
	path := filepath.Join(filepath.Dir(own), HookProgramName)
	if err := fitsAsHook(ctx, path, version); err != nil {
		return "", err
	}
	return path, nil
}

func fitsAsHook(ctx context.Context, path, version string) error {
	is, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w in %s", ErrNoHookProgram, filepath.Dir(path))
	}
	if err != nil {
		return err
	}
	if !is.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file", path)
	}
	if err := unix.Access(path, unix.X_OK); err != nil {
		return fmt.Errorf("%s cannot be executed: %w", path, err)
	}
	said, err := askVersion(ctx, path)
	if err != nil {
		return fmt.Errorf("%s version: %w", path, err)
	}
	switch words := strings.Fields(said); {
	case len(words) < 2 || words[0] != HookProgramName:
		return fmt.Errorf("%s is another program: it did not answer with its name and its version", path)
	case words[1] != version:
		return fmt.Errorf("%s is of version %s, and this program of %s", path, words[1], version)
	}
	return nil
}

// How long a program may take to tell its version, and how much it may say.
const (
	versionWithin = 5 * time.Second
	longestAnswer = 4 << 10
)

// askVersion has a program tell its version. It is given nothing of ours, neither the environment nor standard input, and nothing of
// it is left behind.
func askVersion(ctx context.Context, path string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, versionWithin, fmt.Errorf("no answer within %v", versionWithin))
	defer cancel()
	var said boundedText
	cmd := exec.CommandContext(ctx, path, "version")
	cmd.Env, cmd.Stdout = []string{}, &said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second // for one whose output somebody else holds
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case errors.Is(err, exec.ErrWaitDelay):
		return "", errors.Join(errors.New("it left something running that holds its output"), cmd.Cancel())
	case said.full:
		return "", fmt.Errorf("it said more than %d bytes", longestAnswer)
	}
	return said.text.String(), err
}

// boundedText takes longestAnswer bytes, and refuses more.
type boundedText struct {
	text bytes.Buffer
	full bool
}

func (b *boundedText) Write(p []byte) (int, error) {
	if b.text.Len()+len(p) > longestAnswer {
		b.full = true
		return 0, io.ErrShortWrite
	}
	return b.text.Write(p)
}

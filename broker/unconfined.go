package broker

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"github.com/claudeops/claudeops/internal/child"
	"github.com/claudeops/claudeops/sandbox/shim"
)

// unconfined runs a program that cannot work in a domain: one that needs the privileges of its file, as crontab and ping do, or a
// capability of root. Its working directory is /, because nothing would keep it from reading another one. Where no program is in a domain,
// it is the caller's: no agent writes there.
func (r Runner) unconfined(ctx context.Context, p Program) (exit int, err error) {
	dir := "/"
	if r.Shim == "" {
		dir = p.Dir
	}
	return finish(ctx, &exec.Cmd{Path: p.File, Args: p.Argv, Env: with(r.Environ, p.Env), Dir: dir, Stdout: p.Stdout, Stderr: p.Stderr})
}

// finish runs a program until it and its descendants have ended, or ctx has ended them, and returns its exit status.
func finish(ctx context.Context, cmd *exec.Cmd) (exit int, err error) {
	ended := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // child.Start requires it
		defer runtime.UnlockOSThread()
		group, err := child.Start(cmd)
		if err != nil {
			ended <- err
			return
		}
		defer context.AfterFunc(ctx, group.Kill)()
		ended <- group.Wait(cmd, nil)
	}()
	select {
	case err = <-ended:
	case <-ctx.Done():
		select {
		case err = <-ended:
		case <-time.After(gracePeriod): // what a set-id program runs cannot be signalled
			return shim.ExitRefused, fmt.Errorf("%s runs on as another user, and cannot be ended", cmd.Args[0])
		}
	}
	if cmd.ProcessState == nil { // it did not start
		return shim.ExitRefused, err
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) || errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	err = unlessUnread(err)
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() {
		return 128 + int(status.Signal()), err
	}
	return cmd.ProcessState.ExitCode(), err
}

package wrapper

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/hooks"
)

// How long the wrapper waits for the system to have room for what a hook takes: the pauses double, and come to 310 ms.
const (
	firstPause = 10 * time.Millisecond
	lastPause  = 160 * time.Millisecond
)

// scarce reports whether the system, or the user, is short of processes, files or memory.
func scarce(err error) bool {
	return errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}

// patiently calls f again for a while where something is scarce.
func patiently(ctx context.Context, f func() error) error {
	for pause := firstPause; ; pause *= 2 {
		err := f()
		if err == nil || !scarce(err) || pause > lastPause {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return err
		}
	}
}

// replaceable reports whether the hook, for which there is no room beside this process, can take its place: without the wrapper it
// would have been started.
func (p *process) replaceable(why error) bool {
	r := p.runner
	ours := r.Stdin == os.Stdin && r.Stdout == io.Writer(os.Stdout) && r.Stderr == io.Writer(os.Stderr)
	return scarce(why) && ours && !p.denyOnly && !p.handedOn && len(p.in.pending) <= pipeAtom && (len(p.in.pending) == 0 || p.in.complete())
}

// replace has the hook take the place of this process, and nothing of the call counts: how the hook ends is not seen. It returns where
// that cannot be done.
func (p *process) replace(why error, begun *hooks.Begun) {
	r := p.runner
	r.fault(p.cmd.Key, fmt.Sprintf("%v; the hook runs in the place of the wrapper, and how it ends is not seen", why))
	if err := begun.Withdraw(); err != nil {
		r.fault(p.cmd.Key, err)
	}
	if len(p.in.pending) > 0 && p.inputAgain() != nil {
		return
	}
	_ = asShell(p.cmd.Args, r.Environ, func(path string, args []string) error { return syscall.Exec(path, args, r.Environ) })
}

// inputAgain makes standard input what it was before it was read.
func (p *process) inputAgain() error {
	var ends [2]int
	if err := unix.Pipe(ends[:]); err != nil {
		return err
	}
	_, err := unix.Write(ends[1], p.in.pending) // a pipe that is empty takes that much at once
	err = errors.Join(err, unix.Close(ends[1]))
	if err == nil {
		err = unix.Close(0)
	}
	if err == nil {
		_, err = unix.FcntlInt(uintptr(ends[0]), unix.F_DUPFD, 0) // the lowest that is free
	}
	return errors.Join(err, unix.Close(ends[0]))
}

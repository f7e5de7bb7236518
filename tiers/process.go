package tiers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// drain is how long the agent's pipes may stay open once everything that could hold them has been ended.
const drain = 10 * time.Second

// process is a started agent and the two pipes that it writes to. It is owned by Run: ended, waited for and swept there.
type process struct {
	cmd            *exec.Cmd
	stdout, stderr *os.File
	strangers      map[int]bool // our children from before the start, which are none of the agent's
	ended          chan struct{}
	id             ProcessID
	idErr          error
	waitErr        error // where the process could not be waited for; known once ended is closed
}

// start runs cmd with its output on pipes. The agent gets SIGINT when the thread that started it dies, so that thread is kept
// until the agent has ended.
func start(cmd *exec.Cmd, token string) (*process, error) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("become the reaper of the agent's orphans: %w", err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe for the agent: %w", err)
	}
	errR, errW, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make a pipe for the agent: %w", err), outR.Close(), outW.Close())
	}
	cmd.Stdout, cmd.Stderr = outW, errW
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGINT}
	p := &process{cmd: cmd, stdout: outR, stderr: errR, strangers: children(), ended: make(chan struct{})}

	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		if err == nil {
			mark(cmd.Process.Pid, token, p.strangers)
			p.id, p.idErr = Identify(cmd.Process.Pid) // before Wait: afterwards there may be no such process
		}
		started <- err
		if err == nil {
			var exit *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exit) {
				p.waitErr = err
			}
		}
		close(p.ended)
	}()
	err = <-started
	if closing := errors.Join(outW.Close(), errW.Close()); err == nil && closing != nil {
		err = closing
	}
	if err != nil {
		return nil, errors.Join(err, outR.Close(), errR.Close())
	}
	return p, nil
}

// await waits for the process to end; once ctx is done it stops it: SIGINT, SIGTERM, SIGKILL, with grace between them.
// The agent program answers SIGINT with a result and ends its commands; SIGTERM and SIGKILL leave them running. It returns why it
// stopped the process, nil where that ended by itself.
func (p *process) await(ctx context.Context, grace time.Duration) error {
	select {
	case <-p.ended:
		return nil
	case <-ctx.Done():
	}
	p.stop(grace)
	return context.Cause(ctx)
}

func (p *process) stop(grace time.Duration) {
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		// A process that ended meanwhile cannot be signalled, which is what was wanted.
		if err := p.cmd.Process.Signal(sig); errors.Is(err, os.ErrProcessDone) {
			break
		}
		select {
		case <-p.ended:
			return
		case <-time.After(grace):
		}
	}
	<-p.ended
}

// exitCode is the process's own, or -1 where a signal ended it.
func (p *process) exitCode() (code int, signal syscall.Signal) {
	if p.cmd.ProcessState == nil {
		return -1, 0
	}
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return -1, status.Signal()
	}
	return p.cmd.ProcessState.ExitCode(), 0
}

// tail keeps the end of what is written to it.
type tail struct {
	max int
	buf []byte
}

func (t *tail) read(r io.Reader) error {
	chunk := make([]byte, 16<<10)
	for {
		n, err := r.Read(chunk)
		t.buf = append(t.buf, chunk[:n]...)
		if over := len(t.buf) - t.max; over > 0 {
			t.buf = append(t.buf[:0], t.buf[over:]...)
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("read the agent's standard error: %w", err)
		}
	}
}

// undumpable keeps other processes of our user, the agent's among them, from reading our memory and environment while the
// agent runs. It returns the way back.
func undumpable() (restore func() error, err error) {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("close this process's memory to the agent: %w", err)
	}
	return func() error {
		if err := unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0); err != nil {
			return fmt.Errorf("make this process dumpable again: %w", err)
		}
		return nil
	}, nil
}

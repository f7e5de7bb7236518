package tiers

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/child"
)

// drain limits how long the agent's pipes may stay open once everything that could hold them has been ended.
const drain = 10 * time.Second

// process is a started agent.
type process struct {
	cmd    *exec.Cmd
	others map[int]bool // children of this process from before the start
	id     ProcessID
	idErr  error
	ended  chan struct{} // closed once the agent has ended; then state and waitErr are set
	state  *os.ProcessState
	// waitErr is set if waiting for the process failed.
	waitErr error
}

// start starts cmd. The agent gets SIGINT when the thread that started it dies, so the thread is kept until the agent has ended.
func start(cmd *exec.Cmd, token string) (*process, error) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("become the reaper of the agent's orphans: %w", err)
	}
	cmd.WaitDelay = drain
	p := &process{cmd: cmd, others: childrenByWalk(nil), ended: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		defer close(p.ended)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if _, err := child.StartUntil(cmd, syscall.SIGINT); err != nil {
			started <- err
			return
		}
		mark(cmd.Process.Pid, token, p.others)
		p.id, p.idErr = Identify(cmd.Process.Pid) // before Wait, because the process may not exist afterwards
		started <- nil
		p.state, p.waitErr = cmd.Process.Wait()
	}()
	return p, <-started
}

// await waits for the process to end. Once ctx is done it stops the process with SIGINT, SIGTERM and SIGKILL, with grace between them.
// The agent program answers SIGINT with a result and ends its commands; after SIGTERM and SIGKILL they keep running. await returns why it
// stopped the process; nil if that ended by itself.
func (p *process) await(ctx context.Context, grace time.Duration) error {
	select {
	case <-p.ended:
		return nil
	case <-ctx.Done():
	}
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		_ = p.cmd.Process.Signal(sig) // it may have ended
		select {
		case <-p.ended:
			return context.Cause(ctx)
		case <-time.After(cmp.Or(grace, DefaultGrace)):
		}
	}
	<-p.ended
	return context.Cause(ctx)
}

// exitCode returns the process's exit code, or -1 if a signal ended it.
func (p *process) exitCode() (code int, signal syscall.Signal) {
	if p.state == nil {
		return -1, 0
	}
	if status, ok := p.state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return -1, status.Signal()
	}
	return p.state.ExitCode(), 0
}

// tail keeps the end of what is written to it.
type tail struct {
	max int
	buf []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.buf = append(t.buf, p...)
	t.buf = t.buf[max(0, len(t.buf)-t.max):]
	return len(p), nil
}

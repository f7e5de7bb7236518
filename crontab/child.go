package crontab

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"github.com/claudeops/claudeops/internal/child"
)

// drain is how long Wait continues to read the output of an ended cycle, if it does not go directly to a file or a pipe.
const drain = 5 * time.Second

// Program is a program that runs one cycle. Its Start is the Runner's Start.
type Program struct {
	Path     string   // absolute
	Args     []string // without the program's name
	Env      []string // nil means this process's own
	Out, Err io.Writer
}

// Start starts the program in its own process group, so that Ctrl-C on the terminal reaches it only once, from the Runner. If this
// process is killed, the kernel sends SIGTERM to the program: a user who kills the visible process expects nothing to continue on the
// machine, and the cycle ends in order, with its agent stopped and its records written.
func (p *Program) Start() (Process, error) {
	cmd := exec.Command(p.Path, p.Args...)
	cmd.Env, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = p.Env, p.Out, p.Err, drain
	r := &running{cmd: cmd, ended: make(chan Exit, 1)}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // the kernel sends the signal when the thread that started the program ends
		defer runtime.UnlockOSThread()
		var err error
		r.group, err = child.StartUntil(cmd, syscall.SIGTERM)
		started <- err
		if err == nil {
			r.ended <- exitOf(cmd, r.group.Wait(cmd, nil))
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", p.Path, err)
	}
	return r, nil
}

// running is a started program.
type running struct {
	cmd   *exec.Cmd
	group *child.Group
	ended chan Exit
}

func (r *running) PID() int                { return r.group.ID() }
func (r *running) Kill()                   { r.group.Kill() }
func (r *running) Ended() <-chan Exit      { return r.ended }
func (r *running) Signal(s syscall.Signal) { _ = r.cmd.Process.Signal(s) } // it may have ended

// exitOf returns how a program ended; err is the error of waiting for it.
func exitOf(cmd *exec.Cmd, err error) Exit {
	var exit *exec.ExitError
	if cmd.ProcessState == nil || err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return Exit{Code: -1, Err: err}
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return Exit{Code: -1, Signal: status.Signal()}
	}
	return Exit{Code: cmd.ProcessState.ExitCode()}
}

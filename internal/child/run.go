package child

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Default limits of Run.
const (
	DefaultWithin = 30 * time.Second
	DefaultKeep   = 64 << 10
	DefaultMax    = 16 << 20
)

// outputGrace limits how long to wait for more output once a program has ended: a child that left its group may hold the pipe open.
const outputGrace = time.Second

// Limits are the limits of a program. The zero value suits a short command with a short output.
type Limits struct {
	Within time.Duration // time limit; 0 means DefaultWithin
	Keep   int           // bytes to keep from the start of each output; 0 means DefaultKeep
	Max    int           // bytes in one output beyond which the program is killed; 0 means DefaultMax
}

// Result is the result of a program, however it ended.
type Result struct {
	Stdout, Stderr []byte // the start of each
	Code           int    // -1 if a signal ended it, or it did not start
	Signal         syscall.Signal
	Ended          time.Time // when the program itself ended; its output may have arrived up to a second later
}

// ErrTooMuchOutput is the error for a program that was killed because it exceeded Limits.Max.
var ErrTooMuchOutput = errors.New("it wrote too much")

// ExitError is the error for a program that ended by itself, or by another process's signal, with another exit code than 0.
type ExitError struct {
	Command string // as it would be typed, without the program's directory
	Code    int    // -1 if a signal ended it
	Signal  syscall.Signal
	Said    string // its standard error
}

func (e *ExitError) Error() string {
	text := fmt.Sprintf("`%s` ended with %d", e.Command, e.Code)
	if e.Signal != 0 {
		text = fmt.Sprintf("`%s` was ended by %v", e.Command, e.Signal)
	}
	if e.Said != "" {
		text += ": " + e.Said
	}
	return text
}

// Run runs cmd to its end and returns its output. cmd has the program, arguments, environment and input; Run sets its outputs and process
// group. The whole group is killed when the program has ended, when ctx or the time limit ends, or when it writes too much. The program
// is also killed when this process dies. Only a child in a session of its own, such as a daemon, may survive.
//
// The error is nil only for exit code 0. It is an *ExitError if the program ended by itself. It wraps ErrTooMuchOutput, or the cause of
// ctx's end, which is context.DeadlineExceeded after Limits.Within. Any other error means that the program did not run.
func Run(ctx context.Context, cmd *exec.Cmd, limits Limits) (Result, error) {
	within, most := cmp.Or(limits.Within, DefaultWithin), cmp.Or(limits.Max, DefaultMax)
	typed := strings.Join(append([]string{filepath.Base(cmd.Path)}, cmd.Args[1:]...), " ")
	ctx, stop := context.WithTimeout(ctx, within)
	defer stop()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	r := Result{Code: -1}
	if ctx.Err() != nil {
		return r, fmt.Errorf("`%s` was not started: %w", typed, context.Cause(ctx))
	}
	flood := func() { end(ErrTooMuchOutput) }
	out := &kept{keep: cmp.Or(limits.Keep, DefaultKeep), left: most, flood: flood}
	said := &kept{keep: out.keep, left: most, flood: flood}
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = out, said, outputGrace

	// The kernel kills the program when the thread that started it ends, so keep the thread until the program has ended.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	group, err := Start(cmd)
	if err != nil {
		return r, fmt.Errorf("start `%s`: %w", typed, err)
	}
	defer context.AfterFunc(ctx, group.Kill)()
	err = group.Wait(cmd, func() { r.Ended = time.Now() })
	r.Stdout, r.Stderr = out.text.Bytes(), said.text.Bytes()
	if cmd.ProcessState == nil { // another part of this process has reaped it
		return r, fmt.Errorf("run `%s`: %w", typed, err)
	}
	r.Code = cmd.ProcessState.ExitCode()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		r.Signal = status.Signal()
	}
	switch exit := (*exec.ExitError)(nil); {
	case errors.Is(context.Cause(ctx), ErrTooMuchOutput):
		return r, fmt.Errorf("`%s` was ended: %w, more than %d bytes", typed, ErrTooMuchOutput, most)
	case r.Signal != 0 && ctx.Err() != nil:
		return r, fmt.Errorf("`%s` had not ended after %v, and was ended: %w", typed, within, context.Cause(ctx))
	case errors.As(err, &exit):
		return r, &ExitError{typed, r.Code, r.Signal, strings.TrimSpace(string(r.Stderr))}
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return r, fmt.Errorf("run `%s`: %w", typed, err)
	}
	return r, nil
}

// kept keeps the start of what is written to it, and calls flood when it is too much.
type kept struct {
	keep, left int
	text       bytes.Buffer
	flood      func()
}

func (b *kept) Write(p []byte) (int, error) {
	b.text.Write(p[:min(len(p), b.keep-b.text.Len())])
	if b.left -= len(p); b.left < 0 {
		b.flood()
	}
	return len(p), nil
}

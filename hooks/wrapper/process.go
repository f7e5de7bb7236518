package wrapper

import (
	"context"
	"errors"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/claudeops/claudeops/hooks"
)

// process runs one hook.
type process struct {
	runner  *Runner
	cmd     Command
	in      *input
	end     *ending
	event   string // of the call; empty if not known (yet)
	timeout time.Duration
	fault   onPanic
}

// run runs the hook until it ends, or its timeout. It waits for the hook itself, not for the end of its output, which a process that the
// hook left behind may hold open forever.
func (p *process) run(ctx context.Context) *ended {
	e := &ended{args: p.cmd.Args}
	if ctx.Err() != nil {
		e.asked = p.end.wasAsked()
		e.status = syscall.WaitStatus(e.asked) // as if the signal had ended it: it did not start
		return e
	}
	notStarted := func(err error) *ended {
		if !errors.As(err, &e.spawn) {
			e.spawn = &unspawned{file: p.cmd.Args[0], err: err}
		}
		return e
	}
	pipes, err := openPipes(ctx)
	if err != nil {
		return notStarted(err)
	}
	defer pipes.close()
	feeder, err := p.in.feed(ctx, pipes.in.w)
	if err != nil {
		return notStarted(err)
	}
	defer feeder.stop()

	// The kernel ends the hook when the thread that started it ends, so keep the thread until the hook has ended.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var hook *os.Process
	err = patiently(ctx, func() (err error) {
		hook, err = spawn(p.cmd.Args, p.runner.Environ, []*os.File{pipes.in.r, pipes.out.w, pipes.err.w})
		return err
	})
	pipes.closeHooks()
	if err != nil {
		return notStarted(err)
	}
	p.end.started(hook, p.timeout)
	defer p.end.release()
	copied := make(chan struct{}, 2)
	stdout, stderr := p.copiers(pipes)
	go stdout.run(copied)
	go stderr.run(copied)

	state, err := hook.Wait()
	e.asked, e.timeout = p.end.exited()
	if e.lost = err; err == nil {
		e.status = state.Sys().(syscall.WaitStatus)
	}
	stdout.finish(e.asked != 0)
	stderr.finish(e.asked != 0)
	if !p.await(copied) {
		return e // a copier may still write to the captured output
	}
	e.stdout, e.stderr = stdout.capture, stderr.capture
	return e
}

// copiers forward the output, and keep the parts that decide on the hook's outcome.
func (p *process) copiers(pipes *pipes) (stdout, stderr *copier) {
	stdout = &copier{from: pipes.out.r, to: p.runner.Stdout, fault: p.fault}
	stderr = &copier{from: pipes.err.r, to: p.runner.Stderr, fault: p.fault, capture: capture{headMax: headMax, tailMax: headMax}}
	if hooks.Stops(p.event) {
		stdout.headMax = heldMax
	}
	return stdout, stderr
}

// await waits until both copiers are done. It does not wait long if the wrapper must end, or the hook's timeout is over, and nobody reads
// the output.
func (p *process) await(copied <-chan struct{}) bool {
	asked, over := p.end.asked, (<-chan time.Time)(nil)
	for left := cap(copied); left > 0; {
		select {
		case <-copied:
			left--
		case <-asked:
			asked, over = nil, time.After(outputGrace)
		case <-over:
			return false
		}
	}
	return true
}

// patiently retries f while the system, or the user's limits, are short of processes, files or memory. The pauses double, and take 310 ms
// in total.
func patiently(ctx context.Context, f func() error) error {
	const first, last = 10 * time.Millisecond, 160 * time.Millisecond
	for pause := first; ; pause *= 2 {
		err := f()
		scarce := errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
		if !scarce || pause > last {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return err
		}
	}
}

// pipe is a pipe to one of the hook's standard files.
type pipe struct{ r, w *os.File }

// pipes are the pipes to all three.
type pipes struct{ in, out, err pipe }

func openPipes(ctx context.Context) (*pipes, error) {
	p := &pipes{}
	for _, one := range []*pipe{&p.in, &p.out, &p.err} {
		err := patiently(ctx, func() (err error) {
			one.r, one.w, err = os.Pipe()
			return err
		})
		if err != nil {
			p.close()
			return nil, err
		}
	}
	return p, nil
}

// closeHooks closes the hook's ends.
func (p *pipes) closeHooks() {
	_, _, _ = p.in.r.Close(), p.out.w.Close(), p.err.w.Close() // nothing was written to them here
}

// close closes what is still open.
func (p *pipes) close() {
	for _, f := range []*os.File{p.in.r, p.in.w, p.out.r, p.out.w, p.err.r, p.err.w} {
		_ = f.Close() // may be closed already, or never opened
	}
}

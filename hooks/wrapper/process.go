package wrapper

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/claudeops/claudeops/hooks"
)

// process runs one hook.
type process struct {
	runner   *Runner
	cmd      Command
	in       *input
	end      *ending
	event    string // of the call; empty where that is not known, or not yet
	timeout  time.Duration
	denyOnly bool
	fault    onPanic
}

// run runs the hook to its end, or for as long as it may. It waits for the hook, not for the end of its output: what the hook leaves
// behind may hold that open for ever.
func (p *process) run(ctx context.Context) *ended {
	e := &ended{args: p.cmd.Args}
	if ctx.Err() != nil {
		e.asked = p.end.wasAsked()
		e.status = syscall.WaitStatus(e.asked) // as if that had ended it: it did not begin
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

	// The kernel ends the hook when the thread that started it ends, so that thread is kept until the hook has ended.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	environ := p.runner.Environ
	if p.denyOnly { // such a hook must not say what every later command begins with
		environ = slices.DeleteFunc(slices.Clone(environ), func(entry string) bool { return strings.HasPrefix(entry, "CLAUDE_ENV_FILE=") })
	}
	var hook *os.Process
	err = patiently(ctx, func() (err error) {
		hook, err = spawn(p.cmd.Args, environ, []*os.File{pipes.in.r, pipes.out.w, pipes.err.w})
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
		return e // a copier may still write what was kept of the output
	}
	e.stdout, e.stderr = stdout.capture, stderr.capture
	p.print(&e.stdout)
	return e
}

// copiers pass the output on, and keep of it what decides on the hook's end.
func (p *process) copiers(pipes *pipes) (stdout, stderr *copier) {
	stdout = &copier{from: pipes.out.r, to: p.runner.Stdout, fault: p.fault}
	stderr = &copier{from: pipes.err.r, to: p.runner.Stderr, fault: p.fault, capture: capture{headMax: headMax, tailMax: headMax}}
	if p.denyOnly {
		stdout.to = nil
	}
	if p.denyOnly || hooks.Stops(p.event) {
		stdout.headMax = heldMax
	}
	return stdout, stderr
}

// await waits until both copiers are done. Where the wrapper is to end, or the hook's time is over, and the output is not taken, it
// does not wait for long.
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

// unreadable is the answer in the place of one that cannot be looked at: it may have been a refusal.
const unreadable = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":` +
	`"a hook answered with more than can be looked at"}}` + "\n"

// print prints the output that was held back, without the grants in it.
func (p *process) print(held *capture) {
	if !p.denyOnly {
		return
	}
	text, looked := p.refusals(held)
	if !looked && (p.event == "PreToolUse" || p.event == "") {
		text = []byte(unreadable)
	}
	_, _ = p.runner.Stdout.Write(text) // It may have been closed.
	defer p.fault.contain()
	if !looked || len(text) == 0 && len(held.head) > 0 {
		p.runner.Log.Warning(p.cmd.Key, fmt.Sprintf("%d bytes of output are too many, or no JSON: nothing of it is passed on", held.size))
	}
}

// refusals are what of an output is passed on, where it can be looked at.
func (p *process) refusals(held *capture) (text []byte, looked bool) {
	if held.cut() {
		return nil, false
	}
	defer p.fault.contain()
	return withoutGrants(held.head), true
}

// patiently calls f again where the system, or the user, is short of processes, files or memory: the pauses double, and come to 310 ms.
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

// pipe is one of the hook's standard files.
type pipe struct{ r, w *os.File }

// pipes are all three of them.
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

// closeHooks closes the ends that the hook has.
func (p *pipes) closeHooks() {
	_, _, _ = p.in.r.Close(), p.out.w.Close(), p.err.w.Close() // Nothing was written by us.
}

// close closes what is still open.
func (p *pipes) close() {
	for _, f := range []*os.File{p.in.r, p.in.w, p.out.r, p.out.w, p.err.r, p.err.w} {
		_ = f.Close() // It may be closed, or never have been opened.
	}
}

// Package wrapper runs one hook of Claude Code for one call, behind its circuit breaker, as if there were none.
//
// It hides how a process is run without changing anything about it (its input as it comes, its output as it comes, its exit code,
// the signals), what of a hook's end is a failure and what a verdict, and what the agent program makes of each event's output. It
// promises that a hook runs at most once for one call, whatever goes wrong around it.
package wrapper

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/claudeops/claudeops/breaker"
)

// SkipVariable names hooks that the user wants skipped in this session, between commas: patterns as in the settings, or short names as
// health shows them.
const SkipVariable = "CLAUDE_HOOKS_SKIP"

// Runner runs hooks for the agent program as if there were no breaker, except that it counts how they end and skips those whose
// circuit is open.
type Runner struct {
	File           *breaker.File
	Config         *breaker.Config
	Log            *breaker.Log
	Stdin          *os.File
	Stdout, Stderr io.Writer
	Environ        []string // of the hook
	Now            func() time.Time
}

// Command is a hook as it is called.
type Command struct {
	Key  string   // the command as it stands in the settings, by which its circuit is found
	Args []string // what is run; for a line of shell the shell with -c and the line
}

// Options change how a hook is run.
type Options struct {
	Timeout  time.Duration // after which the hook is ended; 0 is what the configuration says
	Quiet    bool          // nothing is printed when the hook is skipped: its output would go to the model
	DenyOnly bool          // the hook may refuse, but what it permits is taken from its output
	Plugin   bool          // what names no event is no call of a hook, and is only run
	Always   []string      // events at which the hook always runs, as an excluded one
}

// Run runs a hook for one call, or skips it, and returns what the wrapper is to exit with, and how the circuit changed. The hook
// runs at most once, and where the breaker itself is in trouble it runs as if there were none.
//
// Run takes the signals of the process for itself until it returns: the hook gets them, and where they ask the wrapper to end, it
// does so within a second, with the result recorded.
func (r *Runner) Run(ctx context.Context, cmd Command, o Options) (exitCode int, changes []breaker.Change) {
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	end := watch(ctx, cancel)
	defer end.stop()
	in := &input{file: r.Stdin}
	in.readHeader(within)

	call := r.call(cmd.Key, in)
	p := &process{runner: r, cmd: cmd, in: in, end: end, denyOnly: o.DenyOnly}
	if !r.Config.Enabled || !isHook(call.Event) || o.Plugin && call.Event == "" {
		return p.run(within).exitCode(), nil
	}
	if p.timeout = o.Timeout; p.timeout == 0 {
		p.timeout = r.Config.Timeout(cmd.Key)
	}
	file := r.fileFor(cmd.Key, call, o)
	begun, err := file.Begin(within, cmd.Key, call)
	if err != nil {
		if within.Err() == nil {
			r.Log.Error(cmd.Key, fmt.Sprintf("the hook runs without the circuit breaker: %v", err))
		}
		e := p.run(within)
		r.logEnd(cmd.Key, e, e.judge(call.Event))
		return e.exitCode(), nil
	}
	changes = begun.Changes
	r.logBegin(cmd.Key, begun)
	if !begun.Decision.Execute {
		in.drain(-1)
		r.tell(within, file, cmd.Key, call, begun.Decision, o)
		return 0, changes
	}
	e := p.run(within)
	outcome := e.judge(call.Event)
	r.logEnd(cmd.Key, e, outcome)
	finished, err := r.finish(within, file, cmd.Key, begun, outcome)
	if err != nil {
		r.Log.Error(cmd.Key, fmt.Sprintf("how the hook ended is not recorded: %v", err))
	}
	r.logChanges(finished)
	return e.exitCode(), append(changes, finished...)
}

// call is what the breaker knows of a call.
func (r *Runner) call(key string, in *input) breaker.Call {
	call := breaker.Call{Event: in.scan.event(), Session: in.scan.session()}
	for pattern := range strings.SplitSeq(fromEnviron(r.Environ, SkipVariable), ",") {
		pattern = strings.TrimSpace(pattern)
		call.SkipIt = call.SkipIt || breaker.Matches(pattern, key) || breaker.Named(key, pattern)
	}
	return call
}

// isHook tells hooks from the commands that the agent program runs in the same way for its status line and its list of files.
func isHook(event string) bool {
	return !slices.Contains([]string{"Status", "StatusLine", "FileSuggestion"}, event)
}

// fileFor is the state file with the rules of this call: some calls execute always, as an excluded hook's do.
func (r *Runner) fileFor(key string, call breaker.Call, o Options) *breaker.File {
	if !slices.Contains(o.Always, call.Event) {
		return r.File
	}
	file := *r.File
	file.Policy = func(hook string) breaker.Policy {
		policy := r.File.Policy(hook)
		policy.Excluded = policy.Excluded || hook == key
		return policy
	}
	return &file
}

// finish records how the hook ended; once the wrapper is told to end, not for long.
func (r *Runner) finish(ctx context.Context, file *breaker.File, key string, begun *breaker.Begun, outcome breaker.Outcome) ([]breaker.Change, error) {
	recording, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(recordGrace):
			cancel()
		case <-recording.Done():
		}
	})
	defer stop()
	return file.Finish(recording, key, begun, outcome)
}

// process runs one hook.
type process struct {
	runner   *Runner
	cmd      Command
	in       *input
	end      *ending
	timeout  time.Duration
	denyOnly bool
}

// run runs the hook to its end, or for as long as it may. It waits for the hook, not for the end of its output: what the hook leaves
// behind may hold that open for ever.
func (p *process) run(ctx context.Context) *ended {
	e := &ended{args: p.cmd.Args}
	if ctx.Err() != nil {
		e.asked = p.end.wasAsked()
		return e // it did not begin
	}
	pipes, err := openPipes()
	if err != nil {
		return p.notStarted(e, err)
	}
	defer pipes.close()
	feeder, err := p.in.feed(pipes.in.w)
	if err != nil {
		return p.notStarted(e, err)
	}
	defer feeder.stop()

	// The kernel ends the hook when the thread that started it ends, so that thread is kept until the hook has ended.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	hook, err := spawn(p.cmd.Args, p.environ(), []*os.File{pipes.in.r, pipes.out.w, pipes.err.w})
	pipes.closeHooks()
	if err != nil {
		return p.notStarted(e, err)
	}
	p.end.started(hook.Pid, p.timeout)
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
		return e // what was kept of its output is not yet ours to look at
	}
	e.stdout, e.stderr = stdout.capture, stderr.capture
	p.print(&e.stdout)
	return e
}

// environ is the hook's environment. A hook that may only refuse cannot say what every later command begins with.
func (p *process) environ() []string {
	if !p.denyOnly {
		return p.runner.Environ
	}
	return slices.DeleteFunc(slices.Clone(p.runner.Environ), func(entry string) bool { return strings.HasPrefix(entry, "CLAUDE_ENV_FILE=") })
}

// copiers pass the output on, and keep of it what decides on the hook's end.
func (p *process) copiers(pipes *pipes) (stdout, stderr *copier) {
	stdout = &copier{from: pipes.out.r, to: p.runner.Stdout}
	stderr = &copier{from: pipes.err.r, to: p.runner.Stderr, capture: capture{headMax: headMax, tailMax: headMax}}
	if p.denyOnly {
		stdout.to = nil
	}
	if p.denyOnly || breaker.Stops(p.in.scan.event()) {
		stdout.headMax = heldMax
	}
	return stdout, stderr
}

// await waits until both copiers are done. Where the wrapper is to end, or the hook's time is over, and nobody takes the output, it
// does not wait for long.
func (p *process) await(copied <-chan struct{}) bool {
	for range cap(copied) {
		select {
		case <-copied:
			continue
		case <-p.end.asked:
		}
		select {
		case <-copied:
		case <-time.After(outputGrace):
			return false
		}
	}
	return true
}

// unreadable is the answer in the place of one that is too long to be looked at: it may have been a refusal.
const unreadable = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":` +
	`"a hook answered with more than can be looked at"}}` + "\n"

// print prints the output that was held back, without the grants in it.
func (p *process) print(held *capture) {
	if !p.denyOnly {
		return
	}
	text := withoutGrants(held.head)
	if held.cut() {
		p.runner.Log.Warning(p.cmd.Key, fmt.Sprintf("%d bytes of output are too many to be looked at: nothing of it is passed on", held.size))
		if text = nil; p.in.scan.event() == "PreToolUse" {
			text = []byte(unreadable)
		}
	}
	_, _ = p.runner.Stdout.Write(text) // Nobody reads it any more.
}

// notStarted tells of a hook that could not be started as a shell would.
func (p *process) notStarted(e *ended, err error) *ended {
	if !errors.As(err, &e.spawn) {
		e.spawn = &unspawned{file: p.cmd.Args[0], err: err}
	}
	_, _ = io.WriteString(p.runner.Stderr, e.spawn.line()) // Nobody reads it any more.
	return e
}

// pipe is one of the hook's standard files.
type pipe struct{ r, w *os.File }

// pipes are all three of them.
type pipes struct{ in, out, err pipe }

func openPipes() (*pipes, error) {
	p := &pipes{}
	for _, one := range []*pipe{&p.in, &p.out, &p.err} {
		var err error
		if one.r, one.w, err = os.Pipe(); err != nil {
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

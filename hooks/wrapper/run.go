// Package wrapper runs one hook of Claude Code for one call, behind its circuit breaker, as if there were none.
//
// It hides how a process is run without changing anything about it (its input as it comes, its output as it comes, its exit code,
// the signals), what of a hook's end is a failure and what a verdict, and what the agent program makes of each event's output. It
// promises that a hook runs at most once for one call, whatever goes wrong around it.
package wrapper

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/hooks"
)

// SkipVariable names hooks that the user wants skipped in this session, between commas: patterns as in the settings, or short names as
// health shows them.
const SkipVariable = "CLAUDE_HOOKS_SKIP"

// Runner runs hooks for the agent program as if there were no breaker, except that it counts how they end and skips those whose
// circuit is open.
type Runner struct {
	File           *hooks.File
	Config         *hooks.Config
	Log            *hooks.Log
	Stdin          *os.File
	Stdout, Stderr io.Writer
	Environ        []string // of the hook
	Now            func() time.Time
}

// Command is a hook as it is called.
type Command struct {
	Key  string   // the command as in the settings, by which its circuit is found
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
// runs at most once, and where the breaker itself is in trouble, be it by a panic, it runs as if there were none.
//
// Run takes the signals of the process until it returns: the hook gets them, and where they ask the wrapper to end, it does so within a
// second, with the result recorded.
func (r *Runner) Run(ctx context.Context, cmd Command, o Options) (exitCode int, changes []hooks.Change) {
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	fault := func(fault any) { r.fault(cmd.Key, fault) }
	end := watch(ctx, cancel, fault)
	defer end.stop()
	in := &input{file: r.Stdin, fault: fault}
	d := r.decide(within, cmd.Key, in, o)
	if d.begun != nil && !d.begun.Decision.Execute {
		return 0, d.begun.Changes
	}
	p := &process{runner: r, cmd: cmd, in: in, end: end, event: d.call.Event, timeout: d.timeout, denyOnly: o.DenyOnly, fault: fault}
	e := p.run(within)
	if e.spawn != nil {
		_, _ = io.WriteString(r.Stderr, e.spawn.line()) // It may have been closed.
	}
	changes = r.record(within, cmd.Key, d, e)
	return e.exitCode(), changes
}

// onPanic is called with what a panic says.
type onPanic func(fault any)

// contain, deferred, keeps a panic from ending the process: Go's own exit code for that, 2, is a verdict.
func (report onPanic) contain() {
	if fault := recover(); fault != nil {
		report(fault)
	}
}

// fault logs a panic.
func (r *Runner) fault(key string, fault any) {
	defer func() { _ = recover() }() // the log may be the one that panics
	r.Log.Error(key, fmt.Sprintf("the circuit breaker failed: %v", fault))
}

// decided is what there is to know of a call before its hook runs.
type decided struct {
	call    hooks.Call
	judged  bool // how the hook ends is looked at
	file    *hooks.File
	begun   *hooks.Begun // nil where the call is not counted
	timeout time.Duration
}

// decide finds out whether the hook runs. Where it does not, it also notifies the person.
func (r *Runner) decide(ctx context.Context, key string, in *input, o Options) (d *decided) {
	d = &decided{}
	defer in.fault.contain() // with what is decided by then
	in.readHeader(ctx)
	r.Log.Faults(r.Config)
	event := in.scan.event()
	d.call = hooks.Call{Event: event, Session: in.scan.session()}
	patterns, _ := fromEnviron(r.Environ, SkipVariable)
	for pattern := range strings.SplitSeq(patterns, ",") {
		pattern = strings.TrimSpace(pattern)
		d.call.SkipIt = d.call.SkipIt || hooks.Matches(pattern, key) || hooks.Named(key, pattern)
	}
	isHook := !slices.Contains([]string{"Status", "StatusLine", "FileSuggestion"}, event) // which the agent program runs in the same way
	if !r.Config.Enabled || !isHook || o.Plugin && event == "" {
		return d
	}
	d.judged = true
	if d.timeout = o.Timeout; d.timeout == 0 {
		d.timeout = r.Config.Timeout(key)
	}
	d.file = r.fileFor(key, slices.Contains(o.Always, event), in.late())
	var err error
	if d.begun, err = d.file.Begin(ctx, key, d.call); err != nil {
		if ctx.Err() == nil {
			r.Log.Error(key, fmt.Sprintf("the hook runs without the circuit breaker: %v", err))
		}
		return d
	}
	r.logBegin(key, d.begun)
	if !d.begun.Decision.Execute {
		in.drain(-1)
		r.notify(ctx, d.file, key, d.call, d.begun.Decision, o)
	}
	return d
}

// fileFor is the state file with the rules of this call: some calls execute always, as an excluded hook's do. So does one of which
// it is not known in time what it is, because it may be one of those; what that says of the hook counts.
func (r *Runner) fileFor(key string, always, unknown bool) *hooks.File {
	if !always && !unknown {
		return r.File
	}
	file := *r.File
	file.Policy = func(hook string) hooks.Policy {
		policy := r.File.Policy(hook)
		policy.Excluded = policy.Excluded || always && hook == key
		policy.Observe = policy.Observe || unknown && hook == key
		return policy
	}
	return &file
}

// record keeps in the state file and in the log how the hook ended, and returns how the circuit changed by the call. Once the wrapper
// was asked to end, it does not wait long for the file.
func (r *Runner) record(ctx context.Context, key string, d *decided, e *ended) (changes []hooks.Change) {
	defer onPanic(func(fault any) { r.fault(key, fault) }).contain() // with the changes up to there
	if !d.judged {
		return nil
	}
	outcome := e.judge(d.call.Event)
	var finished []hooks.Change
	var err error
	if d.begun != nil {
		changes = d.begun.Changes
		recording, cancel := context.WithCancel(context.WithoutCancel(ctx))
		defer cancel()
		defer context.AfterFunc(ctx, func() { time.AfterFunc(recordGrace, cancel) })()
		finished, err = d.file.Finish(recording, key, d.begun, outcome)
		changes = append(changes, finished...)
	}
	if outcome.Failed {
		r.Log.Warning(key, "Hook failed: "+outcome.Error)
	} else {
		r.Log.Debug(key, fmt.Sprintf("Hook ended, exit code %d", e.exitCode()))
	}
	if err != nil {
		r.Log.Error(key, fmt.Sprintf("how the hook ended is not recorded yet: %v", err))
	}
	r.logChanges(finished)
	return changes
}

// Package wrapper runs one hook of Claude Code for one call, behind its circuit breaker, as if there were none.
//
// The package hides how a process is run transparently (streaming input and output, exit code, signals), which ends of a hook are
// failures and which are verdicts, and what the agent program does with each event's output. A hook runs at most once per call, whatever
// goes wrong.
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

// SkipVariable lists the hooks that the user wants to skip in this session, separated by commas: patterns as in the settings, or short
// names as shown by health.
const SkipVariable = "CLAUDE_HOOKS_SKIP"

// Runner runs hooks for the agent program as if there were no breaker, except that it counts their outcomes and skips hooks whose circuit
// is open.
type Runner struct {
	File           *hooks.File
	Config         *hooks.Config
	Log            *hooks.Log
	Stdin          *os.File
	Stdout, Stderr io.Writer
	Environ        []string // of the hook
	Now            func() time.Time
}

// Command is a hook's command.
type Command struct {
	Key  string   // the command as in the settings, which identifies its circuit
	Args []string // what is run; for a line of shell, the shell with -c and the line
}

// Options change how a hook is run.
type Options struct {
	Timeout time.Duration // limits the run; 0 means the configured timeout
	Quiet   bool          // print nothing for a skipped hook, because its output would go to the model
	Plugin  bool          // a call without an event is not a hook's, and is only run
	Always  []string      // events at which the hook always runs, as if excluded
}

// Run runs a hook for one call, or skips it. It returns the wrapper's exit code, and the changes of the circuit. The hook runs at most
// once. If the breaker itself fails, even by a panic, the hook runs as if there were no breaker.
//
// Run catches the signals of the process until it returns. The hook gets them. If one asks the wrapper to end, the wrapper ends within a
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
	p := &process{runner: r, cmd: cmd, in: in, end: end, event: d.call.Event, timeout: d.timeout, fault: fault}
	e := p.run(within)
	if e.spawn != nil {
		_, _ = io.WriteString(r.Stderr, e.spawn.line()) // standard error may be closed
	}
	changes = r.record(within, cmd.Key, d, e)
	return e.exitCode(), changes
}

// onPanic is called with the value of a panic.
type onPanic func(fault any)

// contain, deferred, keeps a panic from ending the process: Go's exit code for that, 2, would be a verdict.
func (report onPanic) contain() {
	if fault := recover(); fault != nil {
		report(fault)
	}
}

// fault logs a panic.
func (r *Runner) fault(key string, fault any) {
	defer func() { _ = recover() }() // the log may be what panics
	r.Log.Error(key, fmt.Sprintf("the circuit breaker failed: %v", fault))
}

// decided is what is known of a call before its hook runs.
type decided struct {
	call    hooks.Call
	judged  bool // the hook's outcome counts
	file    *hooks.File
	begun   *hooks.Begun // nil if the call is not counted
	timeout time.Duration
}

// decide decides whether the hook runs. If it does not, it also notifies the person.
func (r *Runner) decide(ctx context.Context, key string, in *input, o Options) (d *decided) {
	d = &decided{}
	defer in.fault.contain() // keeps what is decided by then
	in.readHeader(ctx)
	r.Log.Faults(r.Config)
	event := in.scan.event()
	d.call = hooks.Call{Event: event, Session: in.scan.session()}
	patterns, _ := fromEnviron(r.Environ, SkipVariable)
	for pattern := range strings.SplitSeq(patterns, ",") {
		pattern = strings.TrimSpace(pattern)
		d.call.SkipIt = d.call.SkipIt || hooks.Matches(pattern, key) || hooks.Named(key, pattern)
	}
	isHook := !slices.Contains([]string{"Status", "StatusLine", "FileSuggestion"}, event) // the agent program runs these in the same way
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

// fileFor returns the state file with the policy for this call: some calls always execute, as for an excluded hook. So does a call whose
// event is not known in time, because it may be one of those; its outcome still counts.
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

// record records the outcome in the state file and the log, and returns the circuit changes of the call. Once the wrapper was asked to
// end, it waits only briefly for the file.
func (r *Runner) record(ctx context.Context, key string, d *decided, e *ended) (changes []hooks.Change) {
	defer onPanic(func(fault any) { r.fault(key, fault) }).contain() // keeps the changes so far
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

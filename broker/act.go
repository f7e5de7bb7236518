package broker

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/sandbox/shim"
)

const (
	// maxInput is how many bytes of standard input are judged, where a program would run them.
	maxInput = 64 << 10
	// recordTime is how long it may take to write down the outcome of a remediation, whatever else has ended.
	recordTime = 10 * time.Second
)

// exitNotFound is a shell's exit status for a program that is not installed.
const exitNotFound = 127

// Rules of a refusal that are not the policy's.
const (
	RuleCall   = "call"   // it cannot be judged, or not be run
	RuleLimits = "limits" // of remediations (SPEC-0007 REQ-4, REQ-5)
	RuleHeld   = "held"   // the service is in maintenance, silenced, another shard's, or a service that it depends on is unwell
)

// ownName is the program that runs in this process.
const ownName = "claudeops"

// act is the course of one call.
type act struct {
	*Broker
	*request
	id      string // of its reservation, and of its lines in the audit
	began   time.Time
	verdict guard.Verdict
	input   *string // standard input, where that was judged
}

// perform judges what was asked for and runs it where that is granted. The reply's exit status is the program's, 128+n where signal n
// ended it; 126 means refused and 127 not installed.
func (b *Broker) perform(ctx context.Context, toolUse string, r *request) shim.Reply {
	select {
	case b.running <- struct{}{}:
		defer func() { <-b.running }()
	case <-ctx.Done():
		return refused("not run: %v", context.Cause(ctx))
	}
	if err := b.Audit.Full(); err != nil {
		return refused("%v", err)
	}
	a := &act{Broker: b, request: r, id: fmt.Sprintf("%s.%d", cmp.Or(toolUse, "call"), b.ids.Add(1)), began: b.Now()}
	if err := a.judge(ctx); err != nil {
		return a.refuse(shim.ExitRefused, RuleCall, err.Error())
	}
	if !a.verdict.Allow {
		return a.refuse(shim.ExitRefused, a.verdict.Rule, a.verdict.Reason)
	}
	name := a.verdict.Argv[0]
	file, found := a.Broker.Find(name)
	if !found && name != ownName {
		return a.refuse(exitNotFound, RuleCall, name+" is not installed on this machine")
	}
	s, err := a.openStreams(ctx)
	if err != nil {
		return a.refuse(shim.ExitRefused, RuleCall, err.Error())
	}
	if refusal := a.reserve(ctx); refusal != nil {
		_ = s.close() // nothing was written
		return a.refuse(shim.ExitRefused, refusal.Rule, refusal.Reason)
	}
	a.Told(a.entry(""))
	exit, err := a.run(ctx, file, s)
	err = errors.Join(err, a.complete(ctx, exit, err, s))
	a.record(guard.Allowed, &exit)
	reply := shim.Reply{Exit: exit}
	if err != nil {
		reply.Message = said(err.Error())
	}
	return reply
}

// judge settles the verdict.
func (a *act) judge(ctx context.Context) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("judging it failed: %v", fault)
		}
	}()
	a.Argv[0] = path.Base(a.Argv[0])
	if !filepath.IsAbs(a.Dir) {
		return fmt.Errorf("the working folder %q is not absolute", a.Dir)
	}
	// Where it is judged is where it runs, whatever becomes of a link meanwhile.
	if a.Dir, err = filepath.EvalSymlinks(a.Dir); err != nil {
		return fmt.Errorf("the working folder: %w", err)
	}
	call := guard.Call{Argv: a.Argv, Dir: a.Dir}
	if a.verdict = a.Broker.Judge(call); a.verdict.Allow || a.verdict.Stdin != guard.StdinText {
		return nil
	}
	text, err := a.readInput(ctx)
	if err != nil {
		return fmt.Errorf("the standard input: %w", err)
	}
	a.input, call.Input = &text, &text
	a.verdict = a.Broker.Judge(call)
	return nil
}

// readInput reads all of the standard input, which the program would run.
func (a *act) readInput(ctx context.Context) (string, error) {
	in, err := a.openInput(ctx)
	if err != nil {
		return "", err
	}
	defer func() { _ = in.Close() }()
	text, err := io.ReadAll(io.LimitReader(in, maxInput+1))
	if err != nil {
		return "", err
	}
	if len(text) > maxInput {
		return "", fmt.Errorf("it is longer than %d bytes; do it in smaller steps", maxInput)
	}
	return string(text), nil
}

// reserve has remediations recorded before they run. Where it returns a refusal, nothing may run. The audit is written first: where it
// cannot be, nothing is reserved.
func (a *act) reserve(ctx context.Context) *RefusalError {
	wanted := a.verdict.Remediations()
	if len(wanted) == 0 {
		return nil
	}
	if err := a.Audit.Append(a.entry(guard.Reserving)); err != nil {
		return &RefusalError{RuleCall, "nothing that counts runs without a record: " + err.Error()}
	}
	err := a.Records.Reserve(ctx, a.id, wanted)
	var refusal *RefusalError
	if err == nil || errors.As(err, &refusal) {
		return refusal
	}
	return &RefusalError{RuleCall, "it cannot be reserved: " + err.Error()}
}

// complete turns what was reserved into the outcome, for a caller that has gone too.
func (a *act) complete(ctx context.Context, exit int, fault error, s *streams) error {
	if len(a.verdict.Remediations()) == 0 {
		return nil
	}
	why := ""
	switch {
	case fault == nil && exit == 0:
	case ctx.Err() != nil:
		why = fmt.Sprintf("ended early: %v", context.Cause(ctx))
	case fault != nil:
		why = fault.Error()
	default:
		why = fmt.Sprintf("exit status %d: %s", exit, bytes.TrimSpace(s.err.to.text))
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
	defer cancel()
	if err := a.Records.Complete(ctx, a.id, why == "", why, a.Now().Sub(a.began)); err != nil {
		return fmt.Errorf("record the outcome: %w", err)
	}
	return nil
}

// errUnread ends a program that only observes, when its output is no longer read.
var errUnread = errors.New("its output is no longer read")

// run runs the program and returns its exit status when all that it printed has reached the caller.
func (a *act) run(ctx context.Context, file string, s *streams) (exit int, err error) {
	if a.verdict.Argv[0] == ownName {
		var in io.Reader = unread{}
		if s.in != nil {
			in = s.in
		}
		exit = a.Broker.Own(ctx, a.Dir, a.verdict.Argv[1:], in, s.out.masked, s.err.masked)
		return exit, s.close()
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	p := Program{File: file, Argv: a.verdict.Argv, Env: a.verdict.Env, Dir: a.Dir, User: a.verdict.User, SetID: a.verdict.SetID, Writes: a.verdict.Writes}
	flush, err := s.connect(ctx, &p, func() {
		if a.observes() { // any other ends at the next line that it prints, as on a closed pipe: it may be about to end well
			end(errUnread)
		}
	})
	if err != nil {
		return shim.ExitRefused, fmt.Errorf("connect it with its caller: %w", err)
	}
	exit, err = a.Broker.Run(ctx, p)
	unread := errors.Is(context.Cause(ctx), errUnread)
	err = errors.Join(err, flush())
	if unread {
		return 128 + int(unix.SIGPIPE), nil
	}
	return exit, err
}

// observes reports whether nothing is changed by the call, so that it may be ended at any time.
func (a *act) observes() bool {
	return !slices.ContainsFunc(a.verdict.Acts, func(one guard.Act) bool { return one.Action != guard.Observe })
}

// Program is a granted program with everything that it is given.
type Program struct {
	File                  string   // absolute path
	Argv                  []string // its name first
	Env                   []string // beside the broker's own, NAME=VALUE
	Dir                   string
	User                  string   // as whom it runs; empty: as the broker
	SetID                 bool     // it runs without a domain, in which its file has no privileges and root no capabilities
	Writes                []string // folders that it writes; $NAME is an empty one of its own, which that variable names
	Stdin, Stdout, Stderr *os.File
}

// refuse records that the call was not run, and returns the reply that says so.
func (a *act) refuse(exit int, rule, reason string) shim.Reply {
	a.verdict.Rule, a.verdict.Reason = rule, reason
	decision := guard.Denied
	if a.verdict.Ask {
		decision = guard.Asked
	}
	a.record(decision, &exit)
	return shim.Reply{Exit: exit, Message: said(reason)}
}

// record writes down what became of the call. What cannot be written down has run all the same: only a remediation is refused then, before.
func (a *act) record(decision guard.Decision, exit *int) {
	e := a.entry(decision)
	e.Exit = exit
	a.Told(e)
	if err := a.Audit.Append(e); err != nil {
		a.Log.Error("a brokered call is missing in the session's record", "command", e.Command, "error", err)
	}
}

// entry is a line of the audit about the call.
func (a *act) entry(decision guard.Decision) guard.Entry {
	e := guard.Entry{
		Time: a.Now(), Began: a.began, ToolUseID: a.id, Tier: a.Tier, Tool: "broker", Command: guard.CommandLine(a.Argv),
		Rule: a.verdict.Rule, Decision: decision, Reason: a.verdict.Reason,
	}
	for _, one := range a.verdict.Acts {
		if !slices.Contains(e.Actions, one.Action) {
			e.Actions = append(e.Actions, one.Action)
		}
		for _, name := range one.Services {
			if !slices.Contains(e.Services, name) {
				e.Services = append(e.Services, name)
			}
		}
	}
	return e
}

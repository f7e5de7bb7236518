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
	// maxInput limits the standard input that is judged for a program that would execute it, in bytes.
	maxInput = 64 << 10
	// recordTime limits how long recording the outcome of a remediation may take. It applies even after the call's context has ended.
	recordTime = 10 * time.Second
)

// exitNotFound is the exit status for a program that is not installed, as in a shell.
const exitNotFound = 127

// Rules of a refusal that do not come from the policy.
const (
	RuleCall   = "call"   // the call cannot be judged or run
	RuleLimits = "limits" // a limit on remediations (SPEC-0007 REQ-4, REQ-5)
	RuleHeld   = "held"   // the service is in maintenance, silenced, another shard's, or depends on an unhealthy service

	RuleApproval = "approval" // it waits for a person
)

// ownName is the name of the program that runs in this process.
const ownName = "claudeops"

// act is the state of one call.
type act struct {
	*Broker
	*request
	id      string // of the call's reservation and audit entries
	began   time.Time
	verdict guard.Verdict
	input   *string // standard input, if it was judged
}

// perform judges a request and runs it if it is granted. The reply's exit status is the program's, or 128+n if signal n ended it; 126
// means refused and 127 not installed.
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
	if !a.verdict.Allow && (!a.verdict.Ask || len(a.verdict.Argv) == 0) {
		return a.refuse(shim.ExitRefused, a.verdict.Rule, a.verdict.Reason)
	}
	name := a.verdict.Argv[0]
	file, found := a.Broker.Find(name)
	if !found && name != ownName {
		return a.refuse(exitNotFound, RuleCall, name+" is not installed on this machine")
	}
	if refusal := a.Propose(ctx, a.id, file, guard.Call{Argv: a.Argv, Dir: a.Dir, Input: a.input}, a.verdict); refusal != nil {
		if refusal.Rule != a.verdict.Rule {
			a.verdict.Ask = refusal.Rule == RuleApproval
		}
		return a.refuse(shim.ExitRefused, refusal.Rule, refusal.Reason)
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
		reply.Message = ownMessage(err.Error())
	}
	return reply
}

// judge sets the verdict.
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
	// Resolve the directory once, so that a link that changes later does not matter.
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

// readInput reads all of the standard input, which the program would execute.
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

// reserve records remediations before they run. If it returns a refusal, nothing may run. The audit log is written first: if that fails,
// nothing is reserved.
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

// complete records the outcome of what was reserved, even if the caller is gone.
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

// errUnread ends a program that only observes when its output is no longer read.
var errUnread = errors.New("its output is no longer read")

// run runs the program, and returns its exit status once all of its output has reached the caller.
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
	p := Program{
		File: file, Argv: a.verdict.Argv, Env: a.verdict.Env, Dir: a.Dir, User: a.verdict.User, SetID: a.verdict.SetID, Writes: a.verdict.Writes,
		ToolUse: a.id, Remediates: a.verdict.Remediations(),
	}
	flush, err := s.connect(ctx, &p, func() {
		if a.observes() { // other programs get a SIGPIPE at their next write: they may be about to finish
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

// observes reports whether the call changes nothing, so that it may be ended at any time.
func (a *act) observes() bool {
	return !slices.ContainsFunc(a.verdict.Acts, func(one guard.Act) bool { return one.Action != guard.Observe })
}

// Program is a granted program and everything it is started with.
type Program struct {
	File                  string   // absolute path
	Argv                  []string // starts with its name
	Env                   []string // NAME=VALUE, in addition to the broker's environment
	Dir                   string
	User                  string   // the user to run as; empty for the broker's own
	SetID                 bool     // run without a Landlock domain, in which the file's privileges and root's capabilities have no effect
	Writes                []string // directories that it writes; $NAME is a new empty one whose path is in that variable
	Stdin, Stdout, Stderr *os.File

	ToolUse    string              // the id of its reservation
	Remediates []guard.Remediation // what was reserved
}

// refuse records that the call was not run, and returns the reply.
func (a *act) refuse(exit int, rule, reason string) shim.Reply {
	a.verdict.Rule, a.verdict.Reason = rule, reason
	decision := guard.Denied
	if a.verdict.Ask {
		decision = guard.Asked
	}
	a.record(decision, &exit)
	return shim.Reply{Exit: exit, Message: ownMessage(reason)}
}

// record writes the decision to the audit log. A failure is only logged, because the call has run; remediations are refused earlier, in
// reserve.
func (a *act) record(decision guard.Decision, exit *int) {
	e := a.entry(decision)
	e.Exit = exit
	a.Told(e)
	if err := a.Audit.Append(e); err != nil {
		a.Log.Error("a brokered call is missing in the session's record", "command", e.Command, "error", err)
	}
}

// entry returns an audit entry about the call.
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

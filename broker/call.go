package broker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/sandbox/shim"
)

// recordTime limits how long recording the outcome of an act may take. It applies even after the call's context has ended.
const recordTime = 10 * time.Second

// exitNotFound is the exit status for a program that is not installed, as in a shell.
const exitNotFound = 127

// Rules of a refusal that do not come from the table.
const (
	RuleCall   = "call"   // the call cannot be judged or run
	RuleLimits = "limits" // a limit on remediations (SPEC-0007 REQ-4, REQ-5)
	RuleHeld   = "held"   // the service is in maintenance, silenced, another shard's, or depends on an unhealthy service

	RuleApproval = "approval" // it waits for a person
)

// ownName is the name of the program that runs in this process.
const ownName = "claudeops"

// call is the state of one call.
type call struct {
	*Broker
	*request
	id      string // of the call's audit entries
	began   time.Time
	verdict guard.Verdict
}

// perform judges a request and runs it if it only looks, or does the verb that it means. The reply's exit status is the program's, or 128+n
// if signal n ended it; 126 means refused and 127 not installed. What runs in the sandbox is left to the caller.
func (b *Broker) perform(ctx context.Context, toolUse string, r *request) shim.Reply {
	if v, meant := guard.Typed(r.Argv); meant {
		return b.verb(ctx, toolUse, r, v)
	}
	if q, asked, err := Asked(r.Argv); err != nil {
		return refusedReply("%v", err)
	} else if asked {
		return b.question(ctx, toolUse, r, q)
	}
	ended, err := b.begin(ctx)
	if err != nil {
		return refusedReply("not run: %v", err)
	}
	defer ended()
	if err := b.Audit.Full(); err != nil {
		return refusedReply("%v", err)
	}
	c := &call{Broker: b, request: r, id: b.newID(toolUse), began: b.Now()}
	err = c.judge()
	switch {
	case err != nil:
		return c.refuse(shim.ExitRefused, RuleCall, err.Error())
	case c.verdict.Sandbox:
		return shim.Reply{Exit: shim.ExitRefused, Message: ownMessage(c.verdict.Reason), Here: true}
	case !c.verdict.Allow:
		return c.refuse(shim.ExitRefused, c.verdict.Rule, c.verdict.Reason)
	}
	name := c.verdict.Argv[0]
	file, found := c.Broker.Find(name)
	if !found && name != ownName {
		return c.refuse(exitNotFound, RuleCall, name+" is not installed on this machine")
	}
	s, err := c.openStreams(ctx)
	if err != nil {
		return c.refuse(shim.ExitRefused, RuleCall, err.Error())
	}
	c.OnCall(c.entry(""))
	exit, err := c.run(ctx, file, s)
	c.record(guard.Allowed, &exit)
	return replyOf(exit, err)
}

// verb does the verb that a call means. Its words are dropped.
func (b *Broker) verb(ctx context.Context, toolUse string, r *request, v guard.Verb) shim.Reply {
	dir, err := filepath.EvalSymlinks(r.Dir)
	if err != nil {
		return refusedReply("the working folder: %v", err)
	}
	c := &call{Broker: b, request: r}
	s, err := c.openStreams(ctx)
	if err != nil {
		return refusedReply("%v", err)
	}
	exit, err := b.Do(ctx, toolUse, v, dir, s.out.to, s.err.to)
	return replyOf(exit, errors.Join(err, s.close()))
}

func replyOf(exit int, err error) shim.Reply {
	reply := shim.Reply{Exit: exit}
	if err != nil {
		reply.Message = ownMessage(err.Error())
	}
	return reply
}

// begin waits until one program more may run. The caller must call ended.
func (b *Broker) begin(ctx context.Context) (ended func(), err error) {
	select {
	case b.running <- struct{}{}:
		return func() { <-b.running }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// newID returns an id of a call for its records.
func (b *Broker) newID(toolUse string) string {
	return fmt.Sprintf("%s.%d", cmp.Or(toolUse, "call"), b.ids.Add(1))
}

// judge sets the verdict.
func (c *call) judge() (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("judging it failed: %v", fault)
		}
	}()
	if !filepath.IsAbs(c.Dir) {
		return fmt.Errorf("the working folder %q is not absolute", c.Dir)
	}
	// Resolve the folder once, so that a link that changes later does not matter.
	if c.Dir, err = filepath.EvalSymlinks(c.Dir); err != nil {
		return fmt.Errorf("the working folder: %w", err)
	}
	c.verdict = c.Broker.Judge(c.Argv, c.Dir)
	return nil
}

// errUnread ends a program that only observes when its output is no longer read.
var errUnread = errors.New("its output is no longer read")

// run runs the program, and returns its exit status once all of its output has reached the caller.
func (c *call) run(ctx context.Context, file string, s *streams) (exit int, err error) {
	if c.verdict.Argv[0] == ownName {
		var in io.Reader = unread{}
		if s.in != nil {
			in = s.in
		}
		exit = c.Broker.Own(ctx, c.Dir, c.verdict.Argv[1:], in, s.out.masked, s.err.masked)
		return exit, s.close()
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	p := Program{File: file, Argv: c.verdict.Argv, Env: c.verdict.Env, Dir: c.Dir, Own: c.verdict.Own}
	flush, err := s.connect(ctx, &p, func() { end(errUnread) })
	if err != nil {
		return shim.ExitRefused, fmt.Errorf("connect it with its caller: %w", err)
	}
	exit, err = c.Broker.Run(ctx, p)
	unread := errors.Is(context.Cause(ctx), errUnread)
	err = errors.Join(err, flush())
	if unread {
		return 128 + int(unix.SIGPIPE), nil
	}
	return exit, err
}

// Program is a granted program and everything it is started with.
type Program struct {
	File                  string   // absolute path
	Argv                  []string // starts with its name
	Env                   []string // NAME=VALUE, in addition to the broker's environment
	Dir                   string
	Own                   bool // run without a Landlock domain, in which the file's privileges and root's capabilities have no effect
	Stdin, Stdout, Stderr *os.File
}

// refuse records that the call was not run, and returns the reply.
func (c *call) refuse(exit int, rule, reason string) shim.Reply {
	c.verdict.Rule, c.verdict.Reason = rule, reason
	c.record(guard.Denied, &exit)
	return shim.Reply{Exit: exit, Message: ownMessage(reason)}
}

// record writes the decision to the audit log. A failure is only logged, because the call has run.
func (c *call) record(decision guard.Decision, exit *int) {
	e := c.entry(decision)
	e.Exit = exit
	c.OnCall(e)
	if err := c.Audit.Append(e); err != nil {
		c.Log.Error("a brokered call is missing in the session's record", "command", e.Command, "error", err)
	}
}

// entry returns an audit entry about the call.
func (c *call) entry(decision guard.Decision) guard.Entry {
	e := guard.Entry{
		Time: c.Now(), Began: c.began, ToolUseID: c.id, Tier: c.Tier, Tool: "broker", Command: guard.CommandLine(c.Argv),
		Rule: c.verdict.Rule, Decision: decision, Reason: c.verdict.Reason,
	}
	if decision != guard.Denied {
		e.Actions = []guard.Action{guard.Observe}
	}
	return e
}

package broker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/sandbox/shim"
)

const (
	// outputGrace limits how long to wait for more output once an act has ended: a process that left its group may hold the pipe open.
	outputGrace = time.Second
	// maxFault limits what a record of an act has of its output, in bytes.
	maxFault = 400
)

// Reservations stores the records of acts.
type Reservations interface {
	// Reserve records an act as in progress before it runs; program is the file that would run. It asks whether the service may be touched,
	// over what is true at that moment. If not, if a limit is reached, or if it waits for a person, the error is a *guard.RefusalError.
	Reserve(ctx context.Context, id, program string, o guard.Order) error
	// Complete records how a reserved act ended: well if there is no fault.
	Complete(ctx context.Context, id, fault string, took time.Duration) error
}

// lifeKey is the key of the context of the session in those of its calls.
type lifeKey struct{}

// Living returns the context of a session, by which its acts run: a call that ends early must not leave half of an act.
func Living(ctx context.Context) context.Context { return context.WithValue(ctx, lifeKey{}, ctx) }

// lifetime returns the context by which an act runs.
func lifetime(ctx context.Context) context.Context {
	if life, of := ctx.Value(lifeKey{}).(context.Context); of {
		return life
	}
	return ctx
}

// Act does what an order says: it reserves it, runs it and records how it ended. Whoever wants an
// act, a model, first aid, a person who approves or tries, comes by here. Once reserved, only its time limit and the end of the session end
// it. The end of what it printed goes to out, masked; why it was refused, with 126, or what else failed goes to faults. What comes with a
// refusal does not run. err is of the record.
func (b *Broker) Act(
	ctx context.Context, toolUse string, o guard.Order, refusal *guard.RefusalError, out, faults io.Writer,
) (exit int, err error) {
	return b.recorded(ctx, b.actOf(toolUse, o), faults, func(e *guard.Entry) (int, error) {
		if refusal != nil {
			return shim.ExitRefused, refusal
		}
		file, err := b.reserve(ctx, e.ToolUseID, o)
		if err != nil {
			return shim.ExitRefused, err
		}
		b.OnCall(*e)
		var said tail
		ctx := lifetime(ctx)
		exit, err := b.run(ctx, file, o, &said)
		failed := b.complete(ctx, *e, exit, err, said)
		_, unread := out.Write(said)
		return exit, errors.Join(err, failed, unlessUnread(unread))
	})
}

// actOf returns the entry of an act.
func (b *Broker) actOf(toolUse string, o guard.Order) guard.Entry {
	e := guard.Entry{
		ToolUseID: b.newID(toolUse), Tool: "broker", Command: guard.CommandLine(o.Argv), Rule: guard.RuleServices, Actions: []guard.Action{o.Action},
	}
	if len(o.Argv) == 0 { // refused before it was known what would run
		e.Command = strings.TrimSpace(string(o.Action) + " " + o.Service)
	}
	if o.Service != "" {
		e.Services = []string{o.Service}
	}
	return e
}

// reserve returns the program's file once the act is reserved, or why it is not.
func (b *Broker) reserve(ctx context.Context, id string, o guard.Order) (file string, err error) {
	file, found := b.Find(o.Argv[0])
	if !found {
		return "", guard.Refuse(guard.RuleCall, "%s is not installed on this machine, by its name in PATH or its path from the root", o.Argv[0])
	}
	if _, err := os.Stat(o.Dir); err != nil {
		return "", guard.Refuse(guard.RuleCall, "not run: its folder: %v", err)
	}
	err = b.Records.Reserve(ctx, id, file, o)
	if refusal := (*guard.RefusalError)(nil); err != nil && !errors.As(err, &refusal) {
		err = guard.Refuse(guard.RuleCall, "it cannot be reserved: %v", err)
	}
	return file, err
}

// run runs the program, without input, until it and its descendants have ended or its time is over.
func (b *Broker) run(ctx context.Context, file string, o guard.Order, said io.Writer) (exit int, err error) {
	limit := fmt.Errorf("ended at its time limit of %s", o.Timeout)
	ctx, cancel := context.WithTimeoutCause(ctx, o.Timeout, limit)
	defer cancel()
	masked := b.Mask(said)
	cmd := &exec.Cmd{Path: file, Args: o.Argv, Env: b.ActEnviron, Dir: o.Dir, Stdout: masked, Stderr: masked, WaitDelay: outputGrace}
	exit, err = finish(ctx, cmd)
	if errors.Is(context.Cause(ctx), limit) {
		err = errors.Join(err, limit)
	}
	return exit, errors.Join(err, masked.Close())
}

// complete records the outcome, even if the caller is gone.
func (b *Broker) complete(ctx context.Context, e guard.Entry, exit int, fault error, said tail) error {
	why := ""
	switch {
	case ctx.Err() != nil:
		why = fmt.Sprintf("ended early: %v", context.Cause(ctx))
	case fault != nil:
		why = fault.Error()
	case exit != 0:
		why = fmt.Sprintf("exit status %d: %s", exit, bytes.TrimSpace(said[max(0, len(said)-maxFault):]))
	}
	if err := b.Records.Complete(ctx, e.ToolUseID, why, b.Now().Sub(e.Began)); err != nil {
		return fmt.Errorf("record the outcome: %w", err)
	}
	return nil
}

// tail keeps the end of what was written, at most maxAnswer bytes.
type tail []byte

func (t *tail) Write(p []byte) (int, error) {
	*t = append(*t, p[max(0, len(p)-maxAnswer):]...)
	*t = (*t)[max(0, len(*t)-maxAnswer):]
	return len(p), nil
}

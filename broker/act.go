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

// Reservations stores the records of acts.
type Reservations interface {
	// Reserve records an act as in progress before it runs. It asks whether the service may be touched, over what is true at that moment;
	// if not, or if a limit is reached, the error is a *RefusalError.
	Reserve(ctx context.Context, id string, o Order) error
	// Complete records how a reserved act ended.
	Complete(ctx context.Context, id string, success bool, fault string, took time.Duration) error
}

// RuleServices is the rule of acts: the services file, or its silence.
const RuleServices = "services file"

// acting is an act that runs.
type acting struct {
	*Broker
	Order
	id    string
	began time.Time
	said  tail
}

// lifeKey is the key of the context of the session in those of its calls.
type lifeKey struct{}

// lifetime returns the context by which an act runs: its session's. A call that ends early must not leave half of an act.
func lifetime(ctx context.Context) context.Context {
	if life, of := ctx.Value(lifeKey{}).(context.Context); of {
		return life
	}
	return ctx
}

// Act does what an order says: it asks whether it may run (Settings.Ask), reserves it, runs it and records how it ended. Whoever wants an
// act, a model, first aid, a person who approves or tries, comes by here. Once reserved, only its time limit and the end of the session end
// it. The end of what it printed goes to out, masked, and a refusal, with 126, to faults. err is theirs, or says what else failed.
func (b *Broker) Act(ctx context.Context, toolUse string, o Order, out, faults io.Writer) (exit int, err error) {
	ended, err := b.begin(ctx)
	if err != nil {
		return shim.ExitRefused, err
	}
	defer ended()
	a := &acting{Broker: b, Order: o, id: b.newID(toolUse), began: b.Now()}
	file, refusal := a.reserve(ctx)
	if refusal != nil {
		return a.refuse(refusal, faults)
	}
	b.OnCall(a.entry("", nil))
	ctx = lifetime(ctx)
	exit, err = a.run(ctx, file)
	if failed := a.complete(ctx, exit, err); failed != nil {
		err = errors.Join(err, fmt.Errorf("record the outcome: %w", failed))
	}
	_, unread := out.Write(a.said)
	return exit, errors.Join(err, unlessUnread(unread), a.record(exit))
}

// Refuse records that an order was not run, and says so to faults.
func (b *Broker) Refuse(toolUse string, o Order, refusal *RefusalError, faults io.Writer) (exit int, err error) {
	a := &acting{Broker: b, Order: o, id: b.newID(toolUse), began: b.Now()}
	return a.refuse(refusal, faults)
}

// reserve returns the program's file once the act is reserved, or why it is not. Nothing runs without a record of the session's.
func (a *acting) reserve(ctx context.Context) (file string, refusal *RefusalError) {
	if err := a.Audit.Full(); err != nil {
		return "", &RefusalError{RuleCall, err.Error()}
	}
	file, found := a.Find(a.Argv[0])
	if !found {
		return "", &RefusalError{RuleCall, a.Argv[0] + " is not installed on this machine, by its name in PATH or its path from the root"}
	}
	if _, err := os.Stat(a.Dir); err != nil {
		return "", &RefusalError{RuleCall, "not run: its folder: " + err.Error()}
	}
	if refusal := a.Ask(ctx, a.id, file, a.Order); refusal != nil {
		return "", refusal
	}
	if err := a.Audit.Append(a.entry(guard.Reserving, nil)); err != nil {
		return "", &RefusalError{RuleCall, "nothing that counts runs without a record: " + err.Error()}
	}
	err := a.Records.Reserve(ctx, a.id, a.Order)
	if err != nil && !errors.As(err, &refusal) {
		refusal = &RefusalError{RuleCall, "it cannot be reserved: " + err.Error()}
	}
	return file, refusal
}

// run runs the program, without input, until it and its descendants have ended or its time is over, and keeps the end of what it prints.
func (a *acting) run(ctx context.Context, file string) (exit int, err error) {
	limit := fmt.Errorf("ended at its time limit of %s", a.Timeout)
	ctx, cancel := context.WithTimeoutCause(ctx, a.Timeout, limit)
	defer cancel()
	masked := a.Mask(&a.said)
	cmd := &exec.Cmd{Path: file, Args: a.Argv, Env: a.ActEnviron, Dir: a.Dir, Stdout: masked, Stderr: masked, WaitDelay: outputGrace}
	exit, err = finish(ctx, cmd)
	if errors.Is(context.Cause(ctx), limit) {
		err = errors.Join(err, limit)
	}
	return exit, errors.Join(err, masked.Close())
}

// complete records the outcome, even if the caller is gone.
func (a *acting) complete(ctx context.Context, exit int, fault error) error {
	why := ""
	switch {
	case ctx.Err() != nil:
		why = fmt.Sprintf("ended early: %v", context.Cause(ctx))
	case fault != nil:
		why = fault.Error()
	case exit != 0:
		end := a.said[max(0, len(a.said)-maxFault):]
		why = fmt.Sprintf("exit status %d: %s", exit, bytes.TrimSpace(end))
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
	defer cancel()
	return a.Records.Complete(ctx, a.id, why == "", why, a.Now().Sub(a.began))
}

// refuse records that the act was not run, and says why.
func (a *acting) refuse(refusal *RefusalError, faults io.Writer) (exit int, err error) {
	decision := guard.Denied
	if refusal.Rule == RuleApproval {
		decision = guard.Asked
	}
	e := a.entry(decision, nil)
	exit = shim.ExitRefused
	e.Rule, e.Reason, e.Exit = refusal.Rule, refusal.Reason, &exit
	a.OnCall(e)
	masked := a.Mask(faults)
	_, err = fmt.Fprintln(masked, ownMessage(refusal.Reason))
	return exit, errors.Join(err, masked.Close(), a.Audit.Append(e))
}

// record writes the outcome to the audit log.
func (a *acting) record(exit int) error {
	e := a.entry(guard.Allowed, &exit)
	a.OnCall(e)
	return a.Audit.Append(e)
}

// entry returns an audit entry about the act.
func (a *acting) entry(decision guard.Decision, exit *int) guard.Entry {
	command := guard.CommandLine(a.Argv)
	if len(a.Argv) == 0 { // refused before it was known what would run
		command = strings.TrimSpace(string(a.Action) + " " + a.Service)
	}
	e := guard.Entry{
		Time: a.Now(), Began: a.began, ToolUseID: a.id, Tier: a.Tier, Tool: "broker", Command: command, Rule: RuleServices,
		Decision: decision, Actions: []guard.Action{a.Action}, Exit: exit,
	}
	if a.Service != "" {
		e.Services = []string{a.Service}
	}
	return e
}

// tail keeps the end of what was written.
type tail []byte

const (
	maxTail  = maxAnswer // bytes
	maxFault = 400       // bytes of it in a record
)

func (t *tail) Write(p []byte) (int, error) {
	*t = append(*t, p[max(0, len(p)-maxTail):]...)
	*t = (*t)[max(0, len(*t)-maxTail):]
	return len(p), nil
}

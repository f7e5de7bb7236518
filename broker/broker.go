package broker

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/query"
	"github.com/claudeops/claudeops/sandbox"
	"github.com/claudeops/claudeops/sandbox/shim"
)

const (
	maxRunning = 32          // programs of a session that run at once; others wait
	ownName    = "claudeops" // the program that runs in this process
)

// Settings configure a Broker. All fields except OnCall are required.
type Settings struct {
	Tier    int
	Judge   func(argv []string, dir string) guard.Verdict
	Records Reservations
	Audit   guard.Audit
	OnCall  func(guard.Entry) // gets each call when it begins, without a Decision, and again with its outcome; nil for none
	Now     func() time.Time
	// Mask redacts secrets from what is written through it. It is closed at the end, and buffers no more than it must.
	Mask func(io.Writer) io.WriteCloser
	// Find returns the path of a program, by its name or, of an act, its path from the root.
	Find func(name string) (path string, found bool)
	// Run runs a granted program until it and its descendants have ended, or ctx has ended them.
	Run func(ctx context.Context, p Program) (exit int, err error)
	// Own runs claudeops itself in this process, and returns its exit status.
	Own func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int
	// Do does a verb that was called in a folder. What is said goes to out, and a refusal to faults, masked.
	Do func(ctx context.Context, toolUse string, v guard.Verb, dir string, out, faults io.Writer) (exit int, err error)
	// Inventory is the services file's; Environ has the engine, Asker asks databases. MayGet returns why no agent may ask for a URL, nil if it
	// may, and Open a file that it may read.
	Inventory *inventory.Inventory
	Environ   []string
	Asker     *query.Asker
	MayGet    func(url string) error
	Open      func(ctx context.Context, path string) (*os.File, error)
	// ActEnviron is the whole environment of acts, which run as the operator would run them: neither confined nor in a changed folder.
	ActEnviron []string
}

// Broker runs programs outside the sandbox of one session: those that look, each judged by its exact argument list, and acts, each an order
// that is counted before it runs. What they print is masked, and every call is audited.
type Broker struct {
	Settings
	ids     atomic.Int64 // the number of calls so far
	running chan struct{}
}

// New returns the Broker of one session.
func New(s Settings) *Broker {
	if s.OnCall == nil {
		s.OnCall = func(guard.Entry) {}
	}
	return &Broker{Settings: s, running: make(chan struct{}, maxRunning)}
}

// Call makes a call for a tool of the agent, in dir, with a document for claudeops itself as input. Output, or the reason of a refusal, goes
// to out.
func (b *Broker) Call(ctx context.Context, toolUse, dir string, argv []string, input []byte, out io.Writer) (exit int, err error) {
	reply, err := b.perform(ctx, toolUse, shim.Request{Argv: argv, Dir: dir, Input: input}, out, out)
	return reply.Exit, err
}

// perform runs a program that looks, answers a question or does a verb, whichever a request means. The reply's exit status is the
// program's, or 128+n if signal n ended it; 126 means refused and 127 not installed. What runs in the sandbox is left to the caller.
func (b *Broker) perform(ctx context.Context, toolUse string, r shim.Request, stdout, stderr io.Writer) (reply shim.Reply, err error) {
	dir, err := folder(r.Dir)
	if err != nil {
		return shim.Reply{Exit: shim.ExitRefused}, fmt.Errorf("the working folder: %w", err)
	}
	if v, meant := guard.Typed(r.Argv); meant {
		reply.Exit, err = b.Do(ctx, toolUse, v, dir, stdout, stderr)
		return reply, err
	}
	e := guard.Entry{ToolUseID: b.newID(toolUse), Tool: "broker", Command: guard.CommandLine(r.Argv), Actions: []guard.Action{guard.Observe}}
	do := b.look
	if Asked(r.Argv) {
		e.Tool, do = r.Argv[1], b.answer
	}
	reply.Exit, err = b.recorded(ctx, e, stderr, func(e *guard.Entry) (exit int, err error) {
		exit, err = do(ctx, e, r, dir, stdout, stderr)
		reply.Here = errors.Is(err, errHere)
		return exit, err
	})
	return reply, err
}

// folder resolves the links of a working folder once, so that one that changes later does not matter.
func folder(dir string) (string, error) {
	if !filepath.IsAbs(dir) {
		return "", fmt.Errorf("%q is not absolute", dir)
	}
	return filepath.EvalSymlinks(dir)
}

// errHere is the outcome of a call that its caller makes in the sandbox, as a part of a command that is recorded.
var errHere = errors.New("it runs in the sandbox")

// look runs a program of the table.
func (b *Broker) look(ctx context.Context, e *guard.Entry, r shim.Request, dir string, stdout, stderr io.Writer) (exit int, err error) {
	v, err := b.judge(r.Argv, dir)
	switch {
	case err != nil:
		return shim.ExitRefused, err
	case v.Sandbox:
		return shim.ExitRefused, errHere
	case !v.Allow:
		return shim.ExitRefused, &guard.RefusalError{Rule: v.Rule, Reason: v.Reason}
	}
	name := v.Argv[0]
	file, found := b.Find(name)
	if !found && name != ownName {
		return shim.ExitNotFound, guard.Refuse(guard.RuleCall, "%s is not installed on this machine", name)
	}
	e.Rule = v.Rule
	b.OnCall(*e)
	out, faults, flush := b.masked(stdout, stderr)
	if name == ownName {
		exit = b.Own(ctx, v.Argv[1:], bytes.NewReader(r.Input), out, faults)
	} else {
		exit, err = b.Run(ctx, Program{File: file, Argv: v.Argv, Env: v.Env, Dir: dir, Own: v.Own, Stdout: out, Stderr: faults})
	}
	if errors.Is(context.Cause(ctx), errHungUp) { // as of a program in a pipeline whose reader has gone
		exit = 128 + int(unix.SIGPIPE)
	}
	return exit, errors.Join(err, flush())
}

// judge judges a call. A judge that fails refuses.
func (b *Broker) judge(argv []string, dir string) (v guard.Verdict, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = guard.Refuse(guard.RuleCall, "judging it failed: %v", fault)
		}
	}()
	return b.Judge(argv, dir), nil
}

// recorded makes a call when there is room for one more, and writes down how it ended. e says what it is; do may add to that, and returns the
// exit status. What do returns as an error goes to faults, masked: with a *guard.RefusalError the call was not made. err is of the record.
func (b *Broker) recorded(
	ctx context.Context, e guard.Entry, faults io.Writer, do func(e *guard.Entry) (exit int, err error),
) (exit int, err error) {
	select {
	case b.running <- struct{}{}:
		defer func() { <-b.running }()
	case <-ctx.Done():
		return shim.ExitRefused, fmt.Errorf("not run: %w", context.Cause(ctx))
	}
	if err := b.Audit.Full(); err != nil {
		return shim.ExitRefused, err
	}
	e.Began, e.Tier = b.Now(), b.Tier
	exit, fault := do(&e)
	if errors.Is(fault, errHere) {
		return exit, nil
	}
	e.Time, e.Decision = b.Now(), guard.Allowed
	if refusal := (*guard.RefusalError)(nil); errors.As(fault, &refusal) {
		e.Decision, e.Rule = refusal.Decision(), refusal.Rule
	}
	if fault != nil {
		e.Reason = fault.Error()
		exit = cmp.Or(exit, 1)
		masked := b.Mask(faults)
		_, err = fmt.Fprintln(masked, ownMessage(e.Reason))
		err = unlessUnread(errors.Join(err, masked.Close()))
	}
	e.Exit = &exit
	b.OnCall(e)
	return exit, errors.Join(err, b.Audit.Append(e))
}

// newID returns an id of a call for its records.
func (b *Broker) newID(toolUse string) string {
	return fmt.Sprintf("%s.%d", cmp.Or(toolUse, "call"), b.ids.Add(1))
}

// masked returns outputs that mask what is written to a caller's, and what writes the rest that they hold back. Where the caller's are the
// same, so are they.
func (b *Broker) masked(stdout, stderr io.Writer) (out, faults io.Writer, flush func() error) {
	first := b.Mask(stdout)
	if stderr == stdout {
		return first, first, func() error { return unlessUnread(first.Close()) }
	}
	second := b.Mask(stderr)
	return first, second, func() error { return unlessUnread(errors.Join(first.Close(), second.Close())) }
}

// unlessUnread returns err, except errors that only say that the output is no longer read. Those concern the writing program alone.
func unlessUnread(err error) error {
	if errors.Is(err, unix.EPIPE) || errors.Is(err, os.ErrClosed) || errors.Is(err, os.ErrDeadlineExceeded) {
		return nil
	}
	return err
}

// unlessUnprinted returns the error of a call in the sandbox, without that of an output that is no longer read.
func unlessUnprinted(err error) error {
	if unprinted := (*sandbox.OutputError)(nil); errors.As(err, &unprinted) {
		return unlessUnread(err)
	}
	return err
}

// Program is a granted program and everything it is started with, without input.
type Program struct {
	File           string   // absolute path
	Argv           []string // starts with its name
	Env            []string // NAME=VALUE, in addition to the broker's environment
	Dir            string
	Own            bool // run without a Landlock domain, in which the file's privileges and root's capabilities have no effect
	Stdout, Stderr io.Writer
}

// ownMessage formats a message of claudeops among the output of programs: it names its author.
func ownMessage(text string) string { return ownName + ": " + strings.TrimSpace(text) }

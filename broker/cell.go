package broker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/guard/readable"
	"github.com/claudeops/claudeops/sandbox"
)

// Cell is where the commands of one session run: a sandbox that reads what is listed, writes the session's own folders, and reaches what
// is outside by its Broker alone. Commands run one after the other. Every field is required but Limits.
// What may be read is looked for at the first command.
type Cell struct {
	Shim    string // path of claudeops-shim
	Broker  *Broker
	World   readable.World
	Writes  []string // folders
	Dir     string   // where commands begin
	Environ func(*readable.List) []string
	Limits  sandbox.Limits

	files  *readable.List // nil before the first command
	domain *sandbox.Domain
}

// Run runs shell text until it and all that it started have ended, or the end of ctx has ended them, and returns its exit status. id is the
// agent program's name for the call. What is printed goes, masked, to stdout and stderr; they are written to by one goroutine at a time
// where they are one and the same.
func (c *Cell) Run(ctx context.Context, id, command string, stdout, stderr io.Writer) (exit int, err error) {
	if err := c.Broker.Audit.Full(); err != nil {
		return 0, err
	}
	began := c.Broker.Now()
	exit, err = c.run(ctx, id, command, stdout, stderr)
	entry := guard.Entry{
		Time: c.Broker.Now(), Began: began, ToolUseID: id, Tier: c.Broker.Tier, Tool: "bash", Command: command, Decision: guard.Allowed, Exit: &exit,
	}
	if err != nil {
		entry.Reason = err.Error()
	}
	return exit, errors.Join(err, c.Broker.Audit.Append(entry))
}

func (c *Cell) run(ctx context.Context, id, command string, stdout, stderr io.Writer) (exit int, err error) {
	if err := c.refresh(ctx); err != nil {
		return 0, err
	}
	out, err := c.pipeTo(stdout)
	if err != nil {
		return 0, err
	}
	faults := out
	if stderr != stdout {
		if faults, err = c.pipeTo(stderr); err != nil {
			return 0, errors.Join(err, out.close())
		}
	}
	result, err := c.domain.Run(ctx, sandbox.Command{
		Argv: []string{shell(), "-c", command}, Env: c.Environ(c.files), Dir: c.Dir, Stdout: out.end, Stderr: faults.end, Limits: c.Limits,
		Connect: func(conn *net.UnixConn) { c.Broker.Serve(ctx, conn, id) },
	})
	err = errors.Join(err, out.close())
	if faults != out {
		err = errors.Join(err, faults.close())
	}
	if result.Limit != "" {
		err = errors.Join(err, fmt.Errorf("ended: it used more %s than a command may", result.Limit))
	}
	return result.Exit, err
}

// refresh makes the sandbox anew where what may be read has changed: logs rotate, restarts make files.
func (c *Cell) refresh(ctx context.Context) error {
	changed, err := c.list(ctx)
	if err != nil {
		return err
	}
	if c.domain != nil && !changed {
		return nil
	}
	if err := c.closeDomain(); err != nil {
		return err
	}
	// Names can be listed everywhere: a folder that holds something closed is of use only so, and the kernel tells of any path whether it
	// is there.
	c.domain, err = sandbox.New(c.Shim, sandbox.Access{Read: c.files.Paths(), Write: c.Writes, List: []string{"/"}})
	return err
}

// list brings the list of what may be read up to date.
func (c *Cell) list(ctx context.Context) (changed bool, err error) {
	changed = true
	if c.files == nil {
		c.files, err = readable.New(ctx, c.World)
	} else {
		changed, err = c.files.Refresh(ctx)
	}
	if err != nil {
		return false, fmt.Errorf("look which files may be read: %w", err)
	}
	return changed, nil
}

// Close frees the sandbox, and what watches the files that it reads.
func (c *Cell) Close() error {
	if c.files != nil {
		c.files.Close()
	}
	return c.closeDomain()
}

func (c *Cell) closeDomain() error {
	if c.domain == nil {
		return nil
	}
	defer func() { c.domain = nil }()
	return c.domain.Close()
}

// outlet is a pipe whose content goes somewhere, masked.
type outlet struct {
	end    *os.File // which the command has
	masked io.WriteCloser
	copied chan error
}

func (c *Cell) pipeTo(to io.Writer) (*outlet, error) {
	from, end, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe for a command's output: %w", err)
	}
	o := &outlet{end: end, masked: c.Broker.Mask(to)}
	o.copied = copying(o.masked, from, func(error) { _ = from.Close() })
	return o, nil
}

// close is for when the command has ended: it returns when all has been passed on.
func (o *outlet) close() error {
	return errors.Join(o.end.Close(), <-o.copied, o.masked.Close())
}

// shell is the shell that reads an agent's commands.
func shell() string {
	const bash = "/bin/bash"
	if _, err := os.Stat(bash); err != nil {
		return "/bin/sh"
	}
	return bash
}

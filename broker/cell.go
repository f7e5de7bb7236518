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
	entry := guard.Entry{Began: c.Broker.Now(), ToolUseID: id, Tier: c.Broker.Tier, Tool: "bash", Command: command}
	c.Broker.Told(entry)
	exit, err = c.run(ctx, id, command, stdout, stderr)
	entry.Time, entry.Decision, entry.Exit = c.Broker.Now(), guard.Allowed, &exit
	if err != nil {
		entry.Reason = err.Error()
	}
	c.Broker.Told(entry)
	return exit, errors.Join(err, c.Broker.Audit.Append(entry))
}

func (c *Cell) run(ctx context.Context, id, command string, stdout, stderr io.Writer) (exit int, err error) {
	if err := c.refresh(ctx); err != nil {
		return 0, err
	}
	out := c.Broker.Mask(stdout)
	faults := out
	if stderr != stdout {
		faults = c.Broker.Mask(stderr)
	}
	result, err := c.domain.Run(ctx, sandbox.Command{
		Argv: []string{shell(), "-c", command}, Env: c.Environ(c.files), Dir: c.Dir, Stdout: out, Stderr: faults, Limits: c.Limits,
		Connect: func(conn *net.UnixConn) { c.Broker.Serve(ctx, conn, id) },
	})
	if output := (*sandbox.OutputError)(nil); errors.As(err, &output) {
		err = unlessUnread(err)
	}
	err = errors.Join(err, unlessUnread(out.Close()))
	if faults != out {
		err = errors.Join(err, unlessUnread(faults.Close()))
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
	// Names can be listed everywhere: a folder that holds something closed is of use only so, and whether a path exists is no secret.
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

// shell is the shell that reads an agent's commands.
func shell() string {
	const bash = "/bin/bash"
	if _, err := os.Stat(bash); err != nil {
		return "/bin/sh"
	}
	return bash
}

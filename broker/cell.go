package broker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/sandbox"
	"github.com/claudeops/claudeops/sandbox/shim"
)

// Cell runs the commands of one session, one at a time, in a sandbox. They read the files on the list, write the session's own
// directories, and reach anything outside only through Broker. All fields except Limits are required. The list of readable files is built
// for the first command.
type Cell struct {
	Shim    string // path of claudeops-shim
	Broker  *Broker
	Places  guard.Places
	Writes  []string // directories
	Dir     string   // working directory of commands
	Environ func(*guard.Files) []string
	Limits  sandbox.Limits

	mu     sync.Mutex   // of files: questions are answered while a command runs
	files  *guard.Files // nil before the first command
	stale  bool         // the sandbox is of an older list
	domain *sandbox.Domain
}

// Run runs shell text, and returns its exit status when it and all its descendants have ended, or were ended because ctx has. id is the
// agent program's id of the call. Output is masked. If stdout and stderr are the same writer, only one goroutine writes to it at a time.
func (c *Cell) Run(ctx context.Context, id, command string, stdout, stderr io.Writer) (exit int, err error) {
	e := guard.Entry{ToolUseID: id, Tool: "bash", Command: command}
	return c.Broker.recorded(ctx, e, stderr, func(e *guard.Entry) (int, error) {
		c.Broker.OnCall(*e)
		if err := c.refresh(ctx); err != nil {
			return shim.ExitRefused, err
		}
		out, faults, flush := c.Broker.masked(stdout, stderr)
		result, err := c.domain.Run(ctx, sandbox.Command{
			Argv: []string{shell(), "-c", command}, Env: c.Environ(c.files), Dir: c.Dir, Stdout: out, Stderr: faults, Limits: c.Limits,
			Connect: func(conn *net.UnixConn) { c.Broker.Serve(ctx, conn, id) },
		})
		err = errors.Join(unlessUnprinted(err), flush())
		if result.Limit != "" {
			err = errors.Join(err, fmt.Errorf("ended: it used more %s than a command may", result.Limit))
		}
		return result.Exit, err
	})
}

// refresh recreates the sandbox if the list of readable files is new: a file that has replaced another of its name needs a rule of its own.
func (c *Cell) refresh(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.list(ctx); err != nil {
		return err
	}
	if c.domain != nil && !c.stale {
		return nil
	}
	if err := c.Close(); err != nil {
		return err
	}
	// Names may be listed everywhere: a directory with something closed in it is useful only then, and whether a path exists is no secret.
	var err error
	c.domain, err = sandbox.New(c.Shim, sandbox.Access{Read: c.files.Paths(), Write: c.Writes, List: []string{"/"}})
	c.stale = err != nil
	return err
}

// list makes the list of readable files, or makes it anew if it is too old.
func (c *Cell) list(ctx context.Context) (err error) {
	anew := true
	if c.files == nil {
		c.files, err = guard.NewFiles(ctx, c.Places, c.Broker.Now)
	} else {
		anew, err = c.files.Refresh(ctx)
	}
	if err != nil {
		return fmt.Errorf("look which files may be read: %w", err)
	}
	c.stale = c.stale || anew
	return nil
}

// Close frees the sandbox.
func (c *Cell) Close() error {
	if c.domain == nil {
		return nil
	}
	defer func() { c.domain = nil }()
	return c.domain.Close()
}

// shell returns the shell that runs an agent's commands.
func shell() string {
	const bash = "/bin/bash"
	if _, err := os.Stat(bash); err != nil {
		return "/bin/sh"
	}
	return bash
}

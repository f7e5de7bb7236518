package probe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/child"
)

const (
	// maxKept is how much of a program's output is looked at where nothing else is said, in bytes; of its error output as much.
	maxKept = 64 << 10
	// maxWritten is how much a program may write, in bytes. One that writes more is ended.
	maxWritten = 16 << 20
	// outputGrace is how long output may still come once the program has ended: its children hold the pipe open, and some leave its
	// process group.
	outputGrace = time.Second
)

// program is one that a check runs: it reads nothing, and neither it nor its children outlive the attempt. A child that makes a
// session of its own (setsid), as daemons do, is let go. Where this process is killed, the kernel ends the program, and its children
// stay until they end by themselves.
type program struct {
	command []string // the first is its path, or its name in the environment's PATH
	environ []string
	kept    int // how much of its output is looked at, in bytes; 0 is maxKept
}

// programEnd is what came of a program.
type programEnd struct {
	ended          time.Time
	stdout, stderr []byte // the beginning
	code           int    // -1 where a signal ended it
	signal         syscall.Signal
	late           bool // it was ended since ctx was done
	flooded        bool // it was ended since it wrote more than maxWritten
}

// run runs the program to its end or to that of ctx. The error says why it could not be started.
func (p program) run(ctx context.Context) (end programEnd, err error) {
	path, err := p.find()
	if err != nil {
		return end, err
	}
	stdout, err := newCapture(cmp.Or(p.kept, maxKept))
	if err != nil {
		return end, err
	}
	defer stdout.close()
	stderr, err := newCapture(maxKept)
	if err != nil {
		return end, err
	}
	defer stderr.close()
	if ctx.Err() != nil {
		return programEnd{code: -1, late: true}, nil
	}
	cmd := &exec.Cmd{Path: path, Args: p.command, Env: append([]string{}, p.environ...), Stdout: stdout.w, Stderr: stderr.w}
	// The kernel ends the program when the thread that started it ends, so that thread is kept until the program has ended.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	group, err := child.Start(cmd)
	if err != nil {
		return end, notStarted(p.command[0], err)
	}
	stdout.closeWriter()
	stderr.closeWriter()
	defer context.AfterFunc(ctx, group.Kill)()
	go stdout.read(group.Kill)
	go stderr.read(group.Kill)
	waitErr := group.Wait(cmd, nil)
	ended := time.Now()
	for _, c := range []*capture{stdout, stderr} {
		if err := c.finish(ended.Add(outputGrace)); err != nil {
			return end, err
		}
	}
	end = programEnd{
		ended: ended, stdout: stdout.text, stderr: stderr.text, flooded: stdout.flooded || stderr.flooded, code: cmd.ProcessState.ExitCode(),
	}
	var exit *exec.ExitError
	if waitErr != nil && !errors.As(waitErr, &exit) {
		return end, fmt.Errorf("wait for %s: %w", p.command[0], waitErr)
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		end.signal = status.Signal()
		end.late = ctx.Err() != nil && !end.flooded
	}
	return end, nil
}

// Output is what a program prints, at most maxBytes of it, and its exit status. The error says why it could not be run to its end.
func Output(ctx context.Context, environ []string, maxBytes int, command ...string) (text []byte, exit int, err error) {
	end, err := program{command: command, environ: environ, kept: maxBytes}.run(ctx)
	switch {
	case err != nil:
		return nil, -1, err
	case end.late:
		return nil, -1, fmt.Errorf("%s did not end in time", command[0])
	case end.flooded:
		return nil, -1, fmt.Errorf("%s printed more than %d MiB", command[0], maxWritten>>20)
	}
	return end.stdout, end.code, nil
}

// find is the program's path. PATH is the environment's, which need not be that of this process.
func (p program) find() (path string, err error) {
	if len(p.command) == 0 || p.command[0] == "" {
		return "", errors.New("no command is given")
	}
	name := p.command[0]
	if strings.Contains(name, "/") {
		return name, nil
	}
	search := config.Lookup(p.environ, "PATH")
	if path, found := child.Find(name, search); found {
		return path, nil
	}
	return "", fmt.Errorf("there is no program %s in PATH (%s)", name, search)
}

// notStarted says why a program could not be started.
func notStarted(name string, err error) error {
	switch {
	case errors.Is(err, os.ErrNotExist):
		if _, stat := os.Stat(name); stat == nil {
			return fmt.Errorf("%s cannot be started: the interpreter that its first line names does not exist", name)
		}
		return fmt.Errorf("there is no program %s", name)
	case errors.Is(err, os.ErrPermission):
		return fmt.Errorf("%s cannot be started: it is not executable for this user (permission denied)", name)
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("%s cannot be started: it is neither a program nor a script with an interpreter in its first line", name)
	}
	return fmt.Errorf("%s cannot be started: %s", name, cause(err))
}

// capture reads what a program writes to one of its pipes.
type capture struct {
	r, w    *os.File
	kept    int // how much of it is kept, in bytes
	text    []byte
	flooded bool
	done    chan struct{}
}

func newCapture(kept int) (*capture, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe for a program: %w", err)
	}
	return &capture{r: r, w: w, kept: kept, done: make(chan struct{})}, nil
}

// read reads to the end, keeps the beginning, and calls flooded where there is too much.
func (c *capture) read(flooded func()) {
	defer close(c.done)
	chunk := make([]byte, 16<<10)
	for written := 0; ; {
		n, err := c.r.Read(chunk)
		c.text = append(c.text, chunk[:min(n, c.kept-len(c.text))]...)
		if written += n; written > maxWritten {
			c.flooded = true
			flooded()
			return
		}
		if err != nil {
			return
		}
	}
}

// finish waits for the rest of the output, once the program has ended, until then.
func (c *capture) finish(until time.Time) error {
	if err := c.r.SetReadDeadline(until); err != nil {
		return fmt.Errorf("bound the reading of a program's output: %w", err)
	}
	<-c.done
	return nil
}

func (c *capture) closeWriter() {
	_ = c.w.Close() // nothing was written by us
	c.w = nil
}

func (c *capture) close() {
	if c.w != nil {
		c.closeWriter()
	}
	_ = c.r.Close() // nothing was written by us
}

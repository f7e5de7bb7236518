package broker

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/guard"
)

const (
	maxRead    = 28_000   // bytes of a file that one call prints: they fit in an answer
	maxSkipped = 64 << 20 // bytes of a file that can be read at all
)

// Read copies lines of a readable file, masked, from the line from on; lines is at most how many, and 0 means as many as fit. It is for
// an agent without a shell.
func (c *Cell) Read(ctx context.Context, id, path string, from, lines int, to io.Writer) (exit int, err error) {
	e := guard.Entry{ToolUseID: id, Tool: "read", Command: path}
	return c.Broker.recorded(ctx, e, to, func(*guard.Entry) (int, error) { return 0, c.read(ctx, path, from, lines, to) })
}

// Open opens a file that an agent may read.
func (c *Cell) Open(ctx context.Context, path string) (*os.File, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.list(ctx); err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	if why := c.closed(real); why != "" {
		return nil, guard.Refuse(guard.RuleCall, "%s may not be read: %s", path, why)
	}
	f, err := os.OpenFile(real, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	// A directory on the path may have become a link meanwhile.
	opened, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", f.Fd()))
	if is, failed := f.Stat(); err != nil || failed != nil || opened != real || !is.Mode().IsRegular() {
		return nil, errors.Join(fmt.Errorf("%s is no plain file", path), f.Close())
	}
	return f, nil
}

func (c *Cell) read(ctx context.Context, path string, from, lines int, to io.Writer) (err error) {
	f, err := c.Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	// Start at the beginning, because a partial credential would not be masked.
	shown := &window{to: to, from: from, lines: cmp.Or(lines, math.MaxInt), line: 1, left: maxRead}
	masked := c.Broker.Mask(shown)
	_, err = io.Copy(masked, io.LimitReader(f, maxSkipped))
	if err = errors.Join(err, masked.Close()); errors.Is(err, errShown) {
		_, err = fmt.Fprintf(to, "\n(it may go on: from_line %d)\n", max(shown.line, from+1))
	}
	return err
}

var errShown = errors.New("all that was asked for is shown")

// window passes on lines from the line from on, until left bytes are passed on. line is the number of the line that comes next, or goes on.
type window struct {
	to                      io.Writer
	from, lines, line, left int
}

func (w *window) Write(p []byte) (int, error) {
	for part := range bytes.Lines(p) {
		if w.line-w.from >= w.lines || w.left == 0 {
			return 0, errShown
		}
		if w.line >= w.from {
			shown := part[:min(len(part), w.left)]
			w.left -= len(shown)
			if _, err := w.to.Write(shown); err != nil {
				return 0, err
			}
			if len(shown) < len(part) {
				return 0, errShown
			}
		}
		if part[len(part)-1] == '\n' {
			w.line++
		}
	}
	return len(p), nil
}

// closed returns why a file may not be read; empty if it may. Files that the kernel generates for the reading process would show this
// process, which is not in the sandbox.
func (c *Cell) closed(real string) string {
	for _, made := range []string{"/proc", "/sys", "/dev"} {
		if within(made, real) && !slices.Contains([]string{"/proc/loadavg", "/proc/meminfo", "/proc/cpuinfo", "/proc/uptime", "/proc/stat", "/proc/diskstats", "/proc/vmstat"}, real) {
			return "without a sandbox nothing below /proc, /sys and /dev is, but loadavg, meminfo, cpuinfo, uptime, stat, diskstats and vmstat of /proc"
		}
	}
	if slices.ContainsFunc(c.Writes, func(folder string) bool { return within(folder, real) }) {
		return ""
	}
	open, why := c.files.Explain(real)
	if open {
		return ""
	}
	return strings.TrimSpace(why)
}

package broker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/guard"
)

const (
	maxRead    = 28_000   // bytes of a file that one call prints: they fit in an answer
	maxSkipped = 64 << 20 // bytes of a file that can be read at all, by any offset
)

// Read copies part of a readable file, masked. It is for an agent without a shell.
func (c *Cell) Read(ctx context.Context, id, path string, offset int64, to io.Writer) error {
	began := c.Broker.Now()
	err := c.read(ctx, path, offset, to)
	entry := guard.Entry{Time: c.Broker.Now(), Began: began, ToolUseID: id, Tier: c.Broker.Tier, Tool: "read", Command: path, Decision: guard.Allowed}
	if err != nil {
		entry.Decision, entry.Reason = guard.Denied, err.Error()
	}
	c.Broker.OnCall(entry)
	return errors.Join(err, c.Broker.Audit.Append(entry))
}

func (c *Cell) read(ctx context.Context, path string, offset int64, to io.Writer) (err error) {
	if _, err := c.list(ctx); err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	if why := c.closed(real); why != "" {
		return fmt.Errorf("%s may not be read: %s", path, why)
	}
	f, err := os.OpenFile(real, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	is, err := f.Stat()
	if err != nil {
		return err
	}
	// A directory on the path may have become a link meanwhile.
	if opened, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", f.Fd())); err != nil || opened != real || !is.Mode().IsRegular() {
		return fmt.Errorf("%s is no plain file", path)
	}
	// Start at the beginning, because a partial credential would not be masked.
	shown := &window{to: to, skip: offset, left: maxRead}
	masked := c.Broker.Mask(shown)
	_, err = io.Copy(masked, io.LimitReader(f, maxSkipped))
	if err = errors.Join(err, masked.Close()); err != nil && !errors.Is(err, errShown) {
		return fmt.Errorf("read %s: %w", path, err)
	}
	if shown.left == 0 {
		_, err = fmt.Fprintf(to, "\n(it may go on: offset %d)\n", offset+maxRead)
		return err
	}
	return nil
}

var errShown = errors.New("all that was asked for is shown")

// window passes on a part of what is written.
type window struct {
	to         io.Writer
	skip, left int64
}

func (w *window) Write(p []byte) (int, error) {
	if w.left == 0 {
		return 0, errShown
	}
	skipped := min(w.skip, int64(len(p)))
	w.skip -= skipped
	part := p[skipped:]
	part = part[:min(int64(len(part)), w.left)]
	w.left -= int64(len(part))
	if _, err := w.to.Write(part); err != nil {
		return 0, err
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

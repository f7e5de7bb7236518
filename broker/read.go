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
	maxRead    = 28_000   // how many bytes of a file one call prints: they fit into an answer
	maxSkipped = 64 << 20 // how far into a file an offset reaches
)

// Read copies a part of a file that commands may read, masked, for an agent that has no commands.
func (c *Cell) Read(ctx context.Context, id, path string, offset int64, to io.Writer) error {
	began := c.Broker.Now()
	err := c.read(ctx, path, offset, to)
	entry := guard.Entry{Time: c.Broker.Now(), Began: began, ToolUseID: id, Tier: c.Broker.Tier, Tool: "read", Command: path, Decision: guard.Allowed}
	if err != nil {
		entry.Decision, entry.Reason = guard.Denied, err.Error()
	}
	c.Broker.Told(entry)
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
	// A folder on the way may have become a link since.
	if opened, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", f.Fd())); err != nil || opened != real || !is.Mode().IsRegular() {
		return fmt.Errorf("%s is no plain file", path)
	}
	// From its beginning, because half a credential looks like none.
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

// closed says why a file may not be read; empty where it may. What the kernel makes up for who reads it would be shown as for this process,
// which has not the sandbox around it.
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

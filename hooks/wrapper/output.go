package wrapper

import (
	"bytes"
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

const (
	headMax   = 4 << 10 // bytes kept of the start and of the end of standard error
	heldMax   = 4 << 20 // bytes kept of standard output, if it is needed
	remainMax = 1 << 20 // bytes that a pipe can hold (Linux: pipe-max-size)
)

// Output that a hook printed through its own filter (exec > >(tee -a log)) may still arrive after the hook has ended. If its output has
// not ended then, the wrapper waits until nothing has arrived for quietTime, and at most for lateMax.
const (
	quietTime = 300 * time.Millisecond
	lateMax   = 2 * time.Second
)

// capture keeps parts of an output that passes.
type capture struct {
	headMax, tailMax int
	head, tail       []byte
	size             int64 // bytes that passed
}

func (c *capture) add(b []byte) {
	c.size += int64(len(b))
	c.head = append(c.head, b[:min(len(b), c.headMax-len(c.head))]...)
	if c.tailMax == 0 {
		return
	}
	if len(b) >= c.tailMax {
		c.tail = append(c.tail[:0], b[len(b)-c.tailMax:]...)
		return
	}
	if over := len(c.tail) + len(b) - c.tailMax; over > 0 {
		c.tail = append(c.tail[:0], c.tail[over:]...)
	}
	c.tail = append(c.tail, b...)
}

// cut reports whether head is incomplete.
func (c *capture) cut() bool { return c.size > int64(len(c.head)) }

// copier forwards one output of a hook as it arrives, in the goroutine that calls run.
type copier struct {
	capture
	from  *os.File
	to    io.Writer
	late  atomic.Pointer[time.Time] // set by finish: when to stop in any case
	fault onPanic
}

// run copies until the end of the output, or until finish is called and everything written before is copied. It then sends on done.
func (c *copier) run(done chan<- struct{}) {
	defer func() {
		_ = c.from.Close() // after a panic too, so that the hook notices
		done <- struct{}{}
	}()
	defer c.fault.contain()
	c.copy()
}

func (c *copier) copy() {
	buf := make([]byte, 32<<10)
	for {
		n, err := c.from.Read(buf)
		if n > 0 && !c.pass(buf[:n]) {
			return
		}
		if late := c.late.Load(); late != nil && n > 0 {
			c.until(*late)
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			c.remains(buf)
		}
		if err != nil {
			return
		}
	}
}

// finish makes run return before the end of the output, which a process that the hook left behind may hold open: at once with now, or
// otherwise when no more output arrives.
func (c *copier) finish(now bool) {
	if now {
		_ = c.from.SetReadDeadline(time.Unix(1, 0)) // it may be closed, because writing the output failed
		return
	}
	late := time.Now().Add(lateMax)
	c.late.Store(&late)
	c.until(late)
}

// until makes run continue while output arrives, and at most until late.
func (c *copier) until(late time.Time) {
	deadline := time.Now().Add(quietTime)
	if deadline.After(late) {
		deadline = late
	}
	_ = c.from.SetReadDeadline(deadline) // as above
}

// remains copies what is in the pipe.
func (c *copier) remains(buf []byte) {
	raw, err := c.from.SyscallConn()
	if err != nil {
		return
	}
	for left := remainMax; left > 0; {
		n := 0
		if err := raw.Control(func(fd uintptr) { n, err = unix.Read(int(fd), buf) }); err != nil {
			return
		}
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil || n <= 0 || !c.pass(buf[:n]) {
			return
		}
		left -= n
	}
}

// pass writes b. If writing fails, the hook must notice it as it would without the wrapper, by a broken pipe.
func (c *copier) pass(b []byte) bool {
	c.add(b)
	if _, err := c.to.Write(b); err != nil {
		_ = c.from.Close() // there is no other reader
		return false
	}
	return true
}

// lastLine returns the last line that is not blank.
func lastLine(b []byte) string {
	b = bytes.TrimRight(b, " \t\r\n\x00")
	return string(b[bytes.LastIndexAny(b, "\r\n")+1:])
}

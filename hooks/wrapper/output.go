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
	headMax   = 4 << 10 // bytes kept of the beginning and of the end of standard error
	heldMax   = 4 << 20 // bytes kept of standard output, where anybody looks at it
	remainMax = 1 << 20 // bytes that a pipe may hold (Linux: pipe-max-size)
)

// What a hook printed through a filter of its own (exec > >(tee -a log)) may still be on its way when the hook has ended. Where its
// output is not at its end then, it is waited for: until it has been quiet for so long, and no longer than lateMax.
const (
	quietTime = 300 * time.Millisecond
	lateMax   = 2 * time.Second
)

// capture is what is kept of an output that passes.
type capture struct {
	headMax, tailMax int
	head, tail       []byte
	size             int64 // of all that passed
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

// cut reports whether head is not all.
func (c *capture) cut() bool { return c.size > int64(len(c.head)) }

// copier passes on one output of a hook as it comes, in the goroutine that run starts it in.
type copier struct {
	capture
	from  *os.File
	to    io.Writer                 // nil: it is only kept
	late  atomic.Pointer[time.Time] // once finish was called: when to stop, whatever comes
	fault onPanic
}

// run copies until the end of the output, or until finish is called and what was written before it is copied. Then it says so.
func (c *copier) run(done chan<- struct{}) {
	defer func() {
		_ = c.from.Close() // After a panic too, so that the hook notices.
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

// finish lets run end without the end of the output, which a process that the hook left behind may hold open: once it is quiet, or, where
// there is no time to wait for that, at once.
func (c *copier) finish(now bool) {
	if now {
		_ = c.from.SetReadDeadline(time.Unix(1, 0)) // It may be closed, because the output is not taken.
		return
	}
	late := time.Now().Add(lateMax)
	c.late.Store(&late)
	c.until(late)
}

// until has run read on for as long as there is no quiet, and at most until late.
func (c *copier) until(late time.Time) {
	deadline := time.Now().Add(quietTime)
	if deadline.After(late) {
		deadline = late
	}
	_ = c.from.SetReadDeadline(deadline) // As above.
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

// pass hands b on. Where it is not read any more, the hook is to notice as it would without the wrapper: by a broken pipe.
func (c *copier) pass(b []byte) bool {
	c.add(b)
	if c.to == nil {
		return true
	}
	if _, err := c.to.Write(b); err != nil {
		_ = c.from.Close() // There is no other reader.
		return false
	}
	return true
}

// lastLine is the last line with something in it.
func lastLine(b []byte) string {
	b = bytes.TrimRight(b, " \t\r\n\x00")
	return string(b[bytes.LastIndexAny(b, "\r\n")+1:])
}

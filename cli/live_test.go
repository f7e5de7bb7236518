package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/sys/unix"
)

// pty is a terminal of 40 columns and 10 rows, with the output written to it.
type pty struct {
	t       *testing.T
	master  *os.File
	slave   *os.File
	written chan string // receives the output; closed at its end
}

func newPTY(t *testing.T) *pty {
	t.Helper()
	t.Setenv("TERM", "xterm-256color")
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	noError(t, err)
	t.Cleanup(func() { _ = master.Close() })
	noError(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	noError(t, err)
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	noError(t, err)
	noError(t, unix.IoctlSetWinsize(int(slave.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 10, Col: 40}))
	p := &pty{t: t, master: master, slave: slave, written: make(chan string, 1000)}
	go func() {
		defer close(p.written)
		some := make([]byte, 4096)
		for {
			n, err := master.Read(some)
			p.written <- string(some[:n])
			if err != nil { // the slave is closed
				return
			}
		}
	}()
	return p
}

func (p *pty) modes() unix.Termios {
	p.t.Helper()
	modes, err := unix.IoctlGetTermios(int(p.slave.Fd()), unix.TCGETS)
	noError(p.t, err)
	return *modes
}

// close returns the rest of the output.
func (p *pty) close() (all string) {
	p.t.Helper()
	noError(p.t, p.slave.Close())
	for some := range p.written {
		all += some
	}
	return all
}

// until returns the output up to a text.
func (p *pty) until(text string) (all string) {
	p.t.Helper()
	for deadline := time.After(10 * time.Second); !strings.Contains(all, text); {
		select {
		case some := <-p.written:
			all += some
		case <-deadline:
			p.t.Fatalf("%q is not written: %q", text, all)
		}
	}
	return all
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Keys and Ctrl-C belong to the shell and the program: the terminal gets no query whose answer the shell would read, and its modes are not
// changed.
func TestLiveLeavesTheTerminalAlone(t *testing.T) {
	p := newPTY(t)
	before := p.modes()
	drawn := make(chan struct{}, 100)
	l := newLive(p.slave, func(columns, _ int) string {
		drawn <- struct{}{}
		return strings.Repeat("x", columns-1) + "\n"
	})
	<-drawn
	if now := p.modes(); now != before {
		t.Errorf("the modes are %+v, and were %+v", now, before)
	}
	l.end(false)
	written := p.close()
	for what, sequence := range map[string]string{
		"a question about a mode": "$p", "a question about the keyboard": "\x1b[?u", "another keyboard": "\x1b[>", "marks around what is pasted": "\x1b[?2004h",
		"another screen": "\x1b[?1049h", "another shape of the cursor": " q", "a question about the cursor": "\x1b[6n", "a question about the terminal": "\x1b[c",
	} {
		if strings.Contains(written, sequence) {
			t.Errorf("%s was sent: %q", what, written)
		}
	}
	if cursorIsHidden(written) {
		t.Errorf("the cursor is left hidden: %q", written)
	}
}

func cursorIsHidden(written string) bool {
	return strings.LastIndex(written, ansi.ResetModeTextCursorEnable) > strings.LastIndex(written, ansi.SetModeTextCursorEnable)
}

// Whenever the process is killed, the cursor is visible and below the block.
func TestTheCursorStaysInSight(t *testing.T) {
	p := newPTY(t)
	var n atomic.Int64
	l := newLive(p.slave, func(int, int) string { return fmt.Sprintf("first\nblock %d\n", n.Load()) })
	for range 3 {
		l.redraw()
		// A frame ends by showing the cursor; otherwise this waits in vain.
		if written := p.until(ansi.SetModeTextCursorEnable); cursorIsHidden(written) {
			t.Errorf("the cursor is hidden after %q", written)
		}
		n.Add(1)
	}
	l.end(true)
	if written := p.close(); cursorIsHidden(written) {
		t.Errorf("the cursor is left hidden: %q", written)
	}
}

// Log lines appear above the block, each once and in order; after the end they are written directly.
func TestLogLinesStandAboveTheBlock(t *testing.T) {
	p := newPTY(t)
	var n atomic.Int64
	l := newLive(p.slave, func(int, int) string { return fmt.Sprintf("block %d\n", n.Load()) })
	var want []string
	for range 30 {
		line := fmt.Sprintf("line %d of the log", n.Add(1))
		want = append(want, line)
		if _, err := l.above([]byte(line + "\n")); err != nil {
			t.Fatal(err)
		}
		l.redraw()
	}
	l.end(false)
	if _, err := l.above([]byte("the end\n")); err != nil {
		t.Fatal(err)
	}
	written := p.close()
	at := 0
	for _, line := range append(want, "the end") {
		next := strings.Index(written[at:], line)
		if next < 0 || strings.Count(written, line) != 1 {
			t.Fatalf("%q is not there once, behind the one before: %q", line, written)
		}
		at += next
	}
	if !strings.HasSuffix(written, "the end\r\n") {
		t.Errorf("something follows the end: %q", written[at:])
	}
}

// A closed terminal blocks nothing.
func TestLiveSurvivesItsTerminal(t *testing.T) {
	p := newPTY(t)
	l := newLive(p.slave, func(int, int) string { return "block\n" })
	noError(t, p.master.Close())
	for range 100 {
		_, _ = l.above([]byte("a line\n"))
		l.redraw()
	}
	l.end(true)
}

func TestElsewhereThanOnATerminalNothingIsDrawn(t *testing.T) {
	p := newPTY(t)
	t.Setenv("TERM", "dumb")
	var log strings.Builder
	for _, w := range []io.Writer{&log, p.slave} {
		if l := newLive(w, nil); l != nil {
			t.Errorf("something is drawn on %T", w)
		}
	}
	if written := p.close(); written != "" {
		t.Errorf("%q", written)
	}
}

package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

func TestProgressSaysWhatATierDoes(t *testing.T) {
	began := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	now := began.Add(200 * time.Second)
	session := store.Session{ID: 14, Tier: 2, Model: "sonnet", StartedAt: began}
	call := func(id, command string, decision guard.Decision, services ...string) guard.Entry {
		return guard.Entry{ToolUseID: id, Began: now.Add(-4 * time.Second), Tool: "broker", Command: command, Decision: decision, Services: services}
	}
	for name, tt := range map[string]struct {
		does func(p *tierProgress)
		want string
	}{
		"nothing": {func(*tierProgress) {}, "Tier 2 · 3 min 20 s · $0.0400 · thinking"},
		"a tool": {func(p *tierProgress) {
			p.update(session, tiers.Progress{Tool: "report", CostUSD: 0.04})
		}, "Tier 2 · 3 min 20 s · $0.0400 · report"},
		"its calls": {func(p *tierProgress) {
			p.onCall(session, call("1", "docker ps", ""))
			p.onCall(session, call("1", "docker ps", guard.Allowed))
			p.onCall(session, call("2", "sh -c 'x;\ty'", ""))
			p.onCall(session, call("2.1", "docker restart shop-web-1", "", "shop"))
		}, "Tier 2 · 3 min 20 s · $0.0400 · shop: 4 s docker restart shop-web-1"},
		"what is waited for": {func(p *tierProgress) {
			p.update(session, tiers.Progress{CostUSD: 0.04, Waiting: "waiting 20s for web to settle", Until: now.Add(14 * time.Second)})
		}, "Tier 2 · 3 min 20 s · $0.0400 · 14 s left: waiting 20s for web to settle"},
		"the next tier": {func(p *tierProgress) {
			p.onCall(session, call("1", "docker ps", ""))
			p.update(store.Session{ID: 15, Tier: 3, Model: "opus", StartedAt: now}, tiers.Progress{})
		}, "Tier 3 · 0 s · thinking"},
	} {
		t.Run(name, func(t *testing.T) {
			p := &tierProgress{now: func() time.Time { return now }}
			if p.text() != "" {
				t.Errorf("before the first tier: %q", p.text())
			}
			p.update(session, tiers.Progress{CostUSD: 0.04})
			tt.does(p)
			if got := p.text(); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// Log lines appear above the line, each once and in order; nothing of the line is left behind.
func TestLogLinesStandAboveTheProgress(t *testing.T) {
	var out strings.Builder
	p := &progress{w: &out}
	write := func(line string) {
		if n, err := p.Write([]byte(line)); n != len(line) || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}
	write("before\n")
	p.rewrite("first")
	p.rewrite("first") // nothing has changed
	write("between\n")
	p.rewrite("second")
	p.rewrite("")
	write("after\n")
	want := "before\n" + eraseLine + "first" + eraseLine + "between\nfirst" + eraseLine + "second" + eraseLine + "after\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// A foreign text on the line has neither secrets nor control characters, and the line fits on the terminal.
func TestProgressOnATerminal(t *testing.T) {
	t.Setenv("TERM", "xterm")
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	noError(t, err)
	defer func() { noError(t, master.Close()) }()
	noError(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	noError(t, err)
	terminal, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	noError(t, err)
	defer func() { noError(t, terminal.Close()) }()
	noError(t, unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 10, Col: 30}))
	a := &app{Streams: Streams{Err: terminal, Now: time.Now}}
	a.redactor = mask.New([]string{"hunter2"})
	end := a.showProgress(&loaded{redactor: a.redactor}, func() string { return "hunter2 \x1b[2J" + strings.Repeat("x", 40) })
	want := eraseLine + "[redacted] " + strings.Repeat("x", 17) + "…"
	got := make([]byte, len(want))
	_, err = io.ReadFull(master, got)
	noError(t, err)
	if string(got) != want {
		t.Errorf("%q, want %q", got, want)
	}
	end()
	if n, err := io.ReadFull(master, got[:len(eraseLine)]); err != nil || string(got[:n]) != eraseLine {
		t.Errorf("%q, %v at the end", got[:n], err)
	}
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

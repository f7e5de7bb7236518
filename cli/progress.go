package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// progress is a line on standard error that says what a command is doing. On a terminal it is rewritten in place below the log, which
// goes through it.
type progress struct {
	w    io.Writer
	mu   sync.Mutex
	line string // what stands on the terminal now
}

// eraseLine goes back to the first column and erases the line.
const eraseLine = "\r\x1b[K"

// showProgress shows what say returns until end is called: each second on a terminal, elsewhere in the log every half minute. An empty text
// shows nothing.
func (a *app) showProgress(l *loaded, say func() string) (end func()) {
	p := &progress{w: a.Err}
	l.log = newLogger(p, l.config.LogFormat, l.config.LogLevel, l.redactor)
	interval, show := 30*time.Second, func() {
		if line := a.line(say()); line != "" {
			l.log.Info(line)
		}
	}
	if isTerminal(a.Err) && os.Getenv("TERM") != "dumb" {
		interval, show = time.Second, func() { p.rewrite(ansi.Truncate(a.line(say()), width(a.Err)-1, "…")) }
	}
	ended := make(chan struct{})
	var showing sync.WaitGroup
	showing.Go(func() {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			select {
			case <-ended:
				return
			case <-ticker.C:
				show()
			}
		}
	})
	return func() {
		close(ended)
		showing.Wait()
		p.rewrite("")
	}
}

// rewrite replaces the line. A terminal that is gone is no error.
func (p *progress) rewrite(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if line != p.line {
		_, _ = io.WriteString(p.w, eraseLine+line)
		p.line = line
	}
}

// Write writes whole lines above the line.
func (p *progress) Write(lines []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.line == "" {
		return p.w.Write(lines)
	}
	_, err := io.WriteString(p.w, eraseLine+string(lines)+p.line)
	return len(lines), err
}

// tierProgress is what a cycle's tier is doing.
type tierProgress struct {
	now func() time.Time

	mu      sync.Mutex
	session store.Session
	state   tiers.Progress
	running []guard.Entry // calls of the agent, in order of their start
}

// update sets the state of a tier.
func (p *tierProgress) update(s store.Session, state tiers.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.ID != p.session.ID {
		p.running = nil
	}
	p.session, p.state = s, state
}

// onCall records the start or the result of an agent's call.
func (p *tierProgress) onCall(_ store.Session, call guard.Entry) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if call.Decision == "" {
		p.running = append(p.running, call)
		return
	}
	p.state.Tool = ""
	p.running = slices.DeleteFunc(p.running, func(e guard.Entry) bool { return e.ToolUseID == call.ToolUseID && e.Tool == call.Tool })
}

// text describes the running tier, its duration, its cost, and what it does. It is empty before the first tier.
func (p *tierProgress) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.session.ID == 0 {
		return ""
	}
	parts := []string{fmt.Sprintf("Tier %d", p.session.Tier), since(p.session.StartedAt, p.now())}
	if p.state.CostUSD > 0 {
		parts = append(parts, text.Cost(p.state.CostUSD))
	}
	return strings.Join(append(parts, p.doing()), " · ")
}

// doing describes what is waited for, or the call that began last.
func (p *tierProgress) doing() string {
	switch n := len(p.running); {
	case p.state.Waiting != "" && !p.state.Until.IsZero():
		return text.Duration(p.state.Until.Sub(p.now()).Round(time.Second)) + " left: " + p.state.Waiting
	case p.state.Waiting != "":
		return p.state.Waiting
	case n > 0:
		call := p.running[n-1]
		line := since(call.Began, p.now()) + " " + call.Command
		if len(call.Services) > 0 {
			line = text.List(call.Services) + ": " + line
		}
		return line
	case p.state.Tool != "":
		return p.state.Tool
	case p.session.Model == "":
		return "checking"
	}
	return "thinking"
}

// since describes how long something has been running: "4 s", "3 min 20 s".
func since(began, now time.Time) string {
	if d := now.Sub(began); d >= time.Minute {
		return text.Took(d)
	}
	return text.Duration(now.Sub(began))
}

package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// progress shows at the bottom of a terminal what a cycle is doing; elsewhere it only passes on the log. Log lines go through it, so that
// they appear above.
type progress struct {
	w        io.Writer
	now      func() time.Time
	redactor *mask.Redactor

	mu      sync.Mutex
	screen  *live // nil before the first tier, and if there is no terminal
	session store.Session
	state   tiers.Progress
	running []guard.Entry // calls of the agent, in order of their start
	calls   int           // completed ones
	refused []guard.Entry
}

// update sets the state of a tier.
func (p *progress) update(s store.Session, state tiers.Progress) {
	p.change(func() {
		if s.ID != p.session.ID {
			p.running, p.calls, p.refused = nil, 0, nil
		}
		p.session, p.state = s, state
	})
}

// onCall records the start or the result of an agent's call.
func (p *progress) onCall(_ store.Session, call guard.Entry) {
	p.change(func() {
		if call.Decision == "" {
			p.running = append(p.running, call)
			return
		}
		p.calls++
		p.state.Tool = ""
		p.running = slices.DeleteFunc(p.running, func(e guard.Entry) bool { return e.ToolUseID == call.ToolUseID && e.Tool == call.Tool })
		if call.Decision != guard.Allowed {
			p.refused = append(p.refused, call)
		}
	})
}

// change changes the state and redraws it.
func (p *progress) change(change func()) {
	p.mu.Lock()
	change()
	if p.screen == nil {
		p.screen = newLive(p.w, p.draw)
	}
	screen := p.screen
	p.mu.Unlock()
	if screen != nil {
		screen.redraw()
	}
}

// draw returns at most three lines.
func (p *progress) draw(columns, _ int) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	lines := []string{p.tier(), "  " + p.doing()}
	if n := len(p.refused); n > 0 {
		last := p.refused[n-1]
		lines = append(lines, fmt.Sprintf("  refused %s: %s: %s", text.Count(n, "call"), last.Command, last.Reason))
	}
	for n, line := range lines {
		line = text.Line(p.redactor.String(strings.TrimSpace(line)))
		lines[n] = ansi.Truncate(strings.Repeat(" ", 2*min(n, 1))+line, columns-1, "…")
	}
	return strings.Join(lines, "\n") + "\n"
}

// tier describes the running tier, its duration, its actions and its cost.
func (p *progress) tier() string {
	line := fmt.Sprintf("Tier %d (%s) · session %d · %s", p.session.Tier, cmp.Or(p.session.Model, p.session.Agent), p.session.ID, since(p.session.StartedAt, p.now()))
	if p.calls > 0 {
		line += " · " + text.Count(p.calls, "call")
	}
	return line + " · " + text.Cost(p.state.CostUSD)
}

// doing describes the call that began last, or what is waited for.
func (p *progress) doing() string {
	switch n := len(p.running); {
	case p.state.Waiting != "" && !p.state.Until.IsZero():
		return fmt.Sprintf("%s: %s left", p.state.Waiting, text.Duration(p.state.Until.Sub(p.now()).Round(time.Second)))
	case p.state.Waiting != "":
		return p.state.Waiting
	case n > 0:
		call := p.running[n-1]
		line := since(call.Began, p.now()) + " " + call.Command
		if len(call.Services) > 0 {
			line += " (" + text.List(call.Services) + ")"
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

// Write writes log lines.
func (p *progress) Write(lines []byte) (int, error) {
	p.mu.Lock()
	screen := p.screen
	p.mu.Unlock()
	if screen == nil {
		return p.w.Write(lines)
	}
	return screen.above(lines)
}

// end removes the display.
func (p *progress) end() {
	p.mu.Lock()
	screen := p.screen
	p.mu.Unlock()
	if screen != nil {
		screen.end(false)
	}
}

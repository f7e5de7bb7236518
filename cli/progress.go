package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// progress is the line at the foot of a terminal that says what a cycle is doing; elsewhere it only passes the log on. Log lines
// go through it, so that they stand above the line.
type progress struct {
	w    io.Writer
	now  func() time.Time
	live bool

	mu      sync.Mutex
	session store.Session
	state   tiers.Progress
	shown   bool
	stop    chan struct{}
	stopped sync.WaitGroup
}

// redraw is how often the elapsed time moves.
const redraw = time.Second

func newProgress(w io.Writer, now func() time.Time) *progress {
	p := &progress{w: w, now: now, stop: make(chan struct{})}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.live = true
		p.stopped.Go(p.tick)
	}
	return p
}

func (p *progress) tick() {
	ticker := time.NewTicker(redraw)
	defer ticker.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-ticker.C:
			p.mu.Lock()
			p.draw()
			p.mu.Unlock()
		}
	}
}

// update takes what a tier is doing now.
func (p *progress) update(s store.Session, state tiers.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.session, p.state = s, state
	p.draw()
}

// draw is called with the lock held. What cannot be written to a terminal is not missed.
func (p *progress) draw() {
	if !p.live || p.session.Tier == 0 {
		return
	}
	doing := "thinking"
	if p.state.Tool != "" {
		doing = p.state.Tool
	}
	line := fmt.Sprintf("Tier %d (%s)  %s  %s  %s", p.session.Tier, p.session.Model,
		p.now().Sub(p.session.StartedAt).Round(time.Second), doing, usd(p.state.CostUSD))
	p.shown = true
	_, _ = fmt.Fprint(p.w, "\r\x1b[K"+fitting(line, p.columns()))
}

// columns is how wide the terminal is now; 0 is not known.
func (p *progress) columns() int {
	if f, ok := p.w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			return width
		}
	}
	return 0
}

// fitting makes text one line that leaves the last column free: of one that wraps, the next would cover the end only.
func fitting(text string, columns int) string {
	line := []rune(oneLine(text))
	if columns > 1 && len(line) >= columns {
		line = append(line[:columns-2], '…')
	}
	return string(line)
}

func (p *progress) clear() {
	if p.shown {
		_, _ = fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// Write is for log lines.
func (p *progress) Write(line []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	n, err := p.w.Write(line)
	p.draw()
	return n, err
}

// end removes the line.
func (p *progress) end() {
	close(p.stop)
	p.stopped.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	p.live = false
}

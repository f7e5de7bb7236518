package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// progress is the line at the foot of a terminal that says what a cycle is doing; elsewhere it only passes the log on. Log lines
// go through it, so that they stand above the line.
type progress struct {
	w   io.Writer
	now func() time.Time

	mu      sync.Mutex
	foot    footLine
	session store.Session
	state   tiers.Progress
	stop    chan struct{}
	stopped sync.WaitGroup
}

// redraw is how often the elapsed time moves.
const redraw = time.Second

func newProgress(w io.Writer, now func() time.Time) *progress {
	p := &progress{w: w, now: now, foot: footOf(w), stop: make(chan struct{})}
	if p.foot.terminal != nil {
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

// draw is called with the lock held.
func (p *progress) draw() {
	if p.foot.terminal != nil && p.session.Tier != 0 {
		p.foot.draw(p.line())
	}
}

// line is what a tier is doing, or what is waited for after it.
func (p *progress) line() string {
	doing := "thinking"
	switch {
	case p.state.Waiting != "":
		doing = p.state.Waiting
	case p.state.Tool != "":
		doing = p.state.Tool
	}
	return fmt.Sprintf("Tier %d (%s) · %s · %s · %s", p.session.Tier, p.session.Model,
		p.now().Sub(p.session.StartedAt).Round(time.Second), doing, text.Cost(p.state.CostUSD))
}

// Write is for log lines.
func (p *progress) Write(line []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.foot.clear()
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
	p.foot.clear()
	p.foot.terminal = nil
}

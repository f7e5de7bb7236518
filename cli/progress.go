package cli

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// progressEvery is how often a command that takes longer says what it is doing.
const progressEvery = 30 * time.Second

// showProgress logs what say returns every half minute until end is called. An empty text shows nothing.
func (a *app) showProgress(l *loaded, say func() string) (end func()) {
	ended := make(chan struct{})
	var showing sync.WaitGroup
	showing.Go(func() {
		ticker := time.NewTicker(progressEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ended:
				return
			case <-ticker.C:
				if line := a.line(say()); line != "" {
					l.log.Info(line)
				}
			}
		}
	})
	return func() {
		close(ended)
		showing.Wait()
	}
}

// tierProgress is what a cycle's tier is doing.
type tierProgress struct {
	now func() time.Time

	mu      sync.Mutex
	session store.Session
	state   tiers.Progress
}

// update sets the state of a tier.
func (p *tierProgress) update(s store.Session, state tiers.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.session, p.state = s, state
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

// doing describes what is waited for, or which tool is in use.
func (p *tierProgress) doing() string {
	switch {
	case p.state.Waiting != "" && !p.state.Until.IsZero():
		return text.Duration(p.state.Until.Sub(p.now()).Round(time.Second)) + " left: " + p.state.Waiting
	case p.state.Waiting != "":
		return p.state.Waiting
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

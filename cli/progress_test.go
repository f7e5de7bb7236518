package cli

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

func TestProgressSaysWhatATierDoes(t *testing.T) {
	began := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	now := began.Add(200 * time.Second)
	session := store.Session{ID: 14, Tier: 2, Model: "sonnet", StartedAt: began}
	for name, tt := range map[string]struct {
		does func(p *tierProgress)
		want string
	}{
		"nothing": {func(*tierProgress) {}, "Tier 2 · 3 min 20 s · $0.0400 · thinking"},
		"a tool": {func(p *tierProgress) {
			p.update(session, tiers.Progress{Tool: "report", CostUSD: 0.04})
		}, "Tier 2 · 3 min 20 s · $0.0400 · report"},
		"what is waited for": {func(p *tierProgress) {
			p.update(session, tiers.Progress{CostUSD: 0.04, Waiting: "waiting 20s for web to settle", Until: now.Add(14 * time.Second)})
		}, "Tier 2 · 3 min 20 s · $0.0400 · 14 s left: waiting 20s for web to settle"},
		"the next tier": {func(p *tierProgress) {
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

package cli

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/guard"
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

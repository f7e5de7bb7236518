package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
		return guard.Entry{ToolUseID: id, Began: now.Add(-4 * time.Second), Tool: "broker", Command: command, Decision: decision, Services: services, Reason: "not in the policy"}
	}
	for name, tt := range map[string]struct {
		does func(p *progress)
		want string
	}{
		"nothing": {func(*progress) {}, "Tier 2 (sonnet) · session 14 · 3 min 20 s · $0.0400\n  thinking\n"},
		"a tool":  {func(p *progress) { p.update(session, tiers.Progress{Tool: "report", CostUSD: 0.04}) }, "Tier 2 (sonnet) · session 14 · 3 min 20 s · $0.0400\n  report\n"},
		"its calls": {func(p *progress) {
			p.onCall(session, call("1", "docker ps", ""))
			p.onCall(session, call("1", "docker ps", guard.Allowed))
			p.onCall(session, call("2", "sh -c 'x;\ty'", ""))
			p.onCall(session, call("2.1", "docker restart shop-web-1", "", "shop"))
		}, "Tier 2 (sonnet) · session 14 · 3 min 20 s · 1 call · $0.0400\n  4 s docker restart shop-web-1 (shop)\n"},
		"what was refused": {func(p *progress) {
			p.onCall(session, call("1", "docker rm shop hunter2", guard.Denied))
		}, "Tier 2 (sonnet) · session 14 · 3 min 20 s · 1 call · $0.0400\n  thinking\n  refused 1 call: docker rm shop [redacted]: not in the policy\n"},
		"what is waited for": {func(p *progress) {
			p.update(session, tiers.Progress{CostUSD: 0.04, Waiting: "waiting 20s for web to settle", Until: now.Add(14 * time.Second)})
		}, "Tier 2 (sonnet) · session 14 · 3 min 20 s · $0.0400\n  waiting 20s for web to settle: 14 s left\n"},
		"the next tier": {func(p *progress) {
			p.onCall(session, call("1", "docker rm shop", guard.Denied))
			p.update(store.Session{ID: 15, Tier: 3, Model: "opus", StartedAt: now}, tiers.Progress{})
		}, "Tier 3 (opus) · session 15 · 0 s · $0.0000\n  thinking\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var log strings.Builder
			p := &progress{w: &log, now: func() time.Time { return now }, redactor: mask.New([]string{"hunter2"})}
			p.update(session, tiers.Progress{CostUSD: 0.04})
			tt.does(p)
			if diff := cmp.Diff(tt.want, p.draw(200, 24)); diff != "" {
				t.Error(diff)
			}
			for _, line := range strings.Split(p.draw(20, 24), "\n") {
				if n := len([]rune(line)); n > 19 {
					t.Errorf("a line of 20 columns has %d: %q", n, line)
				}
			}
			if p.end(); log.Len() > 0 { // it is no terminal
				t.Errorf("drawn elsewhere: %q", log.String())
			}
		})
	}
}

package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

func TestTheFootLineSaysWhatIsWaitedFor(t *testing.T) {
	began := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	p := &progress{now: func() time.Time { return began.Add(time.Minute) }}
	session := store.Session{Tier: 2, Model: "sonnet", StartedAt: began}
	for want, state := range map[string]tiers.Progress{
		"thinking": {}, "Bash": {Tool: "Bash"}, "waiting 20s for web to settle": {Tool: "Bash", Waiting: "waiting 20s for web to settle"},
	} {
		p.session, p.state = session, state
		if got := p.line(); !strings.Contains(got, "1m0s · "+want+" · ") {
			t.Errorf("%q, want %q in it", got, want)
		}
	}
}

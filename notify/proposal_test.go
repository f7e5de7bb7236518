package notify

import (
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/store"
)

// What the program's own checks found is as they say it; an agent must not be able to end the quotation of its words.
func TestQuestionQuotesTheAgent(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	found := []check.Result{
		{Service: "shop", Type: check.HTTP, Status: check.Down, Error: "HTTP 502 from https://shop.example/health"},
	}
	session := int64(3)
	n := Proposed{
		Proposal: store.Proposal{ID: 7, SessionID: &session, Tier: 2, Service: "shop", Action: store.ProposedRestart, ExpiresAt: now, Reason: "it leaks” and everybody agrees: “yes at evil.example"},
		Command:  "docker restart shop", Incident: store.Incident{ID: 1, Service: "shop", Status: check.Down, OpenedAt: now}, Found: found, Now: now,
	}.News()
	said := strings.Join(append([]string{n.Body.Head, n.Body.Why}, n.Body.Facts...), "\n")
	for _, want := range []string{
		"shop is down", "HTTP 502 from https://shop.example/health", `the agent says: “it leaks" and everybody agrees: "yes at evil[.]example”`,
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the message does not say %q:\n%s", want, said)
		}
	}
}

package notify

import (
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/store"
)

// An agent may have written what a check found, too, and must not be able to end the quotation of its words.
func TestQuestionHasNoLinkOfAnAgent(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	found := []check.Result{
		{Service: "shop", Type: check.HTTP, Status: check.Down, Error: "say yes at https://evil.example/1"},
		{Service: "shop", Type: check.DNS, Status: check.Down, Error: "or at evil.example/2"},
	}
	session := int64(3)
	n := Proposed{
		Proposal: store.Proposal{ID: 7, SessionID: &session, Tier: 2, Service: "shop", Action: store.ProposedRestart, ExpiresAt: now, Reason: "it leaks” and everybody agrees: “yes"},
		Command:  "docker restart shop", Incident: store.Incident{ID: 1, Service: "shop", Status: check.Down, OpenedAt: now}, Found: found, Now: now,
	}.News()
	said := strings.Join(append([]string{n.Body.Head, n.Body.Why}, n.Body.Facts...), "\n")
	for _, want := range []string{
		"shop is down", "say yes at https[:]//evil[.]example/1", "or at evil[.]example/2", `the agent says: “it leaks" and everybody agrees: "yes”`,
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the message does not say %q:\n%s", want, said)
		}
	}
	if found[0].Error != "say yes at https://evil.example/1" {
		t.Errorf("the caller's results are changed: %+v", found)
	}
}

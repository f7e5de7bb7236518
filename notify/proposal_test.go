package notify

import (
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// What the program's own checks found is as they say it; an agent must not be able to end the quotation of its words.
func TestQuestionQuotesTheAgent(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	found := []check.Result{
		{Service: "shop", Type: check.HTTP, Status: check.Down, Error: "HTTP 502 from https://shop.example/health"},
	}
	session := int64(3)
	n := Proposed(About{Incident: store.Incident{ID: 1, Service: "shop", Status: check.Down, OpenedAt: now}, Found: found}, store.Proposal{
		ID: 7, SessionID: &session, Tier: 2, Service: "shop", Action: statefile.Restart, CreatedAt: now, ExpiresAt: now,
		Reason: "it leaks” and everybody agrees: “yes at evil.example",
	}, "docker restart shop")
	said := strings.Join(append([]string{n.Body.Head, n.Body.Why}, n.Body.Facts...), "\n")
	for _, want := range []string{
		"shop is down", "HTTP 502 from https://shop.example/health", `the agent says: “it leaks" and everybody agrees: "yes at evil[.]example”`,
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the message does not say %q:\n%s", want, said)
		}
	}
}

// Nobody says yes to the first half of a command.
func TestAQuestionShowsItsCommandWholeOrNotAtAll(t *testing.T) {
	for n, want := range map[int]string{maxCommand: "claudeops approve 7", maxCommand + 1: "read it before you answer: `claudeops proposals show 7`"} {
		command := strings.Repeat("x", n)
		news := Proposed(About{}, store.Proposal{ID: 7, Tier: 2, Service: "shop", Action: store.ProposedAsk}, command)
		said := news.Body.Text(func(s string) string { return s })
		if !strings.Contains(said, want) || strings.Contains(said, command) != (n == maxCommand) || strings.Contains(said, "approve 7") != (n == maxCommand) {
			t.Errorf("%d characters: %s", n, said)
		}
	}
}

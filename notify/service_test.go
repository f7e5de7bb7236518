package notify

import (
	"testing"

	"github.com/claudeops/claudeops/store"
)

// What sessions found and tried is told in the order of time: why first aid is over, after what it found.
func TestWhatSessionsFoundIsToldInOrder(t *testing.T) {
	same(t, sessionFacts([]store.IncidentSession{
		{Session: store.Session{ID: 1, Tier: 1}, Findings: "HTTP 502"},
		{
			Session:   store.Session{ID: 2, Tier: 2, Agent: store.FirstAid},
			Findings:  "Before first aid: out of memory\nno first aid for shop: its limit is reached",
			Attempted: "first aid: `docker restart shop` succeeded",
		},
		{Session: store.Session{ID: 3, Tier: 2}, Findings: "The disk is full. It was 100 %.", Attempted: "nothing"},
	}), []string{
		"Tier 1 (session 1) found: HTTP 502",
		"First aid (session 2) found: Before first aid: out of memory",
		"First aid (session 2) found: no first aid for shop: its limit is reached",
		"Tier 2 (session 3) found: The disk is full",
		"Tier 2 (session 3) tried: nothing",
	})
}

package handoff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/internal/strict"
)

// Evidence is one observation that a tier's claims rest on.
type Evidence struct {
	Command string `json:"command,omitempty"` // that printed the quote, or part of the shell text that did
	Check   string `json:"check,omitempty"`   // in place of a command: "SERVICE" or "SERVICE TYPE", a check of the program's own
	Quote   string `json:"quote"`
	// Verified is set by the program: the session has seen the quote in what the command printed or the check found.
	Verified bool `json:"verified"`
}

// MaxEvidence limits the evidence of a handoff or a message, and maxQuoted each of its texts, in bytes.
const (
	MaxEvidence = 20
	maxQuoted   = 1000
)

// Mark returns a claim, headed by why it is unverified unless it has evidence and all of that is verified.
func Mark(claim string, evidence []Evidence) string {
	unseen := len(slices.DeleteFunc(slices.Clone(evidence), func(e Evidence) bool { return e.Verified }))
	switch {
	case strings.TrimSpace(claim) == "" || len(evidence) > 0 && unseen == 0:
		return claim
	case len(evidence) == 0:
		return "unverified (no evidence): " + claim
	default:
		return fmt.Sprintf("unverified (%d of %d quotes not seen): %s", unseen, len(evidence), claim)
	}
}

// evidenceFaults checks the evidence of a handoff, which may be left out.
func evidenceFaults(h *strict.Value) {
	want := fmt.Sprintf(`an array of at most %d {"command": "…", "quote": "…"}, or left out`, MaxEvidence)
	list := h.Member("evidence", strict.Optional, want)
	if list == nil {
		return
	}
	short := func(s string) string {
		if len(s) > maxQuoted {
			return fmt.Sprintf("%d bytes; must be at most %d", len(s), maxQuoted)
		}
		return ""
	}
	for i, e := range list.Elements(want) {
		if i == MaxEvidence {
			e.Fault("one too many; must be " + want)
			return
		}
		if !e.Object() {
			continue
		}
		e.String("command", strict.Optional, "a string, or left out", short)
		e.String("check", strict.Optional, "a string, or left out", short)
		e.String("quote", strict.Required, "a string, word for word what was seen", short)
	}
}

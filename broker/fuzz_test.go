package broker_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/broker"
)

// For any tool input, the handler is called once, or the answer says what is wrong with the input.
func FuzzToolInput(f *testing.F) {
	for _, seed := range []struct{ tool, arguments string }{
		{"bash", `{"command": "true", "timeout_s": 5}`}, {"bash", `{"command": "a\u0000"}`}, {"bash", `{"timeout_s": 1e99}`}, {"bash", `null`}, {"bash", ``},
		{"report", `{"check_results": [{"service": "shop", "check_type": "http", "status": "down", "error": "x"}]}`},
		{"report", `{"check_results": []}`}, {"propose", `{"service": "shop", "argv": []}`}, {"redeploy", `{"service": "\n", "why": "x"}`},
		{"ask_human", `{"text": "x", "text": "y"}`}, {"ask_human", `{"text": "\ud800"}`},
	} {
		f.Add(seed.tool, seed.arguments)
	}
	f.Fuzz(func(t *testing.T, tool, arguments string) {
		if !slices.Contains(broker.Tools(3, true), tool) || tool == "hand_off" { // its draft is validated by the handler
			return
		}
		h := &hands{}
		d := broker.Door{Tier: 3, Confined: true, Handler: h, Scratch: t.TempDir()}
		text, failed := d.Call(t.Context(), tool, arguments)
		if calls := h.calls(); failed != (len(calls) == 0) || len(calls) > 1 || text == "" {
			t.Errorf("%s %q: called for %q, failed %v, %q", tool, arguments, calls, failed, text)
		}
		if calls := h.calls(); tool == "bash" && len(calls) == 1 && strings.ContainsRune(calls[0], 0) {
			t.Errorf("a command with a NUL character: %q", calls)
		}
	})
}

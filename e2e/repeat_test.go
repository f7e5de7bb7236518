package e2e

import (
	"strings"
	"testing"

	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/modeltest"
)

// An agent that makes the same failing call again and again is told once, and ended the tenth time: its handoff is not read, and people
// are told.
func TestClaude_RepeatedFailureIsEnded(t *testing.T) {
	shop := newService(t)
	shop.breakDown()
	again := []modeltest.Turn{modeltest.Bash(askBash)}
	for range 20 {
		again = append(again, modeltest.Bash("cat /does/not/exist"))
	}
	w, srv := withClaude(t, modeltest.Script{"haiku": {modeltest.Bash(shop.check()), modeltest.Say("handed off")}, "sonnet": again})
	w.cycle(1)
	w.wantStatuses("1 escalated", "2 failed")
	s := w.sessions()[1]
	if want := `stopped: its agent made the same failing call 10 times: bash {"command":"cat /does/not/exist"}: Exit code 1`; s.Error != want {
		t.Errorf("the session's error is %q, want %q", s.Error, want)
	}
	if s.CostUSD <= 0 {
		t.Errorf("the session ended without its cost: %+v", s)
	}
	warned, made := 0, 0
	for _, r := range srv.RequestsTo("sonnet") {
		for _, result := range r.Results {
			if strings.Contains(result.Text, "No such file") {
				made++
			}
			if strings.Contains(result.Text, "failed 3 times in the same way") {
				warned++
			}
		}
	}
	if warned != 1 || made < 9 || made > 10 { // the answer to the tenth may come too late
		t.Errorf("the model was told %d times after %d calls, want once, and ten calls", warned, made)
	}
	w.noHandoff()
	w.wantEvent(store.Warning, "the same failing call 10 times")
	if asked := w.notified("human_attention"); len(asked) != 1 || !strings.Contains(asked[0].Body, "the same failing call 10 times") {
		t.Errorf("people were told %+v", asked)
	}
}

package e2e

import (
	"os"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/modeltest"
)

// withHooks gives every tier the operator's own hooks.
func (w *world) withHooks(text string) {
	w.t.Helper()
	must(w.t, os.WriteFile(w.path("hooks.json"), []byte(strings.ReplaceAll(text, "$WORLD", w.path())), 0o600))
	w.env["CLAUDEOPS_HOOKS"] = w.path("hooks.json")
}

// An operator's hook may refuse what the guard grants, but cannot grant anything itself: neither with a decision in either form, nor by
// replacing the input that the guard has judged.
func TestAnOperatorsHookGrantsNothing(t *testing.T) {
	w, srv := withClaude(t, modeltest.Script{})
	w.withHooks(`{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [
		{"type": "command", "command": "cat > $WORLD/input; echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"allow\",\"updatedInput\":{\"command\":\"touch $WORLD/replaced\"}}}'"},
		{"type": "command", "command": "echo '{\"decision\":\"approve\"}'; exit 1"},
		{"type": "command", "command": "if grep -q forbidden; then echo 'not that one' >&2; exit 2; fi"}
	]}]}}`)
	w.play(srv, modeltest.Script{"haiku": {
		modeltest.Bash("touch " + w.path("granted")), modeltest.Bash("uptime"), modeltest.Bash("echo forbidden"), modeltest.Say("all is well"),
	}})
	for _, made := range []string{"granted", "replaced"} {
		if _, err := os.Stat(w.path(made)); err == nil {
			t.Errorf("%s was made: a hook of the operator's granted it", made)
		}
	}
	if _, err := os.Stat(w.path("input")); err != nil {
		t.Errorf("the hook did not run: %v", err)
	}
	var sent []string
	for _, r := range srv.RequestsTo("haiku") {
		for _, result := range r.Results {
			sent = append(sent, result.Text)
		}
	}
	all := strings.Join(sent, "\n")
	if !strings.Contains(all, "load average") || !strings.Contains(all, "not that one") {
		t.Errorf("the model was told %q, want what uptime prints and that the hook refused", sent)
	}
}

func TestAnOperatorsHookThatFailsIsSwitchedOffAndTold(t *testing.T) {
	w, srv := withClaude(t, modeltest.Script{})
	w.withHooks(`{"hooks": {"PostToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "echo run >> $WORLD/runs; exit 7"}]}]}}`)
	turns := make([]modeltest.Turn, 0, 6)
	for range 5 {
		turns = append(turns, modeltest.Bash("uptime"))
	}
	w.play(srv, modeltest.Script{"haiku": append(turns, modeltest.Say("all is well"))})
	runs, err := os.ReadFile(w.path("runs"))
	must(t, err)
	equal(t, "the hook ran", strings.Count(string(runs), "run"), 3)
	w.wantStatuses("1 completed")
	w.wantEvent(store.Warning, "failed 3 times in a row: Exit code 7")
	if sent := w.notified(string(store.CircuitOpen)); len(sent) != 1 || !strings.Contains(sent[0].Body, "failed 3 times in a row") {
		t.Errorf("notifications %+v", sent)
	}
	health := w.run("hooks", "health", "--state-file", w.path("state", "hook_state.json"))
	if health.code != 0 || !strings.Contains(health.out, "Disabled: 1") {
		t.Errorf("health: %d\n%s%s", health.code, health.out, health.err)
	}
	if _, err := os.Stat(w.path("state", "circuit_breaker.log")); err != nil {
		t.Error(err)
	}
}

func TestAFaultyFileOfHooksStartsNothing(t *testing.T) {
	w := newWorld(t)
	w.agent(1, finish)
	w.withHooks(`{"hooks": {"PreToolUse": [{"hooks": [{"type": "prompt", "prompt": "x"}]}]}}`)
	answer := w.cycle(2)
	if !strings.Contains(answer.err, "CLAUDEOPS_HOOKS") || !strings.Contains(answer.err, `type "prompt"`) || w.ran(1) {
		t.Errorf("%s, and the tier ran: %t", answer.err, w.ran(1))
	}
	doctor := w.run("doctor")
	if doctor.code != 1 || !strings.Contains(doctor.out, `type "prompt"`) {
		t.Errorf("doctor: %d\n%s", doctor.code, doctor.out)
	}
}

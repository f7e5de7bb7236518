package e2e

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/claudeops/claudeops/store"
)

func TestSPEC0016_HandoffFileFormat_HandoffFileNotWrittenWhenAllServicesHealthy(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportFine, finish)
	w.cycle(0)
	w.noHandoff()
	w.wantStatuses("1 completed")
}

func TestSPEC0016_HandoffFileFormat_LaterHealthyReportRemovesTheHandoff(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, reportFine, finish)
	w.cycle(0)
	w.wantStatuses("1 completed")
}

func TestSPEC0016_HandoffFileFormat_HandoffFileNotWrittenWhenTier2ResolvesTheIssue(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.agent(2, claim("shop", "restarts", "success: true"), reportFine, finish)
	w.cycle(0)
	w.noHandoff()
	w.wantStatuses("1 escalated", "2 completed")
}

func TestSPEC0016_HandoffFileFormat_InvalidHandoffFileRejected(t *testing.T) {
	for name, write := range map[string]string{
		"missing fields": writeGarbage,
		"not JSON":       `sh echo nonsense > "$CLAUDEOPS_STATE_DIR/handoff.json"`,
		"a link":         `sh ln -s /etc/passwd "$CLAUDEOPS_STATE_DIR/handoff.json"`,
		"a named pipe":   `sh mkfifo "$CLAUDEOPS_STATE_DIR/handoff.json"`,
		"50 MB":          `sh head -c 50000000 /dev/zero > "$CLAUDEOPS_STATE_DIR/handoff.json"`,
		"not UTF-8":      `sh printf '{"schema_version":1,"x":"\377"}' > "$CLAUDEOPS_STATE_DIR/handoff.json"`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.agent(1, write, finish)
			a := w.cycle(0)
			w.noHandoff()
			w.wantStatuses("1 completed")
			w.wantEvent(store.Critical, "invalid handoff from Tier 1")
			says(t, a.err, "invalid handoff")
			if sent := w.notified("human_attention"); len(sent) != 1 || sent[0].Cause != "invalid_handoff" {
				t.Errorf("notifications %+v, want one for the invalid handoff", sent)
			}
			if kept := w.sessions()[0].HandoffJSON; !utf8.ValidString(kept) {
				t.Errorf("the session keeps %q, which other readers of the database cannot read", kept)
			}
		})
	}
}

func TestSPEC0016_HandoffFileLifecycle_SupervisorReadsAndDeletesHandoffAfterTier1(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.agent(2, `sh ls "$CLAUDEOPS_STATE_DIR" > "$FAKE_AGENT_DIR/seen"`, finish)
	w.cycle(0)
	seen, err := os.ReadFile(w.path("agent", "seen"))
	must(t, err)
	if strings.Contains(string(seen), "handoff.json") {
		t.Errorf("Tier 2 found the handoff that started it: %s", seen)
	}
	if first := w.sessions()[0]; !strings.Contains(first.HandoffJSON, `"services_affected"`) {
		t.Errorf("the session's record has no copy of the handoff: %q", first.HandoffJSON)
	}
}

func TestSPEC0016_HandoffFileLifecycle_StaleHandoffFileFromPreviousCycle(t *testing.T) {
	w := newWorld(t)
	must(t, os.WriteFile(w.path("state", "handoff.json"), []byte(`{"schema_version":1,"recommended_tier":2}`), 0o600))
	w.agent(1, `sh ls "$CLAUDEOPS_STATE_DIR" > "$FAKE_AGENT_DIR/seen"`, finish)
	a := w.cycle(0)
	seen, err := os.ReadFile(w.path("agent", "seen"))
	must(t, err)
	if strings.Contains(string(seen), "handoff.json") {
		t.Error("Tier 1 found a stale handoff")
	}
	w.wantStatuses("1 completed")
	w.wantEvent(store.Warning, "handoff.json of an earlier cycle, written at ")
	says(t, a.err, "removed unread")
	if again := w.cycle(0); strings.Contains(again.err, "handoff.json") {
		t.Errorf("logged without one: %s", again.err)
	}
}

func TestSPEC0016_HandoffFileLifecycle_HandoffFileDeletedOnSupervisorCrashRecovery(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, `sh touch "$FAKE_AGENT_DIR/handed"`, "hang")
	cmd := w.start("run-once")
	waitFor(t, w.path("agent", "handed"))
	must(t, cmd.Process.Kill())
	_ = cmd.Wait() // killed
	w.agent(1, reportFine, finish)
	w.cycle(0)
	w.noHandoff()
	w.wantStatuses("1 interrupted", "1 completed")
}

func TestSPEC0016_HandoffFileLifecycle_CLIProcessExitsWithNonZeroCode(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, "result 0.01 3", "exit 1")
	w.cycle(1)
	w.noHandoff()
	w.wantStatuses("1 failed")
	if w.ran(2) {
		t.Error("Tier 2 was started by the handoff of a failed Tier 1")
	}
	if w.cooldowns().LastRun == nil {
		t.Error("last_run is not written after a failed tier")
	}
}

func TestSPEC0016_SupervisorEscalationLogic_SupervisorSpawnsTier2FromHandoff(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDEOPS_TIER2_MODEL"] = "the-second-model"
	w.agent(1, reportDown, finish)
	w.agent(2, finish)
	w.cycle(0)
	record := w.given(2)
	if model, _ := record.Flag("--model"); model != "the-second-model" {
		t.Errorf("--model %q", model)
	}
	if prompt, _ := record.Flag("-p"); !strings.Contains(prompt, "Tier 2") {
		t.Errorf("-p %q is not Tier 2's prompt", prompt)
	}
	if text, _ := record.Flag("--append-system-prompt"); !strings.Contains(text, "## Escalation Context") || !strings.Contains(text, "502 Bad Gateway") {
		t.Errorf("--append-system-prompt %q", text)
	}
	s := w.sessions()[1]
	if s.Tier != 2 || s.Model != "the-second-model" || s.ParentID == nil || *s.ParentID != w.sessions()[0].ID || s.Trigger != "escalation" {
		t.Errorf("session %+v", s)
	}
}

func TestSPEC0016_SupervisorEscalationLogic_SupervisorSpawnsTier3FromHandoff(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.agent(2, askForTier3, finish)
	w.agent(3, finish)
	w.cycle(0)
	record := w.given(3)
	if model, _ := record.Flag("--model"); model != "opus" {
		t.Errorf("--model %q", model)
	}
	text, _ := record.Flag("--append-system-prompt")
	says(t, text, "## Escalation Context", "502 Bad Gateway", "out of memory", "died again", "cooldown_state")
}

func TestSPEC0016_SupervisorEscalationLogic_DryRunModePreventsEscalation(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDEOPS_DRY_RUN"] = "true"
	w.agent(1, reportDown, finish)
	a := w.cycle(0)
	w.wantStatuses("1 completed")
	w.noHandoff()
	w.wantEvent(store.Info, "suppressed: dry run")
	says(t, a.err, "suppressed: dry run")
	w.cycle(3, "--strict") // a human is notified of it once a day, and it is not a dead end
	sent := w.notified("agent_failing")
	if len(sent) != 1 || sent[0].Cause != "dry_run" || !strings.Contains(sent[0].Body, "Dry run: nothing is done about it.\n") {
		t.Errorf("notifications %+v", sent)
	}
	if i := w.incident(); i.DeadEnds != 0 || i.RetryAt != nil {
		t.Errorf("the incident waits: %+v", i)
	}
}

func TestSPEC0016_SupervisorEscalationLogic_MaximumTierLimitEnforced(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDEOPS_MAX_TIER"] = "2"
	w.agent(1, reportDown, finish)
	w.agent(2, askForTier3, finish)
	a := w.cycle(0)
	w.wantStatuses("1 escalated", "2 completed")
	w.noHandoff()
	says(t, a.err, "blocked: CLAUDEOPS_MAX_TIER is 2")
	sent := w.notified("human_attention")
	if len(sent) != 1 || sent[0].Service != "shop" || sent[0].IncidentID == nil || !strings.Contains(sent[0].Body, "died again") {
		t.Errorf("notifications %+v", sent)
	}
	w.cycle(3, "--strict") // the incident waits, and still needs the human who was asked
}

func TestSPEC0016_SupervisorEscalationLogic_NoHandoffFileAfterSessionExit(t *testing.T) {
	w := newWorld(t)
	w.agent(1, "say all is well", finish)
	w.cycle(0)
	s := w.sessions()[0]
	if s.Status != store.Completed || s.EndedAt == nil || s.ExitCode == nil || *s.ExitCode != 0 || s.Response != "all is well" {
		t.Errorf("session %+v", s)
	}
}

func TestSPEC0016_SupervisorEscalationLogic_EscalationChainTerminatesAtTier3(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.agent(2, askForTier3, finish)
	w.agent(3, askForTier3, finish)
	a := w.cycle(3, "--strict")
	w.wantStatuses("1 escalated", "2 escalated", "3 completed")
	w.noHandoff()
	if !strings.Contains(a.out, "needs a human") || !strings.Contains(a.err, "no further tier") {
		t.Errorf("%s%s", a.out, a.err)
	}
	counted(t, "notifications", w.notified("human_attention"), 1)
}

func TestSPEC0016_PerTierCostAttribution_EachTiersCostRecordedIndependently(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, "result 0.01 3")
	w.agent(2, askForTier3, "result 0.02 4")
	w.agent(3, "result 0.04 5")
	w.cycle(0)
	for i, want := range []struct {
		cost  float64
		turns int
	}{{0.01, 3}, {0.02, 4}, {0.04, 5}} {
		if s := w.sessions()[i]; s.CostUSD != want.cost || s.NumTurns != want.turns || s.DurationMS == 0 {
			t.Errorf("Tier %d: $%v, %d turns, %d ms; want $%v, %d turns", s.Tier, s.CostUSD, s.NumTurns, s.DurationMS, want.cost, want.turns)
		}
	}
}

func TestSPEC0016_HandoffContextSerialization_HandoffContextSizeLimit(t *testing.T) {
	w := newWorld(t)
	w.agent(1, `bash jq -n '[range(400) | {service:"s\(.)",check_type:"http",status:(if . == 7 then "down" else "healthy" end),error:("x"*200)}]' | claudeops report`, finish)
	w.agent(2, finish)
	a := w.cycle(0)
	text, _ := w.given(2).Flag("--append-system-prompt")
	if strings.Contains(text, `"healthy"`) || !strings.Contains(text, `"s7"`) {
		t.Errorf("healthy results are not dropped, or the unhealthy one is: %d bytes", len(text))
	}
	says(t, a.err, "truncated")
}

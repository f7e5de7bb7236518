package e2e

import (
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/claudeops/claudeops/store"
)

func TestSignalsEndACycleInOrder(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		t.Run(sig.String(), func(t *testing.T) {
			w := newWorld(t)
			w.agent(1, "init", "escape-quiet", "on-sigint result 0.5", `sh touch "$FAKE_AGENT_DIR/running"; sleep 3600`)
			cmd := w.start("run-once")
			waitFor(t, w.path("agent", "running"))
			must(t, cmd.Process.Signal(sig))
			_ = cmd.Wait() // its exit code is checked
			equal(t, "exit code", cmd.ProcessState.ExitCode(), 128+int(sig))
			w.wantStatuses("1 interrupted")
			if s := w.sessions()[0]; s.CostUSD != 0.5 {
				t.Errorf("cost $%v, want the $0.5 of the agent's last result", s.CostUSD)
			}
			if w.cooldowns().LastRun == nil {
				t.Error("last_run is not written")
			}
			for _, pid := range w.escaped() {
				if alive(pid) {
					t.Errorf("process %d is alive", pid)
				}
			}
		})
	}
}

func TestASecondCycleIsTurnedAway(t *testing.T) {
	w := newWorld(t)
	w.agent(1, `sh touch "$FAKE_AGENT_DIR/running"`, "wait-for "+w.path("agent", "go"), finish)
	first := w.start("run-once")
	waitFor(t, w.path("agent", "running"))
	a := w.cycle(75)
	says(t, a.err, "another cycle is running")
	says(t, a.err, fmt.Sprint("process ", first.Process.Pid))
	equal(t, "output", a.out, "")
	if w.cooldowns().LastRun != nil {
		t.Error("a cycle that was turned away wrote last_run")
	}
	must(t, os.WriteFile(w.path("agent", "go"), nil, 0o600))
	must(t, first.Wait())
	w.wantStatuses("1 completed")
}

func TestTimedOutTierEndsTheCycle(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDEOPS_TIER2_TIMEOUT"] = "500ms"
	w.agent(1, reportDown, finish)
	w.agent(2, askForTier3, "on-sigint result 0.5", "hang")
	w.cycle(1)
	w.wantStatuses("1 escalated", "2 timed_out")
	w.noHandoff()
	if w.cooldowns().LastRun == nil {
		t.Error("last_run is not written")
	}
	w.wantEvent(store.Warning, "Tier 2 timed_out")
}

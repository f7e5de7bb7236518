package e2e

import (
	"fmt"
	"os"
	"strconv"
	"strings"
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

// The program's own checks run in the cycle's process. A signal ends a plugin with it, and what a killed cycle's plugin has left is found by
// the token that it carries.
func TestASignalWhileAPluginRuns(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(sig.String(), func(t *testing.T) {
			w := newWorld(t)
			running := w.path("agent", "running")
			w.program("check_slow", fmt.Sprintf(`[ -e %[1]q ] && exit 0; setsid sleep 3600 & echo $! > %[1]q.new; mv %[1]q.new %[1]q; exec sleep 3600`, running))
			w.services("services:\n  - {name: shop, checks: [{type: service, plugin: [" + w.path("bin", "check_slow") + "], timeout: 5m}]}\n")
			w.env["CLAUDEOPS_TIER1_AGENT"], w.env["CLAUDEOPS_MAX_TIER"] = "probe", "1"
			cmd := w.start("run-once")
			waitFor(t, running)
			text, err := os.ReadFile(running)
			must(t, err)
			left, err := strconv.Atoi(strings.TrimSpace(string(text)))
			must(t, err)
			t.Cleanup(func() { _ = syscall.Kill(left, syscall.SIGKILL) })
			must(t, cmd.Process.Signal(sig))
			_ = cmd.Wait()
			if sig == syscall.SIGTERM {
				w.wantStatuses("1 interrupted")
				return
			}
			w.cycle(0)
			w.wantStatuses("1 interrupted", "1 completed")
			w.wantEvent(store.Warning, "ended 1 processes that a killed cycle had left running")
			if alive(left) {
				t.Errorf("process %d is alive", left)
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

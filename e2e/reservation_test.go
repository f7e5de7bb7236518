package e2e

import (
	"os"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// askRestart is a call by which an agent has the broker restart shop.
const askRestart = "bash docker restart shop"

// byDocker is the line of a services file that has docker restart a service: the program of this name that is first in PATH.
func byDocker(name string) string { return "restart: {run: [docker, restart, " + name + "]}" }

// restartable writes a services file with services that docker restarts, and puts its script first in PATH.
func (w *world) restartable(docker string, names ...string) {
	w.t.Helper()
	w.program("docker", docker)
	text := "services:\n"
	for _, name := range names {
		text += "  - {name: " + name + ", " + byDocker(name) + "}\n"
	}
	w.services(text)
}

func TestSPEC0007_REQ7_ReservedBeforeItRuns(t *testing.T) {
	const (
		kill, works, fails = "hang", "sleep 0.1; echo shop", "echo No such container >&2; exit 1"
	)
	restarted := statefile.Record{Success: true, Tier: 2, ActionDetail: "docker restart shop"}
	failed := statefile.Record{Error: "exit status 1: No such container", Tier: 2, ActionDetail: "docker restart shop"}
	for name, tt := range map[string]struct {
		docker string
		lines  []string // after the restart
		want   statefile.Record
		erased bool
	}{
		"succeeds":               {works, []string{finish}, restarted, false},
		"told in all ways":       {works, []string{`bash claudeops cooldown record shop restart success`, jq(restartByJQ), restartMarker, finish}, restarted, false},
		"succeeds, killed":       {works, []string{kill}, restarted, false},
		"fails":                  {fails, []string{finish}, failed, false},
		"fails, and so the tier": {fails, []string{"exit 1"}, failed, false},
		"erased":                 {works, []string{jq(`.services.shop.restarts = []`), finish}, restarted, true},
		"erased, killed":         {works, []string{"bash " + jqCommand(`del(.services.shop)`), kill}, restarted, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.restartable(tt.docker, "shop")
			w.agent(1, reportDown, finish)
			last := tt.lines[len(tt.lines)-1]
			if last == kill {
				w.agent(2, append(append([]string{askRestart}, tt.lines[:len(tt.lines)-1]...), `sh touch "$FAKE_AGENT_DIR/running"`, kill)...)
				w.kill("running")
				w.agent(1, finish)
			} else {
				w.agent(2, append([]string{askRestart}, tt.lines...)...)
			}
			code := 0
			if strings.HasPrefix(last, "exit") {
				code = 1
			}
			w.cycle(code)
			if w.acted() != (tt.docker == works) {
				t.Errorf("the model was told that it succeeded: %v", w.acted())
			}
			w.wantOneAct("shop", func(got statefile.Record, act store.Act) {
				if act.ID != got.ID || act.Success != got.Success || act.Error != got.Error || !strings.HasPrefix(act.ToolUseID, "toolu_") {
					t.Errorf("the record is %+v, the act %+v", got, act)
				}
				if got.Success != tt.want.Success || got.Error != tt.want.Error || got.ActionDetail != tt.want.ActionDetail || got.Tier != tt.want.Tier {
					t.Errorf("the record is %+v, want %+v", got, tt.want)
				}
			})
			w.wantErased(tt.erased)
		})
	}
}

// wantErased checks whether people were notified once that records were erased.
func (w *world) wantErased(want bool) {
	w.t.Helper()
	erased := 0
	for _, n := range w.notified("human_attention") {
		if n.Cause == "erased_records" {
			erased++
		}
	}
	if want != (erased == 1) {
		w.t.Errorf("people are told %d times of erased records", erased)
	}
}

// Whatever ends the cycle in the middle of a restart, the restart counts.
func TestSPEC0007_REQ7_ARestartInWhichTheCycleIsKilledCounts(t *testing.T) {
	w := newWorld(t)
	w.restartable("", "shop")
	running := w.hangs("docker", "")
	w.agent(1, reportDown, finish)
	w.agent(2, askRestart, finish)
	cmd := w.start("run-once")
	<-running
	must(t, cmd.Process.Kill())
	_ = cmd.Wait() // killed
	w.agent(1, finish)
	w.cycle(0)
	w.wantOneAct("shop", func(got statefile.Record, act store.Act) {
		if got.Success || got.Error != ledger.Unreported || act.Error != ledger.Unreported || got.Tier != 2 || got.ActionDetail != "docker restart shop" {
			t.Errorf("the record is %+v, the act %+v", got, act)
		}
	})
}

func TestSPEC0007_REQ4_FiftyRestartsAtOnceAreTheLastOne(t *testing.T) {
	w := newWorld(t)
	w.writeCooldowns(restarted("shop", 1))
	w.restartable("echo restarted", "shop")
	w.agent(1, reportDown, finish)
	w.agent(2, "bash for i in $(seq 50); do docker restart shop & done; wait", finish)
	w.cycle(0)
	answer := w.kept("answer")
	if granted, refused := strings.Count(answer, "restarted\n"), strings.Count(answer, "2 of 2 used in 4 h"); granted != 1 || refused != 49 {
		t.Errorf("%d were granted and %d refused, want 1 and 49:\n%s", granted, refused, answer)
	}
	w.wantRecords(2, 0)
	w.wantNotified("human_attention", "shop")
}

// While records cannot be written, remediations are refused, but observing is not.
func TestLockedRecordsRefuseRemediationsOnly(t *testing.T) {
	w := newWorld(t)
	w.restartable("echo docker ran", "shop")
	w.agent(1, reportDown, finish)
	w.agent(2, `sh rm "$FAKE_AGENT_DIR/answer"; touch "$FAKE_AGENT_DIR/works"`, "wait-for "+w.path("agent", "said"), "bash docker restart shop; docker ps", finish)
	cycle := w.start("run-once")
	waitFor(t, w.path("agent", "works"))
	lock, err := statedir.TryAcquire(w.path("state", statefile.LockName))
	must(t, err)
	must(t, os.WriteFile(w.path("agent", "said"), nil, 0o600))
	waitFor(t, w.path("agent", "answer"))
	must(t, lock.Release())
	must(t, cycle.Wait())
	if answer := w.kept("answer"); strings.Count(answer, "docker ran") != 1 || !strings.Contains(answer, statefile.LockName) {
		t.Errorf("the agent was told %q", answer)
	}
	w.wantRecords(0, 0)
}

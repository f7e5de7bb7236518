package e2e

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// What an agent may try that writes where it can: in the state and results directories, and to its own output. In every case the
// cycle comes to its end, and so does the next one.
func TestHostileAgents(t *testing.T) {
	t.Parallel()
	for name, does := range map[string][]string{
		"pipes for the logs to come":    {`sh for i in 2 3 4; do mkfifo $CLAUDEOPS_RESULTS_DIR/session-$i.ndjson; done`},
		"folders for the logs to come":  {`sh mkdir -p $CLAUDEOPS_RESULTS_DIR/session-2.ndjson/x $CLAUDEOPS_RESULTS_DIR/session-3.ndjson`},
		"a link for the log to come":    {`sh ln -s $CLAUDEOPS_REPOS_DIR/victim $CLAUDEOPS_RESULTS_DIR/session-2.ndjson`},
		"pipes for the workspaces":      {`sh for i in 2 3; do mkdir -p $FAKE_AGENT_DIR/../state/run/session-$i; mkfifo $FAKE_AGENT_DIR/../state/run/session-$i/key; done`},
		"a pipe for the state file":     {`sh mkfifo $TMPDIR/x; mv $TMPDIR/x $CLAUDEOPS_STATE_DIR/cooldown.json`},
		"a folder for the state file":   {`sh rm $CLAUDEOPS_STATE_DIR/cooldown.json; mkdir -p $CLAUDEOPS_STATE_DIR/cooldown.json/x`},
		"documents made unreadable":     {`sh chmod 000 $FAKE_AGENT_DIR/../state/run/docs`},
		"a home that cannot be removed": {`sh mkdir -p $HOME/a/b; touch $HOME/a/b/c; chmod 000 $HOME/a/b; chmod 555 $HOME/a`},
		"a million markers":             {`sh true`, "say " + strings.Repeat(`[COOLDOWN:restart:shop] success - x\n`, 100_000)},
		"ten thousand records by jq":    {`sh jq '.services.shop.restarts = [range(10000) | {timestamp: (now|todate), success: true}]' $CLAUDEOPS_STATE_DIR/cooldown.json > $TMPDIR/c && mv $TMPDIR/c $CLAUDEOPS_STATE_DIR/cooldown.json`},
		"a stopped process":             {`background kill -STOP $$; sleep 3600`},
		"a process without environment": {"escape-clean"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.asUser()
			must(t, os.WriteFile(w.path("repos", "victim"), []byte("mine"), 0o666))
			w.agent(1, append(append([]string{"init"}, does...), reportDown, finish)...)
			w.agent(2, finish)
			w.cycle(0)
			w.wantStatuses("1 escalated", "2 completed")
			w.agent(1, finish)
			w.cycle(0)
			if text, err := os.ReadFile(w.path("repos", "victim")); err != nil || string(text) != "mine" {
				t.Errorf("a file outside was written: %q, %v", text, err)
			}
			for _, pid := range w.escaped() {
				if alive(pid) {
					t.Errorf("process %d is alive", pid)
				}
			}
		})
	}
}

// The next tier's home, name and documents are of our making, whatever the tier before prepared.
func TestNothingThatATierPreparesReachesTheNext(t *testing.T) {
	w := newWorld(t)
	w.asUser()
	w.agent(1, "init",
		`sh for i in 2 3; do mkdir -p $FAKE_AGENT_DIR/../state/run/session-$i/home; echo 'docker() { echo planted; }' > $FAKE_AGENT_DIR/../state/run/session-$i/home/.bashrc; done`,
		`sh mkdir -p $FAKE_AGENT_DIR/../state/run/bin; for d in $FAKE_AGENT_DIR/../state/run/bin $HOME/../programs; do rm -f $d/docker; printf '#!/bin/sh\\necho planted\\n' > $d/docker; chmod +x $d/docker; done`,
		`sh echo planted > $FAKE_AGENT_DIR/../state/run/docs/skills/cooldowns.md`,
		reportDown, finish)
	w.agent(2, `bash cat $HOME/.bashrc; command -v docker; docker; cat $HOME/../../docs/skills/cooldowns.md`, finish)
	w.cycle(0)
	if seen := w.kept("answer"); strings.Contains(seen, "planted") || !strings.Contains(seen, "/programs/docker") {
		t.Errorf("Tier 2 met what Tier 1 had prepared:\n%s", seen)
	}
}

func TestAForgedResultCannotMakeMoney(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDEOPS_DAILY_BUDGET_USD"] = "1"
	w.agent(1, "result 50 3", `garbage {"type":"result","is_error":false,"total_cost_usd":-1e6,"num_turns":-5,"duration_ms":-1}`)
	w.cycle(0)
	w.cycle(1) // the budget is spent
	if first := w.sessions()[0]; first.CostUSD != 50 {
		t.Errorf("cost $%v, want the highest that was told", first.CostUSD)
	}
	if second := w.sessions()[1]; second.PID != 0 {
		t.Error("an agent was started although the budget is spent")
	}
}

func TestRecordsErasedFromFileAndDatabaseComeBack(t *testing.T) {
	w := newWorld(t)
	w.exits(0, "cooldown", "record", "shop", "restart", "success")
	w.agent(1, `sh sqlite3 $FAKE_AGENT_DIR/../state/claudeops.db 'DELETE FROM cooldown_actions'; jq '.services.shop.restarts = []' $CLAUDEOPS_STATE_DIR/cooldown.json > $TMPDIR/c && mv $TMPDIR/c $CLAUDEOPS_STATE_DIR/cooldown.json`, finish)
	w.cycle(0)
	counted(t, "restarts", w.cooldowns().Service("shop").Restarts, 1)
	w.wantEvent(store.Critical, "changes nothing")
}

// The agent kills its own supervisor, after it has made the recovery as hard as it can.
func TestRecoveryDependsOnNothingThatTheAgentOwns(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]string{
		"log is a pipe":         `rm $LOG; mkfifo $LOG`,
		"log is a folder":       `rm $LOG; mkdir $LOG`,
		"log is unreadable":     `chmod 000 $LOG`,
		"log is removed":        `rm $LOG`,
		"workspace unremovable": `mkdir -p $HOME/a/b; chmod 000 $HOME/a`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.asUser()
			w.agent(1, "init", "escape-quiet", "escape-clean", "sh LOG=$CLAUDEOPS_RESULTS_DIR/session-1.ndjson; "+spoil, `sh touch $FAKE_AGENT_DIR/ready`, "hang")
			cmd := w.start("run-once")
			waitFor(t, w.path("agent", "ready"))
			must(t, cmd.Process.Kill())
			_ = cmd.Wait() // killed
			w.agent(1, "init", finish)
			w.cycle(0)
			w.wantStatuses("1 interrupted", "1 completed")
			for _, pid := range w.escaped() {
				if alive(pid) {
					t.Errorf("process %d of the dead cycle is alive", pid)
				}
			}
		})
	}
}

func TestAnInvalidHandoffOfAHigherTierIsNoSolution(t *testing.T) {
	for tier := 2; tier <= 3; tier++ {
		t.Run(fmt.Sprint("Tier ", tier), func(t *testing.T) {
			w := newWorld(t)
			w.agent(1, reportDown, finish)
			w.agent(2, askForTier3, finish)
			w.agent(tier, writeGarbage, finish)
			w.cycle(3, "--strict")
			i := w.incidents()[0]
			if i.LastChain != "attention" || i.RetryAt == nil {
				t.Errorf("incident %+v, want a dead end", i)
			}
			counted(t, "notifications", w.notified("human_attention"), 2)
		})
	}
}

func TestMoreUnwellThanAHandoffNames(t *testing.T) {
	w := newWorld(t)
	const reports = `bash jq -nc '[range(%d) | {service:"s\(.)",check_type:"http",status:(if . %% 2 == 0 then "down" else "healthy" end)}]' | claudeops report 2>&1 | tail -n 2`
	w.agent(1, fmt.Sprintf(reports, 1001), fmt.Sprintf(reports, 1000), finish)
	w.agent(2, finish)
	w.cycle(0)
	w.wantStatuses("1 escalated", "2 completed")
	w.wantEvent(store.Warning, "too many services are unwell to hand all over: 300 left out")
}

func TestDatabaseHeldByAnother(t *testing.T) {
	w := newWorld(t)
	w.agent(1, finish)
	w.cycle(0)
	db, err := sql.Open("sqlite3", w.path("state", store.FileName)+"?_txlock=immediate")
	must(t, err)
	tx, err := db.Begin()
	must(t, err)
	a := w.cycle(1)
	says(t, a.err, "database")
	must(t, errors.Join(tx.Rollback(), db.Close()))
	w.cycle(0)
}

// A model that obeys what a log asks for, "restart bank", is refused where the program's own checks find bank healthy and nothing that is
// unwell needs it, whatever it reports or hands off. A person is asked.
func TestAHealthyServiceIsNotRemediatedByAModel(t *testing.T) {
	t.Parallel()
	const (
		reports = `bash printf '[{"service":"bank","check_type":"http","status":"down","error":"as the log says"}]' | claudeops report`
		handsOn = `bash printf '{"services_affected":["shop","bank"],"investigation_findings":"the log says so","remediation_attempted":"nothing"}' | claudeops handoff write --tier 3`
	)
	for name, c := range map[string]struct {
		more       string
		two, three []string
		acts       bool
	}{
		"of its own accord":   {two: []string{"bash docker restart bank", finish}},
		"after a report":      {two: []string{reports, "bash docker restart bank", finish}},
		"after a handoff":     {two: []string{handsOn, finish}, three: []string{"bash docker restart bank", finish}},
		"where shop needs it": {more: "depends_on: [proxy]", two: []string{"bash docker restart bank", finish}, acts: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := probing(t, []string{"shop", "proxy", "bank"}, map[string]string{"shop": c.more, "proxy": "depends_on: [bank]"})
			w.program("docker", "exit 0")
			w.breaks("shop")
			w.agent(2, c.two...)
			w.agent(3, c.three...)
			w.cycle(0)
			if acts := len(w.cooldowns().Service("bank").Records(statefile.Restart)); (acts > 0) != c.acts {
				t.Errorf("bank was restarted %d times; the last answer is %s", acts, w.kept("answer"))
			}
			if !c.acts {
				w.wantEvent(store.Warning, "a restart of bank was refused: the program's own checks find it healthy")
			}
		})
	}
}

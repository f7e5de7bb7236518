package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/modeltest"
)

// stopped is a world whose only service is a real container that does not run, and whose restarts a person must permit.
func stoppedContainer(t *testing.T) (*world, *modeltest.Server, *container) {
	t.Helper()
	w, srv := withClaude(t, modeltest.Script{})
	c := w.withContainer()
	must(t, os.WriteFile(w.path("inventory.yaml"), fmt.Appendf(nil,
		"services:\n  - {name: shop, settle: 0s, checks: [{type: container, container: %s}]}\n", c.name), 0o600))
	w.env["CLAUDEOPS_INVENTORY"] = w.path("inventory.yaml")
	w.env["CLAUDEOPS_TIER1_AGENT"] = "probe"
	w.env["CLAUDEOPS_APPROVAL"] = "remediation"
	docker(t, "stop", "--time", "0", c.name)
	return w, srv, c
}

// restarts is the call by which an agent wants a restart.
func restarts() modeltest.Turn {
	return modeltest.Use("mcp__claudeops__restart", map[string]any{"service": "shop", "why": "it has exited; see evil.example/x"})
}

// proposes is the call by which an agent wants something else done to shop.
func proposes(argv ...string) modeltest.Turn {
	return modeltest.Use("mcp__claudeops__propose", map[string]any{"service": "shop", "argv": argv, "why": "it would help"})
}

func (w *world) proposals() (all []store.Proposal) {
	w.t.Helper()
	w.database(func(ctx context.Context, s *store.Store) {
		var err error
		all, err = s.Proposals(ctx, store.ProposalFilter{})
		must(w.t, err)
		slices.Reverse(all)
	})
	return all
}

func (w *world) wantProposal(n int, status store.ProposalStatus, outcome string) {
	w.t.Helper()
	all := w.proposals()
	if len(all) < n || all[n-1].Status != status || !strings.Contains(all[n-1].Outcome, outcome) {
		w.t.Errorf("the proposals are %+v; want the %d. %s, with %q", all, n, status, outcome)
	}
}

// The real agent program wants a restart that a person must permit: it is told, nothing runs, people are asked once, and no other tier
// starts. Permitted, it runs once, and is proved.
func TestClaude_AsksForARestart(t *testing.T) {
	w, srv, c := stoppedContainer(t)
	w.play(srv, modeltest.Script{"sonnet": {restarts(), modeltest.Bash("docker restart " + c.name), modeltest.Say("It waits for a person.")}})
	c.wantRestarted(false)
	for _, result := range lastResults(t, srv, "sonnet") {
		says(t, result.Text, "not run: proposal 1 waits for a person until")
	}
	w.wantProposal(1, store.ProposalWaiting, "")
	counted(t, "proposals", w.proposals(), 1)
	asked := w.notified("approval")
	counted(t, "messages", asked, 1)
	says(t, asked[0].Body, "`docker restart "+c.name+"`", "`claudeops approve 1`", "“it has exited; see evil[.]example/x”", "it counts as a restart of shop", "left: 2 of 2 restarts")
	w.wantNoNotification("human_attention")
	counted(t, "acts", w.acts(), 0)
	says(t, w.run("sessions", "show", "2", "--commands").out, "ask", "proposal 1 waits")
	says(t, w.exits(3, "status").out, "claudeops approve 1")

	w.play(srv, modeltest.Script{"sonnet": {modeltest.Say("not to be asked")}}) // while it waits
	w.wantStatuses("1 escalated", "2 completed", "1 completed")

	says(t, w.operator("approve", "1").out, "The next cycle runs it")
	says(t, w.exits(1, "approve", "1").err, "proposal 1 is not waiting for an answer: approved at")
	w.cycle(0)
	c.wantRestarted(true)
	w.wantProposal(1, store.ProposalDone, "it ran, and the checks find shop healthy")
	w.wantStatuses("1 escalated", "2 completed", "1 completed", "1 completed", "2 completed")
	w.database(func(ctx context.Context, s *store.Store) {
		run, err := s.Session(ctx, *w.proposals()[0].RunSessionID)
		must(t, err)
		if run.Tier != 2 || run.Trigger != "approval" || run.Agent != "approved" || run.CostUSD != 0 {
			t.Errorf("it ran in %+v", run)
		}
	})
	counted(t, "acts", w.acts(), 1)
	counted(t, "messages that it helped", w.notified("remediated"), 1)
	c.born = c.startedAt()
	w.cycle(0)
	c.wantRestarted(false)
	says(t, w.operator("proposals", "show", "1").out, "done, approved at", "docker restart "+c.name, "run in    session 5")
}

// Whatever is not exactly what a person permitted does not run.
func TestClaude_WhatIsNotPermittedDoesNotRun(t *testing.T) {
	for name, test := range map[string]struct {
		between func(w *world, c *container)
		status  store.ProposalStatus
		says    string
	}{
		"rejected": {func(w *world, _ *container) {
			w.operator("reject", "1", "--reason", "not during the sale")
			says(w.t, w.exits(1, "approve", "1").err, "not during the sale")
		}, store.ProposalRejected, "not during the sale"},
		"late": {func(w *world, _ *container) {
			w.rewrite(`UPDATE proposals SET expires_at = created_at`)
			says(w.t, w.exits(1, "approve", "1").err, "proposal 1 is not waiting for an answer: expired")
		}, store.ProposalExpired, "nobody answered"},
		"permitted long ago": {func(w *world, _ *container) {
			w.operator("approve", "1")
			w.rewrite(`UPDATE proposals SET decided_at = '2020-01-01T00:00:00.000Z'`)
		}, store.ProposalExpired, "no cycle ran it"},
		"well again": {func(w *world, c *container) {
			docker(w.t, "start", c.name)
			c.born = c.startedAt()
			w.operator("approve", "1")
		}, store.ProposalVoid, "shop is healthy again"},
		"a dry run": {func(w *world, _ *container) {
			w.operator("approve", "1")
			w.env["CLAUDEOPS_DRY_RUN"] = "true"
		}, store.ProposalVoid, "CLAUDEOPS_DRY_RUN is set"},
		"another program": {func(w *world, _ *container) {
			w.operator("approve", "1")
			w.program("docker", "exit 1")
		}, store.ProposalVoid, "its program is now "},
		"cut off": {func(w *world, _ *container) {
			w.operator("approve", "1")
			w.rewrite(`UPDATE proposals SET run_session_id = 2`)
		}, store.ProposalFailed, "it is not known whether it ran"},
	} {
		t.Run(name, func(t *testing.T) {
			w, srv, c := stoppedContainer(t)
			w.play(srv, modeltest.Script{"sonnet": {restarts(), modeltest.Say("It waits.")}})
			test.between(w, c)
			w.env["CLAUDEOPS_MAX_TIER"] = "2"
			srv.Play(modeltest.Script{"sonnet": {modeltest.Say("I look again.")}})
			w.run("run-once")
			c.wantRestarted(false)
			w.wantProposal(1, test.status, test.says)
			counted(t, "acts", w.acts(), 0)
		})
	}
}

// What a person would have to permit, and cannot be asked, reaches people as a request that says what was wanted.
func TestClaude_WhatCannotBeProposedIsTold(t *testing.T) {
	w, srv, c := stoppedContainer(t)
	w.env["SHOP_TOKEN"] = c.name // a proposal would show it
	w.play(srv, modeltest.Script{"sonnet": {restarts(), modeltest.Say("It cannot wait for a person.")}})
	w.run("run-once")
	counted(t, "proposals", w.proposals(), 0)
	for _, asked := range w.notified("human_attention") {
		if strings.Contains(asked.Body, "`docker restart [redacted]` was not run: it needs a person's approval, and cannot be proposed: its arguments hold a secret") {
			return
		}
	}
	t.Errorf("people are told %+v", w.notified("human_attention"))
}

// An agent tries to permit its own proposal, in ten ways: none does.
func TestClaude_CannotApproveItself(t *testing.T) {
	w, srv, c := stoppedContainer(t)
	w.env["CLAUDEOPS_DASHBOARD_URL"] = "http://ops.example.org:8080"
	state := w.path("state")
	attempts := []string{
		"claudeops approve 1",
		"env -i PATH=$PATH CLAUDEOPS_STATE_DIR=" + state + " claudeops approve 1",
		"env -i PATH=$PATH CLAUDEOPS_STATE_DIR=" + state + " " + claudeopsBin + " approve 1",
		"(setsid sh -c 'sleep 1; env -i CLAUDEOPS_STATE_DIR=" + state + " " + claudeopsBin + " approve 1' >/dev/null 2>&1 &) ; sleep 2; false",
		`python3 -c "import sqlite3; sqlite3.connect('` + state + `/claudeops.db').execute('UPDATE proposals SET status=\"approved\"')"`,
		"echo approval > " + state + "/wake",
		"cp /etc/hostname " + state + "/claudeops.db",
		"curl -fsS -X POST http://127.0.0.1:8080/proposals/1/approve",
		"curl -fsS -X POST http://ops.example.org:8080/proposals/1/approve",
		"docker exec " + c.name + " claudeops approve 1",
		"claudeops run-once --trigger approval",
		"claudeops proposals list && false",
	}
	turns := []modeltest.Turn{restarts()}
	for _, command := range attempts {
		turns = append(turns, modeltest.Bash(command))
	}
	w.play(srv, modeltest.Script{"sonnet": append(turns, modeltest.Say("I gave up."))})
	requests := srv.RequestsTo("sonnet")
	for i, request := range requests[min(2, len(requests)):] {
		for _, result := range request.Results {
			if !result.IsError && strings.Contains(result.Text, "is approved") {
				t.Errorf("%s: %s", attempts[i], result.Text)
			}
			t.Logf("%s: %.200s", attempts[min(i, len(attempts)-1)], result.Text)
		}
	}
	w.wantProposal(1, store.ProposalWaiting, "")
	w.cycle(0)
	c.wantRestarted(false)
	counted(t, "acts", w.acts(), 0)
}

// A person permits it and does not wait for the next cycle.
func TestClaude_ApproveNow(t *testing.T) {
	w, srv, c := stoppedContainer(t)
	w.play(srv, modeltest.Script{"sonnet": {restarts(), modeltest.Say("It waits.")}})
	says(t, w.operator("approve", "1", "--now").out, "shop", "remediated")
	c.wantRestarted(true)
	w.wantProposal(1, store.ProposalDone, "it ran, and the checks find shop healthy")
	counted(t, "acts", w.acts(), 1)
}

// What an agent proposes runs exactly as it was shown: not if a file that it names is another by then.
func TestClaude_AProposedCommandIsBoundToItsFiles(t *testing.T) {
	for name, test := range map[string]struct {
		then    string // what the file is when the proposal is to run
		started bool
		status  store.ProposalStatus
		says    string
	}{
		"as it was": {`docker start "$1"`, true, store.ProposalDone, "it ran, and the checks find shop healthy"},
		"changed":   {`docker start --attach "$1"`, false, store.ProposalVoid, "mend.sh has changed"},
	} {
		t.Run(name, func(t *testing.T) {
			w, srv, c := stoppedContainer(t)
			w.env["CLAUDEOPS_APPROVAL"] = "none"
			must(t, os.WriteFile(w.path("repos", "mend.sh"), []byte(`docker start "$1"`), 0o600))
			w.play(srv, modeltest.Script{"sonnet": {proposes("sh", "mend.sh", c.name), modeltest.Say("It waits.")}})
			c.wantRestarted(false)
			w.wantProposal(1, store.ProposalWaiting, "")
			w.operator("approve", "1")
			must(t, os.WriteFile(w.path("repos", "mend.sh"), []byte(test.then), 0o600))
			srv.Play(modeltest.Script{"sonnet": {modeltest.Say("I look again.")}})
			w.run("run-once")
			c.wantRestarted(test.started)
			w.wantProposal(1, test.status, test.says)
		})
	}
}

// Two calls for one service are permitted. The first one heals it, so the other does not run.
func TestClaude_OneYesIsEnough(t *testing.T) {
	w, srv, c := stoppedContainer(t)
	w.play(srv, modeltest.Script{"sonnet": {restarts(), proposes("docker", "restart", "-t", "1", c.name), modeltest.Say("They wait.")}})
	w.operator("approve", "1")
	w.operator("approve", "2")
	w.cycle(0)
	c.wantRestarted(true)
	w.wantProposal(1, store.ProposalDone, "it ran, and the checks find shop healthy")
	w.wantProposal(2, store.ProposalVoid, "shop is healthy again")
	counted(t, "acts", w.acts(), 1)
}

// The cycle is killed in the middle of an approved restart: nobody knows whether it ran, so it counts, never runs again, and people are told.
func TestClaude_AnApprovedRestartInWhichTheCycleIsKilledRunsOnce(t *testing.T) {
	w, srv, c := stoppedContainer(t)
	engine, err := exec.LookPath("docker")
	must(t, err)
	running := w.hangs("docker", `[ "$1" = restart ] || exec `+engine+` "$@"
`+engine+` "$@"`)
	w.play(srv, modeltest.Script{"sonnet": {restarts(), modeltest.Say("It waits.")}})
	w.operator("approve", "1")
	cmd := w.start("run-once")
	<-running
	must(t, cmd.Process.Kill())
	_ = cmd.Wait() // killed
	c.wantRestarted(true)
	docker(t, "stop", "--time", "0", c.name) // that it helped does not hide what follows
	c.born = c.startedAt()
	w.wantProposal(1, store.ProposalApproved, "")

	srv.Play(modeltest.Script{"sonnet": {modeltest.Say("I look again.")}})
	w.cycle(0)
	w.cycle(0)
	c.wantRestarted(false)
	w.wantProposal(1, store.ProposalFailed, "its cycle was killed; it is not known whether it ran")
	w.wantOneAct("shop", func(got statefile.Record, act store.Act) {
		if got.Success || got.Error != ledger.Unreported || act.Error != ledger.Unreported {
			t.Errorf("the record is %+v, the act %+v", got, act)
		}
	})
	w.database(func(ctx context.Context, s *store.Store) {
		run, err := s.Session(ctx, *w.proposals()[0].RunSessionID)
		must(t, err)
		equal(t, "its session", run.Status, store.Interrupted)
	})
	told := slices.DeleteFunc(w.notified("message"), func(n store.Notification) bool { return n.Title != "Proposal 1 about shop has ended" })
	counted(t, "messages about its end", told, 1)
	says(t, w.exits(1, "approve", "1").err, "proposal 1 is not waiting for an answer: failed")
}

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/modeltest"
)

// reports is the call with which Tier 1 reports that a service is down.
func reports(service string) modeltest.Turn {
	return modeltest.Bash(fmt.Sprintf(`echo '[{"service":"%s","check_type":"container","status":"down","error":"exited"}]' | claudeops report`, service))
}

// asks is the call with which Tier 2 asks for Tier 3.
func asks(service string) modeltest.Turn {
	return modeltest.Bash(fmt.Sprintf(`echo '{"services_affected":["%s"],"investigation_findings":"it exits at once","remediation_attempted":"none"}' | `+
		`claudeops handoff write --tier 3`, service))
}

// play gives the model its script once the names in it are known.
func (w *world) play(srv *modeltest.Server, script modeltest.Script) {
	srv.Play(script)
	w.cycle(0)
}

// lastResults returns the last tool results that a model family got.
func lastResults(t *testing.T, srv *modeltest.Server, family string) []modeltest.Result {
	t.Helper()
	requests := srv.RequestsTo(family)
	if len(requests) == 0 {
		t.Fatalf("%s was never asked", family)
	}
	return requests[len(requests)-1].Results
}

// wantRefused checks that each of the model's last calls was refused, with a reason.
func wantRefused(t *testing.T, srv *modeltest.Server, family string, why ...string) {
	t.Helper()
	for _, result := range lastResults(t, srv, family) {
		for _, part := range why {
			if !result.IsError || !strings.Contains(result.Text, part) {
				t.Errorf("the model was told %q (error: %t), want an error with %q", result.Text, result.IsError, part)
			}
		}
	}
}

func TestSPEC0016_Tier1DoesNotRestart(t *testing.T) {
	w, srv := withClaude(t, modeltest.Script{})
	c := w.withContainer()
	w.play(srv, modeltest.Script{"haiku": {modeltest.Bash("docker restart " + c.name), modeltest.Say("it is down")}})
	c.wantRestarted(false)
	wantRefused(t, srv, "haiku", "Tier 1 only observes", "hand off to Tier 2")
	counted(t, "acts", w.acts(), 0)
	shown := w.run("sessions", "show", "1", "--commands")
	if shown.code != 0 || !strings.Contains(shown.out, "deny") || !strings.Contains(shown.out, "docker restart "+c.name) {
		t.Errorf("sessions show --commands: %s%s", shown.out, shown.err)
	}
}

func TestSPEC0007_REQ4_REQ7_ARestartOfARealContainerIsOneRecord(t *testing.T) {
	w, srv := withClaude(t, modeltest.Script{})
	c := w.withContainer()
	w.play(srv, modeltest.Script{
		"haiku": {reports(c.name), modeltest.Say("handed off")},
		"sonnet": {
			modeltest.Bash("docker restart " + c.name),
			modeltest.Bash("claudeops cooldown record " + c.name + " restart success"),
			modeltest.Say("[COOLDOWN:restart:" + c.name + "] success - it runs again"),
		},
	})
	c.wantRestarted(true)
	w.wantOneAct(c.name, func(r statefile.Record, a store.Act) {
		if !r.Success || r.Tier != 2 || r.ID == "" || r.Error != "" || r.DurationMS == 0 || !strings.Contains(r.ActionDetail, "docker restart "+c.name) {
			t.Errorf("the record is %+v", r)
		}
		if !a.Success || a.Tier != 2 || a.ID != r.ID || !strings.HasPrefix(a.Source, store.SourceReserved) || a.ToolUseID == "" {
			t.Errorf("the act is %+v", a)
		}
	})
}

func TestSPEC0007_REQ7_AFailedRestartIsRecordedAsOne(t *testing.T) {
	w, srv := withClaude(t, modeltest.Script{})
	c := w.withContainer()
	missing := c.name + "-gone"
	w.services("services: [{name: shop, restart: {container: " + missing + "}}]\n")
	w.play(srv, modeltest.Script{
		"haiku":  {reports("shop"), modeltest.Say("handed off")},
		"sonnet": {modeltest.Bash("docker restart " + missing), modeltest.Say("it cannot be restarted")},
	})
	w.wantOneAct("shop", func(r statefile.Record, a store.Act) {
		if r.Success || a.Success || !strings.Contains(r.Error, "No such container") || a.Error != r.Error {
			t.Errorf("record %+v, act %+v", r, a)
		}
	})
}

// wantOneAct checks that exactly one restart of a service is in the file and the database, and nothing else.
func (w *world) wantOneAct(service string, check func(statefile.Record, store.Act)) {
	w.t.Helper()
	records, acts := w.cooldowns().Service(service).Restarts, w.acts()
	if len(records) != 1 || len(acts) != 1 {
		w.t.Fatalf("records %+v, acts %+v; want one of each", records, acts)
	}
	check(records[0], acts[0])
}

// restarted returns cooldown.json after n restarts of a service within the last hours.
func restarted(service string, times int) string {
	record := fmt.Sprintf(`{"timestamp":%q,"success":true}`, time.Now().Add(-time.Hour).UTC().Format(time.RFC3339))
	return fmt.Sprintf(`{"services":{%q:{"restarts":[%s],"redeployments":[],"consecutive_healthy":0}},"last_run":null,"last_daily_digest":null}`,
		service, strings.Join(slices.Repeat([]string{record}, times), ","))
}

func TestSPEC0007_REQ4_ThirdRestartBlockedByTheGuard(t *testing.T) {
	w, srv := withClaude(t, modeltest.Script{})
	c := w.withContainer()
	w.writeCooldowns(restarted(c.name, 1))
	var refused []modeltest.Result
	w.play(srv, modeltest.Script{
		"haiku": {reports(c.name), modeltest.Say("handed off")},
		"sonnet": {
			modeltest.Bash("docker restart " + c.name),
			modeltest.Ask(func(modeltest.Request) modeltest.Turn {
				c.born = c.startedAt()
				return modeltest.Bash("docker restart " + c.name)
			}),
			modeltest.Ask(func(r modeltest.Request) modeltest.Turn {
				refused = r.Results
				return modeltest.Bash("docker restart " + c.name)
			}),
			modeltest.Say("a human is needed"),
		},
	})
	c.wantRestarted(false)
	if len(refused) != 1 || !refused[0].IsError || !strings.Contains(refused[0].Text, "2 of 2 used in 4 h") || !strings.Contains(refused[0].Text, "free again at ") {
		t.Errorf("the model was told %+v", refused)
	}
	counted(t, "records", w.cooldowns().Service(c.name).Restarts, 2)
	if sent := w.notified("human_attention"); len(sent) != 1 || sent[0].Service != c.name {
		t.Errorf("notifications %+v, want one", sent)
	}
}

func TestSPEC0007_REQ5_SecondRedeploymentBlockedByTheGuard(t *testing.T) {
	w, srv := withClaude(t, modeltest.Script{})
	w.program("ansible-playbook", "echo once")
	w.services("services: [{name: shop, redeploy: {run: [ansible-playbook, shop.yml]}}]\n")
	redeploy := modeltest.Use("mcp__claudeops__redeploy", map[string]any{"service": "shop", "why": "a restart did not help"})
	w.play(srv, modeltest.Script{
		"haiku":  {reports("shop"), modeltest.Say("handed off")},
		"sonnet": {modeltest.Bash("claudeops redeploy shop"), asks("shop"), modeltest.Say("handed off")},
		"opus":   {redeploy, redeploy, modeltest.Say("a human is needed")},
	})
	w.wantStatuses("1 escalated", "2 escalated", "3 completed")
	ran := 0
	for _, result := range lastResults(t, srv, "opus") {
		ran += strings.Count(result.Text, "once")
	}
	if ran != 0 { // the last of the two
		t.Error("the playbook ran twice")
	}
	wantRefused(t, srv, "opus", "1 of 1 used in 24 h")
	if s := w.cooldowns().Service("shop"); len(s.Redeployments) != 1 || !s.Redeployments[0].Success || s.Redeployments[0].Tier != 3 || len(s.Restarts) != 0 {
		t.Errorf("records %+v, want one redeployment of Tier 3", s)
	}
}

// Without the shim, or with another program in its place, nothing runs, neither in the sandbox nor outside.
func TestWithoutItsShimAnAgentRunsNothing(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"removed": "", "not executable": "-", "exits with 1": "exit 1", "crashes": "kill -SEGV $$", "killed": "kill -KILL $$", "says nothing": "exit 0",
		"answers something else": "echo hello; echo hello >&3; echo hello >&4", "hangs": "exec sleep 3600",
	} {
		t.Run(name, func(t *testing.T) {
			w, srv := withClaude(t, modeltest.Script{})
			c := w.withContainer()
			for _, program := range []string{claudeopsBin, shimBin} {
				must(t, os.Link(program, w.path(filepath.Base(program))))
			}
			touched := w.path("repos", "touched")
			call := func(command string) modeltest.ToolUse {
				return modeltest.ToolUse{Name: "mcp__claudeops__bash", Input: map[string]any{"command": command, "timeout_s": 5}}
			}
			w.playWith(w.path("claudeops"), srv, modeltest.Script{"haiku": {
				{Tools: []modeltest.ToolUse{call("cat /etc/hosts")}},
				modeltest.Ask(func(r modeltest.Request) modeltest.Turn {
					if last := r.Results[len(r.Results)-1]; !strings.Contains(last.Text, "localhost") {
						t.Errorf("with its shim the agent was told %q", last.Text)
					}
					if err := replace(w.path("claudeops-shim"), script); err != nil {
						t.Error(err)
					}
					return modeltest.Turn{Tools: []modeltest.ToolUse{call("docker restart " + c.name), call("touch " + touched + "; cat /etc/hosts")}}
				}),
				modeltest.Say("nothing works"),
			}})
			c.wantRestarted(false)
			if _, err := os.Lstat(touched); err == nil {
				t.Error("a command ran")
			}
			for _, result := range lastResults(t, srv, "haiku") {
				if !result.IsError || strings.Contains(result.Text, "localhost") {
					t.Errorf("the model was told %q (error: %t)", result.Text, result.IsError)
				}
			}
		})
	}
}

// playWith is play with another claudeops program.
func (w *world) playWith(program string, srv *modeltest.Server, script modeltest.Script) {
	w.t.Helper()
	srv.Play(script)
	cmd := exec.Command(program, "run-once")
	cmd.Env, cmd.Dir = w.environ(), w.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("run-once: %v\n%s", err, out)
	}
}

// replace replaces a program by a script; an empty one removes it, and "-" makes it not executable.
func replace(program, script string) error {
	if err := os.Remove(program); err != nil || script == "" {
		return err
	}
	mode := os.FileMode(0o755)
	if script == "-" {
		mode = 0o644
	}
	return os.WriteFile(program, []byte("#!/bin/sh\n"+script+"\n"), mode)
}

func TestSecretsAndUnknownToolsAreRefused(t *testing.T) {
	w, srv := withClaude(t, modeltest.Script{})
	secret := w.path("repos", "id_rsa")
	must(t, os.WriteFile(secret, []byte("-----BEGIN OPENSSH PRIVATE KEY-----\nhunter2hunter2\n"), 0o600))
	w.play(srv, modeltest.Script{"haiku": {
		{Tools: []modeltest.ToolUse{
			{Name: "mcp__claudeops__bash", Input: map[string]any{"command": "cat " + secret}},
			{Name: "Bash", Input: map[string]any{"command": "cat " + secret}},
			{Name: "Read", Input: map[string]any{"file_path": secret}},
			{Name: "Grep", Input: map[string]any{"pattern": "hunter", "path": secret, "output_mode": "content"}},
			{Name: "Write", Input: map[string]any{"file_path": w.path("repos", "x"), "content": "x"}},
			{Name: "mcp__shell__run", Input: map[string]any{"command": "id"}},
		}},
		modeltest.Say("nothing to see"),
	}})
	for _, r := range srv.Requests() {
		if strings.Contains(string(r.Body), "hunter2hunter2") {
			t.Error("the model has read the secret")
		}
	}
	wantRefused(t, srv, "haiku", "")
}

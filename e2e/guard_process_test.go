package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/store"
)

// inSession is a world in which an agent's session runs, as far as the records know; what is run in it runs on that agent's behalf.
func (w *world) inSession(tier int) {
	w.t.Helper()
	s, err := store.Open(w.t.Context(), w.path("state", store.FileName), store.Migrate)
	must(w.t, err)
	id, err := s.AddSession(w.t.Context(), store.Session{Tier: tier, Trigger: "manual", Status: store.Running})
	must(w.t, err)
	must(w.t, s.Close())
	w.env["CLAUDEOPS_TIER"], w.env["CLAUDEOPS_SESSION_ID"], w.env["CLAUDEOPS_RUN_TOKEN"] = fmt.Sprint(tier), fmt.Sprint(id), "token-of-a-test"
	w.env["TMPDIR"] = w.path("home")
}

// call is the input of the guard about a call of a tool.
func (w *world) call(id, tool string, input map[string]any) string {
	text, err := json.Marshal(map[string]any{
		"session_id": "x", "cwd": w.path("repos"), "permission_mode": "dontAsk", "hook_event_name": "PreToolUse",
		"tool_name": tool, "tool_use_id": id, "tool_input": input,
	})
	must(w.t, err)
	return string(text) + "\n"
}

func (w *world) command(id, command string) string {
	return w.call(id, "Bash", map[string]any{"command": command})
}

// decision is what a guard answered: allow or deny, and why; nothing where it did not answer.
func decision(a answer) (decision, reason string) {
	var out struct {
		Specific struct {
			Event    string `json:"hookEventName"`
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if json.Unmarshal([]byte(a.out), &out) != nil || out.Specific.Event != "PreToolUse" || a.code != 0 {
		return "", ""
	}
	return out.Specific.Decision, out.Specific.Reason
}

func TestGuardOnItsOwn(t *testing.T) {
	w := newWorld(t)
	w.inSession(2)
	for _, test := range []struct{ input, decision, reason string }{
		{w.command("t1", "docker ps"), "allow", ""},
		{w.command("t2", "rm -rf /"), "deny", ""},
		{w.command("t3", "docker restart web"), "allow", ""},
		{w.call("t4", "mcp__shell__run", map[string]any{"command": "id"}), "deny", ""},
	} {
		got, reason := decision(w.by(hookBin).feed(test.input, "guard"))
		if got != test.decision || !strings.Contains(reason, test.reason) {
			t.Errorf("%s is answered by %q, %q; want %s, %q", test.input, got, reason, test.decision, test.reason)
		}
	}
	shown := w.run("sessions", "show", "1", "--commands", "--json")
	var decisions []guard.Entry
	must(t, json.Unmarshal([]byte(shown.out), &decisions))
	if len(decisions) != 4 || decisions[2].Decision != guard.Allowed || decisions[2].Services[0] != "web" || decisions[2].Tier != 2 {
		t.Errorf("the decisions are %s", shown.out)
	}
	if records := w.cooldowns().Service("web").Restarts; len(records) != 1 || records[0].Success || records[0].Error != "in progress" {
		t.Errorf("records %+v, want one in progress", records)
	}
	if a := w.by(hookBin).feed(`{"hook_event_name":"PostToolUse","cwd":"/","tool_name":"Bash","tool_use_id":"t3","tool_input":{},"duration_ms":1200}`, "guard"); a.code != 0 || a.out != "" {
		t.Errorf("the outcome: %+v", a)
	}
	if records := w.cooldowns().Service("web").Restarts; len(records) != 1 || !records[0].Success || records[0].DurationMS != 1200 {
		t.Errorf("records %+v, want one success that took 1200 ms", records)
	}
}

// Whatever is wrong with what the guard is given, or with where it stands, nothing is granted, and one line says why.
func TestGuardRefusesWhenAnythingIsWrong(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(w *world) error
		input string // "" is a restart
		fault string
	}{
		"empty":                 {nil, "-", "the hook input is empty"},
		"truncated":             {nil, `{"hook_event_name":"PreToolUse","tool_na`, "not the JSON"},
		"huge":                  {nil, strings.Repeat("x", 10_000_000), "larger than 1048576 bytes"},
		"huge and valid":        {nil, `{"x":"` + strings.Repeat("x", 10_000_000) + "\"}\n", "larger than 1048576 bytes"},
		"not UTF-8":             {nil, "{\"hook_event_name\":\"\xff\"}\n", "not the JSON"},
		"an unknown event":      {nil, `{"hook_event_name":"Notification"}`, `does not know the event "Notification"`},
		"an unknown tool":       {nil, `{"hook_event_name":"PreToolUse","cwd":"/","tool_use_id":"t","tool_name":"Teleport","tool_input":{}}`, "Teleport"},
		"no session":            {func(w *world) error { delete(w.env, "CLAUDEOPS_SESSION_ID"); return nil }, "", "CLAUDEOPS_SESSION_ID"},
		"no tier":               {func(w *world) error { delete(w.env, "CLAUDEOPS_TIER"); return nil }, "", "CLAUDEOPS_TIER"},
		"a tier that is none":   {func(w *world) error { w.env["CLAUDEOPS_TIER"] = "4"; return nil }, "", "CLAUDEOPS_TIER"},
		"a value that is wrong": {func(w *world) error { w.env["CLAUDEOPS_RETENTION"] = "soon"; return nil }, "", "CLAUDEOPS_RETENTION"},
		"several wrong values": {func(w *world) error {
			w.env["CLAUDEOPS_RETENTION"], w.env["CLAUDEOPS_MAX_TIER"] = "soon", "7"
			return nil
		}, "", "CLAUDEOPS_RETENTION"},
		"no policy":                 {func(w *world) error { w.env["CLAUDEOPS_POLICY"] = w.path("none.yaml"); return nil }, "", "none.yaml"},
		"a corrupt policy":          {corruptPolicy, "", "policy.yaml"},
		"no state directory":        {func(w *world) error { return os.RemoveAll(w.path("state")) }, "", "state directory"},
		"an unwritable one":         {func(w *world) error { w.asUser(); return os.Chmod(w.path("state"), 0o500) }, "", "permission denied"},
		"an unwritable results one": {func(w *world) error { w.asUser(); return os.Chmod(w.path("results"), 0o500) }, "", "no remediation is granted that is not written down"},
		"a state file that is none": {func(w *world) error { return os.Mkdir(w.path("state", "cooldown.json"), 0o700) }, "", "cooldown.json"},
		"no database":               {func(w *world) error { return os.Truncate(w.path("state", store.FileName), 100) }, "", store.FileName},
		"no such session":           {func(w *world) error { w.env["CLAUDEOPS_SESSION_ID"] = "4711"; return nil }, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.inSession(2)
			if test.spoil != nil {
				must(t, test.spoil(w))
			}
			switch test.input {
			case "":
				test.input = w.command("t1", "docker restart web")
			case "-":
				test.input = ""
			}
			for _, program := range []string{hookBin, claudeopsBin} {
				a := w.by(program).feed(test.input, "guard")
				name := filepath.Base(program) + ": "
				if a.code != 2 || a.out != "" || strings.Count(a.err, "\n") != 1 || !strings.Contains(a.err, test.fault) || !strings.HasPrefix(a.err, name) {
					t.Errorf("%sexit code %d, output %q, error %q; want 2, nothing, one line with %q", name, a.code, a.out, a.err, test.fault)
				}
			}
		})
	}
}

func corruptPolicy(w *world) error {
	w.env["CLAUDEOPS_POLICY"] = w.path("policy.yaml")
	return os.WriteFile(w.path("policy.yaml"), []byte("programs: ["), 0o600)
}

func TestGuardOfALockedStateDirectoryRefusesRemediationsOnly(t *testing.T) {
	w := newWorld(t)
	w.inSession(2)
	lock, err := statedir.TryAcquire(w.path("state", "cooldown.lock"))
	must(t, err)
	if a := w.by(hookBin).feed(w.command("t1", "docker restart web"), "guard"); a.code != 2 || a.out != "" || strings.Count(a.err, "\n") != 1 {
		t.Errorf("a restart: %+v, want exit 2 and one line", a)
	}
	if got, reason := decision(w.by(hookBin).feed(w.command("t2", "docker ps"), "guard")); got != "allow" {
		t.Errorf("observing: %q, %q", got, reason)
	}
	must(t, lock.Release())
}

// Guards of both programs share the records.
func TestSPEC0007_REQ4_FiftyGuardsAtOnceGrantTheLastRestartOnce(t *testing.T) {
	const many = 50
	w := newWorld(t)
	w.inSession(2)
	w.writeCooldowns(restarted("web", 1))
	answers := make([]answer, many)
	var all sync.WaitGroup
	for i := range many {
		cmd := exec.Command([]string{hookBin, claudeopsBin}[i%2], "guard")
		cmd.Env, cmd.Dir, cmd.Stdin = w.environ(), w.dir, strings.NewReader(w.command(fmt.Sprint("t", i), "docker restart web"))
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		must(t, cmd.Start())
		all.Go(func() {
			_ = cmd.Wait() // its exit code is what is looked at
			answers[i] = answer{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
		})
	}
	all.Wait()
	granted := 0
	for _, a := range answers {
		switch got, reason := decision(a); {
		case got == "allow":
			granted++
		case got != "deny" || !strings.Contains(reason, "2 of 2 used in 4 h"):
			t.Errorf("answer %+v, want a grant or a refusal by the limit", a)
		}
	}
	if granted != 1 {
		t.Errorf("%d of %d were granted, want 1", granted, many)
	}
	if records := w.cooldowns().Service("web").Restarts; len(records) != 2 {
		t.Errorf("%d records, want 2", len(records))
	}
	if told := w.told("human_attention"); len(told) != 1 {
		t.Errorf("notifications %+v, want one", told)
	}
}

// A guard whose standard input stays silent does not hang for ever.
func TestGuardDoesNotWaitForEver(t *testing.T) {
	w := newWorld(t)
	w.inSession(1)
	r, silent, err := os.Pipe()
	must(t, err)
	cmd := exec.Command(hookBin, "guard")
	cmd.Env, cmd.Dir, cmd.Stdin = w.environ(), w.dir, r
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	_ = cmd.Run() // its exit code is what is looked at
	if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.Contains(errs.String(), "did not come to its end") {
		t.Errorf("exit code %d, %s", code, errs.String())
	}
	must(t, silent.Close())
	must(t, r.Close())
}

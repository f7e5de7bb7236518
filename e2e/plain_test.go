package e2e

import (
	"os"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/testkit/modeltest"
)

// Without confinement an agent only runs programs of the policy, and reads only files that commands may read.
func TestAPlainAgentRunsProgramsAndReadsFiles(t *testing.T) {
	w, srv := withClaude(t, modeltest.Script{})
	w.env["CLAUDEOPS_SANDBOX"], w.env["CLAUDEOPS_APPRISE_URLS"] = "plain", "json://user:hunter2hunter2@127.0.0.1"
	w.program("docker", `echo "it runs in $PWD"`)
	repos := w.path("repos")
	for name, text := range map[string]string{
		"notes": strings.Repeat("x", 30_000) + "\nhunter2hunter2\n", "id_rsa": "-----BEGIN OPENSSH PRIVATE KEY-----\nhunter2hunter2\n",
	} {
		must(t, os.WriteFile(w.path("repos", name), []byte(text), 0o600))
	}
	must(t, os.Symlink(w.path("repos", "id_rsa"), w.path("repos", "link")))
	call := func(tool string, input map[string]any) modeltest.ToolUse {
		return modeltest.ToolUse{Name: "mcp__claudeops__" + tool, Input: input}
	}
	read := func(path string) modeltest.ToolUse { return call("read", map[string]any{"path": path}) }
	calls := []struct {
		use   modeltest.ToolUse
		fails bool
		says  string
	}{
		{call("run", map[string]any{"argv": []string{"docker", "ps"}}), false, "it runs in " + repos},
		{call("run", map[string]any{"argv": []string{"docker", "run", "alpine"}}), true, "claudeops: "},
		{call("run", map[string]any{"argv": []string{"claudeops", "cooldown", "show"}}), false, ""},
		{call("run", map[string]any{"argv": []string{"sh", "-c", "id"}}), true, "claudeops: "},
		{read("/etc/hosts"), false, "localhost"},
		{read(repos + "/notes"), false, "(it may go on: offset 28000)"},
		{call("read", map[string]any{"path": repos + "/notes", "offset": 29_999}), false, "x\n[redacted]\n"},
		{read(repos + "/id_rsa"), true, "may not be read"},
		{read(repos + "/link"), true, "may not be read"},
		{read("/etc/shadow"), true, "may not be read"},
		{read("/proc/self/environ"), true, "may not be read"},
		{read("/proc/1/../self/environ"), true, "may not be read"},
		{read(w.path("state", "claudeops.db")), true, "may not be read"},
		{call("bash", map[string]any{"command": "id"}), true, ""},
	}
	var turn modeltest.Turn
	for _, c := range calls {
		turn.Tools = append(turn.Tools, c.use)
	}
	w.play(srv, modeltest.Script{"haiku": {turn, modeltest.Say("done")}})
	w.wantStatuses("1 completed")
	results := lastResults(t, srv, "haiku")
	if len(results) != len(calls) {
		t.Fatalf("%d results, want %d", len(results), len(calls))
	}
	for i, c := range calls {
		if r := results[i]; r.IsError != c.fails || !strings.Contains(r.Text, c.says) || strings.Contains(r.Text, "hunter2") {
			t.Errorf("%s %v: the model was told %.300q (error: %t)", c.use.Name, c.use.Input, r.Text, r.IsError)
		}
	}
	if shown := w.run("sessions", "show", "1", "--commands"); !strings.Contains(shown.out, "docker ps") || !strings.Contains(shown.out, repos+"/id_rsa") {
		t.Errorf("sessions show --commands:\n%s%s", shown.out, shown.err)
	}
	says(t, srv.RequestsTo("haiku")[0].System, "There is no shell")
	if a := w.run("doctor"); !strings.Contains(a.out, "warn  sandbox") {
		t.Errorf("doctor:\n%s", a.out)
	}
}

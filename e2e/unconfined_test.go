package e2e

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/denied"
	"github.com/claudeops/claudeops/testkit/modeltest"
)

// Where the kernel confines nothing, agents have no shell: they run programs of the policy one by one, and read only files that commands
// may read. Their other tools are the same.
func TestWithoutLandlockAnAgentLooksAndReads(t *testing.T) {
	w, srv := withClaude(t, modeltest.Script{})
	denied.Landlock(t)
	w.env["CLAUDEOPS_APPRISE_URLS"] = "json://user:hunter2hunter2@127.0.0.1"
	w.program("docker", `echo "it runs in $PWD"`)
	repos := w.path("repos")
	for name, text := range map[string]string{
		"notes": "one\nhunter2hunter2\nthree\n", "long": "one\n" + strings.Repeat("x", 30_000) + "\nthree\n", "id_rsa": "-----BEGIN OPENSSH PRIVATE KEY-----\nhunter2hunter2\n",
	} {
		must(t, os.WriteFile(w.path("repos", name), []byte(text), 0o600))
	}
	must(t, os.Symlink(w.path("repos", "id_rsa"), w.path("repos", "link")))
	call := func(tool string, input map[string]any) modeltest.ToolUse {
		return modeltest.ToolUse{Name: "mcp__claudeops__" + tool, Input: input}
	}
	read := func(path string) modeltest.ToolUse { return call("read", map[string]any{"path": path}) }
	look := func(argv ...string) modeltest.ToolUse { return call("look", map[string]any{"argv": argv}) }
	down := []any{map[string]any{"service": "shop", "check_type": "http", "status": "down", "error": "HTTP 502"}}
	calls := []struct {
		use   modeltest.ToolUse
		fails bool
		says  string
	}{
		{look("docker", "ps"), false, "it runs in " + repos},
		{look("docker", "run", "alpine"), true, "claudeops: "},
		{look("claudeops", "cooldown", "show"), false, ""},
		{look("sh", "-c", "id"), true, "claudeops: "},
		{read("/etc/hosts"), false, "localhost"},
		{read(repos + "/notes"), false, "one\n[redacted]\nthree\n"},
		{call("read", map[string]any{"path": repos + "/notes", "from_line": 2, "lines": 1}), false, "[redacted]\n\n(it may go on: from_line 3)"},
		{read(repos + "/long"), false, "x\n(it may go on: from_line 2)"},
		{call("read", map[string]any{"path": repos + "/long", "from_line": 2}), false, "x\n(it may go on: from_line 3)"},
		{call("read", map[string]any{"path": repos + "/long", "from_line": 3}), false, "three\n"},
		{read(repos + "/id_rsa"), true, "may not be read"},
		{read(repos + "/link"), true, "may not be read"},
		{read("/etc/shadow"), true, "may not be read"},
		{read("/proc/self/environ"), true, "may not be read"},
		{read("/proc/1/../self/environ"), true, "may not be read"},
		{read(w.path("state", "claudeops.db")), true, "may not be read"},
		{call("bash", map[string]any{"command": "id"}), true, ""},
		{call("report", map[string]any{"check_results": down}), false, ""},
		{call("hand_off", map[string]any{"services_affected": []string{"shop"}, "check_results": down}), false, ""},
	}
	var turn modeltest.Turn
	for _, c := range calls {
		turn.Tools = append(turn.Tools, c.use)
	}
	w.play(srv, modeltest.Script{"haiku": {turn, modeltest.Say("shop is down")}, "sonnet": {modeltest.Say("it is")}})
	w.wantStatuses("1 escalated", "2 completed")
	for i, offered := range w.initEvents() {
		for name, is := range map[string]bool{"bash": false, "look": true, "read": true, "report": true, "hand_off": true, "restart": i == 1} {
			if slices.Contains(offered.Tools, "mcp__claudeops__"+name) != is {
				t.Errorf("Tier %d is offered %q; want %s: %t", i+1, offered.Tools, name, is)
			}
		}
	}
	said := regexp.MustCompile("no `bash`, but `look` and `read`, .*; use Linux 5.13 or later")
	if warned := said.FindAllString(strings.Join(w.events(store.Warning), "\n"), -1); len(warned) != 2 {
		t.Errorf("warnings %q, want one a session", w.events(store.Warning))
	}
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
	if a := w.run("doctor"); !regexp.MustCompile("(?m)^warn +sandbox +agents have " + said.String()).MatchString(a.out) {
		t.Errorf("doctor:\n%s", a.out)
	}
}

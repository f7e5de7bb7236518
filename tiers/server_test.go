package tiers

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/config"
)

func serverOf(tools ...string) *Server {
	serve := func(ctx context.Context) error { <-ctx.Done(); return nil }
	return &Server{Shim: "/opt/it's here/claudeops-shim", Tools: tools, Serve: serve}
}

func TestThroughTheDoor_CommandLine(t *testing.T) {
	b := newBench(t, "result 0 1")
	b.spec.Server = serverOf("bash", "report")
	record := b.record(t)
	for flag, want := range map[string]string{
		"--tools": "", "--allowedTools": "mcp__claudeops__bash,mcp__claudeops__report", "--permission-mode": "dontAsk", "--setting-sources": "",
	} {
		if got, given := record.Flag(flag); !given || got != want {
			t.Errorf("%s %q (given: %t), want %q", flag, got, given, want)
		}
	}
	if !slices.Contains(record.Args, "--strict-mcp-config") {
		t.Error("--strict-mcp-config is missing")
	}
	config, _ := record.Flag("--mcp-config")
	text := got(os.ReadFile(config))(t)
	want := `{"mcpServers":{"claudeops":{"command":"/opt/it's here/claudeops-shim","args":["relay","` + b.spec.Workspace.Socket() + `"],"alwaysLoad":true}}}`
	if string(text) != want {
		t.Errorf("the servers are %s, want %s", text, want)
	}
	is := got(os.Stat(config))(t)
	if filepath.Dir(config) != b.spec.Workspace.dir || is.Mode() != 0o600 {
		t.Errorf("%s has mode %v; want 0600 in the session's folder", config, is.Mode())
	}
}

func TestThroughTheDoor_NoHookIsOurs(t *testing.T) {
	ws := got(NewWorkspace(t.TempDir(), 1))(t)
	path := got(ws.Settings(config.Credential{}, Spec{Workspace: ws, Server: serverOf("bash")}.hooks()))(t)
	if text, err := os.ReadFile(path); err != nil || string(text) != `{"hooks":{}}` {
		t.Errorf("settings are %s, %v", text, err)
	}
}

// An agent with other tools than the server's is stopped before its model has called one.
func TestThroughTheDoor_OtherToolsStopTheAgent(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		failed bool
	}{
		"the server's":         {"init", false},
		"one is missing":       {"init mcp__claudeops__bash", true},
		"none of the server's": {"init Bash Read", true},
		"one of the program's": {"init mcp__claudeops__bash mcp__claudeops__report Bash", true},
	} {
		b := newBench(t, c.script, "result 0.1 1")
		if c.failed {
			b = newBench(t, c.script, "hang")
		}
		b.spec.Server = serverOf("bash", "report")
		out := b.run(t)
		if c.failed != (out.Ending == Failed) || c.failed && !strings.Contains(out.Reason, "has not the tools of this cycle") {
			t.Errorf("%s: %s, %q", name, out.Ending, out.Reason)
		}
	}
}

// The server runs exactly as long as the agent.
func TestThroughTheDoor_TheServerEndsWithTheAgent(t *testing.T) {
	b := newBench(t, "init", "tool mcp__claudeops__bash true", "result 0.1 1")
	b.spec.Server = serverOf("bash")
	ended, used := false, ""
	b.spec.Server.Serve = func(ctx context.Context) error {
		<-ctx.Done()
		ended = true
		return errors.New("a socket was lost")
	}
	b.spec.Progress = func(p Progress) { used += p.Tool }
	out, err := Run(t.Context(), b.spec)
	if out.Ending != Completed || !ended || err == nil || !strings.Contains(err.Error(), "a socket was lost") {
		t.Errorf("%s, %s; the server ended: %v; %v", out.Ending, out.Reason, ended, err)
	}
	if used != "bash" {
		t.Errorf("people are shown the tool %q, want bash", used)
	}
}

func TestThroughTheDoor_AServerThatEndsStopsTheAgent(t *testing.T) {
	b := newBench(t, "init", "hang")
	b.spec.Server = serverOf("bash")
	b.spec.Server.Serve = func(context.Context) error { return errors.New("no more descriptors") }
	out, err := Run(t.Context(), b.spec)
	if out.Ending != Failed || !strings.Contains(out.Reason, "their server has ended: no more descriptors") || err == nil {
		t.Errorf("%s, %s, %v", out.Ending, out.Reason, err)
	}
	b.nothingIsLeft(t)
}

func TestThroughTheDoor_HooksForBashAreForWhatActs(t *testing.T) {
	const tools = "mcp__claudeops__bash|mcp__claudeops__run|mcp__claudeops__restart|mcp__claudeops__redeploy"
	for matcher, want := range map[string]string{
		"":                            "",
		"*":                           "*",
		"Bash":                        "Bash|" + tools,
		"Write|Bash":                  "Write|Bash|" + tools,
		"Edit, Bash":                  "Edit, Bash|" + tools,
		"Read":                        "Read",
		"BashOutput":                  "BashOutput",
		"bash":                        "bash",
		"mcp__.*":                     "mcp__.*",
		".*":                          ".*",
		"^Ba":                         "(?:^Ba)|^(?:" + tools + ")$",
		"^(?!Read)":                   "(?:^(?!Read))|^(?:" + tools + ")$", // Go cannot compile this, but the agent program's language can
		"Bash|mcp__claudeops__bash":   "Bash|mcp__claudeops__bash|" + tools,
		"mcp__claudeops__restart":     "mcp__claudeops__restart",
		"^(Bash|mcp__claudeops__.*)$": "^(Bash|mcp__claudeops__.*)$",
	} {
		got := Hooks{"PreToolUse": {{Matcher: matcher, Hooks: []hookCommand{{Command: "x"}}}}}.throughServer()["PreToolUse"]
		if len(got) != 1 || got[0].Matcher != want {
			t.Errorf("%q became %+v, want %q", matcher, got, want)
		}
	}
	other := Hooks{"SessionStart": {{Matcher: "Bash", Hooks: []hookCommand{{Command: "x", If: "Bash(x)"}}}}}.throughServer()
	if g := other["SessionStart"][0]; g.Matcher != "Bash" || g.Hooks[0].If != "Bash(x)" {
		t.Errorf("a matcher that is for no tool became %+v", g)
	}
}

// The agent program would never call a hook with a condition on a tool that the agent lacks.
func TestThroughTheDoor_AConditionOnBashIsLeftOut(t *testing.T) {
	got := Hooks{"PreToolUse": {{Matcher: "*", Hooks: []hookCommand{
		{Command: "all"}, {Command: "git", If: "Bash(git *)"}, {Command: "read", If: "Read(/etc/*)"},
	}}}}.throughServer()["PreToolUse"]
	if len(got) != 2 || got[0].Matcher != "*" || len(got[0].Hooks) != 2 || got[0].Hooks[1].If == "" {
		t.Fatalf("%+v", got)
	}
	if g := got[1]; g.Matcher != strings.Join(acting, "|") || len(g.Hooks) != 1 || g.Hooks[0].Command != "git" || g.Hooks[0].If != "" {
		t.Errorf("%+v", g)
	}
}

func TestThroughTheDoor_Warnings(t *testing.T) {
	own, err := ReadHooks(hooksFile(t, `{
	"hooks": {
		"SessionStart": [{"matcher": "Read", "hooks": [{"type": "command", "command": "x"}]}],
		"PreToolUse": [
			{"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}]},
			{"matcher": "", "hooks": [{"type": "command", "command": "x"}]},

			{
				"matcher": "Read|Grep",
				"hooks": [{"type": "command", "command": "x"}]},
			{"hooks": [{"type": "command", "command": "x", "if": "Bash(git *)"}, {"type": "command", "command": "x", "if": "Glob"}]}
		],
		"PostToolUse": [{"matcher": "^Gl", "hooks": [{"type": "command", "command": "x"}]}]
	}
}`))
	must(t, err)
	want := []string{
		`line 11: hooks.PreToolUse: if "Bash(git *)": the hook is called for every command, let it look at tool_input itself`,
		`line 11: hooks.PreToolUse: if "Glob": the hook is never called, no agent has Glob any more`,
		`line 13: hooks.PostToolUse: matcher "^Gl": no agent has Glob any more, all that it reads it reads by mcp__claudeops__bash`,
		`line 8: hooks.PreToolUse: matcher "Read|Grep": no agent has Read, Grep any more, all that it reads it reads by mcp__claudeops__bash`,
	}
	if got := own.ServerWarnings(); !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := Hooks(nil).ServerWarnings(); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

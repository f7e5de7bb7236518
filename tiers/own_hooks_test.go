package tiers

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/config"
)

func hooksFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "hooks.json")
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestAnOperatorsHooksStandBehindTheBreaker(t *testing.T) {
	own, err := ReadHooks(hooksFile(t, `{
		"model": "opus",
		"hooks": {
			"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "it's && ours", "timeout": 60, "if": "Bash(git *)", "statusMessage": "looking"}]}],
			"SessionEnd": [{"hooks": [{"type": "command", "command": "node", "args": ["x.js", "a b"], "async": true}]}]
		}
	}`))
	must(t, err)
	if own.Count() != 2 {
		t.Errorf("%d hooks, want 2", own.Count())
	}
	ws, err := NewWorkspace(t.TempDir(), 1)
	must(t, err)
	path, err := ws.Settings(config.Credential{}, Spec{Workspace: ws, Hooks: own, HookProgram: "/opt/claudeops"}.hooks())
	must(t, err)
	text, err := os.ReadFile(path)
	must(t, err)
	var settings struct {
		Model string `json:"model"`
		Hooks Hooks  `json:"hooks"`
	}
	must(t, json.Unmarshal(text, &settings))
	if settings.Model != "" {
		t.Error("something else than the hooks was taken over")
	}
	pre := settings.Hooks["PreToolUse"]
	if len(pre) != 1 || pre[0].Matcher != strings.Join(acting, "|") {
		t.Fatalf("PreToolUse: %+v, want one for the tools that act", pre)
	}
	if h := pre[0].Hooks[0]; h.Command != `'/opt/claudeops' hooks run --deny-only --timeout 57s -c 'it'\''s && ours'` || h.Timeout != 60 || h.If != "" {
		t.Errorf("a line of shell became %+v", h)
	}
	end := settings.Hooks["SessionEnd"][0].Hooks[0]
	if want := []string{"hooks", "run", "--deny-only", "--quiet", "--", "node", "x.js", "a b"}; end.Command != "/opt/claudeops" || !slices.Equal(end.Args, want) || !end.Async {
		t.Errorf("a program with arguments became %+v", end)
	}
}

// One entry that the agent program does not take makes it drop the whole settings.
func TestHooksThatWouldCostTheOthersAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{"hooks": {"PreToolUse": [{"hooks": [{"type": "http", "url": "x"}]}]}}`:                         `hooks.PreToolUse[0].hooks[0]: type "http"`,
		`{"hooks": {"Stop": [{"hooks": [{"type": "command"}]}]}}`:                                        `hooks.Stop[0].hooks[0]: no command`,
		`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": -1}]}]}}`:         `timeout -1`,
		`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": 1e9}]}]}}`:        `timeout 1e+09`,
		`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "shell": "powershell"}]}]}}`: `shell "powershell"`,
		`{"hooks": {"stop": []}}`: `hooks.stop: no event`,
		`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": 7}]}]}}`:                        `not the hooks of a settings file`,
		`{"hooks": {"Stop": [{"matcher": 7, "hooks": []}]}}`:                                           `not the hooks of a settings file`,
		`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "asyncRewake": true}]}]}}`: `asyncRewake`,
		`{"hooks": {"WorktreeCreate": []}}`:                                                            `hooks.WorktreeCreate: no event`,
		`{"hooks": []}`:                                                                                `not the hooks of a settings file`,
		`// {}`:                                                                                        `not the hooks of a settings file`,
	} {
		if own, err := ReadHooks(hooksFile(t, text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, error %v, want %q", text, own, err, want)
		}
	}
	if _, err := ReadHooks(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a missing file was no error")
	}
}

func TestNoHooksOfTheirOwn(t *testing.T) {
	own, err := ReadHooks("")
	if err != nil || own.Count() != 0 {
		t.Errorf("%v, %v", own, err)
	}
}

func TestTheAgentsCommandsAreRunByNoPrefix(t *testing.T) {
	env := Environment([]string{"CLAUDE_CODE_SHELL_PREFIX=/usr/local/bin/wrap", "CLAUDE_CODE_MAX_OUTPUT_TOKENS=5", "GUARDRAILS_FAILURE_THRESHOLD=5"}, nil, config.Credential{}, nil)
	if slices.ContainsFunc(env, func(e string) bool { return strings.HasPrefix(e, "CLAUDE_CODE_SHELL_PREFIX=") }) {
		t.Error("a program of the operator's would stand between the guard's judgement and the shell")
	}
	if !slices.Contains(env, "CLAUDE_CODE_MAX_OUTPUT_TOKENS=5") || !slices.Contains(env, "GUARDRAILS_FAILURE_THRESHOLD=5") {
		t.Errorf("%q: something else was left out", env)
	}
}

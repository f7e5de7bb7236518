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

func TestAnOperatorsHooksAreBehindTheBreaker(t *testing.T) {
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
	ws := got(NewWorkspace(t.TempDir(), 1))(t)
	path := got(ws.Settings(config.Credential{}, Spec{Workspace: ws, Hooks: own, HookProgram: "/opt/claudeops"}.hooks()))(t)
	text := got(os.ReadFile(path))(t)
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

// If the agent program rejects one entry, it drops the whole settings.
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

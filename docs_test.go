package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/breaker"
	"github.com/claudeops/claudeops/breaker/settings"
)

// What docs/claude-hooks.md tells people to type is run by testdata/script/docs_claude_hooks.txtar, line by line as it stands there;
// and its settings are settings.
func TestDocsClaudeHooks(t *testing.T) {
	doc, script := file(t, "docs/claude-hooks.md"), file(t, "testdata/script/docs_claude_hooks.txtar")
	run := map[string]bool{}
	for line := range strings.Lines(script) {
		run[strings.TrimSuffix(line, "\n")] = true
	}
	for _, block := range blocks(doc, "sh") {
		for line := range strings.Lines(block) {
			if line = strings.TrimSuffix(line, "\n"); !run[line] {
				t.Errorf("no test runs %q", line)
			}
		}
	}
	// In the text a command may stand with names for what it takes.
	for _, command := range regexp.MustCompile("`(claude-hooks [^`]+)`").FindAllStringSubmatch(doc, -1) {
		fixed := strings.TrimSpace(regexp.MustCompile(`(\[?NAME|FILE).*`).ReplaceAllString(command[1], ""))
		if !strings.Contains(script, fixed) {
			t.Errorf("no test runs %q", fixed)
		}
	}
	wrapped, _, err := settings.Wrap([]byte(`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"uv run check.py"}]}]}}`),
		settings.Options{Program: []string{"claude-hooks"}, Fallback: true})
	if err != nil {
		t.Fatal(err)
	}
	spaced := strings.ReplaceAll(string(wrapped), `":"`, `": "`)
	for _, block := range blocks(doc, "json") {
		if strings.HasPrefix(block, `"command": `) && !strings.Contains(spaced, strings.TrimSpace(block)) {
			t.Errorf("a wrapped line is none of\n%s\nbut\n%s", block, wrapped)
		}
	}
	for i, block := range blocks(doc, "yaml") {
		path := filepath.Join(t.TempDir(), "guardrails.yaml")
		if err := os.WriteFile(path, []byte(block), 0o600); err != nil {
			t.Fatal(err)
		}
		if faults := breaker.LoadConfig(path, nil, "/home/somebody").Faults; len(faults) > 0 {
			t.Errorf("yaml block %d: %q", i+1, faults)
		}
	}
}

// The table of options has every key with its default.
func TestDocsClaudeHooks_OptionsAreComplete(t *testing.T) {
	doc := file(t, "docs/claude-hooks.md")
	for _, setting := range breaker.LoadConfig("", nil, "").Settings() {
		row := "\n| `" + setting.Key + "` | "
		if !strings.Contains(doc, row) {
			t.Errorf("%s is not in the table", setting.Key)
		}
		if value := strings.ReplaceAll(setting.Value, "|", `\|`); value != "" && value != "[]" {
			row += "`" + value + "` | "
		}
		if !strings.Contains(doc, row) {
			t.Errorf("%s: the default is %q", setting.Key, setting.Value)
		}
	}
	// And every name of a variable in it is one.
	for _, row := range regexp.MustCompile("(?m)^\\| `[a-z_.]+` \\|.*`(GUARDRAILS_[A-Z_]+)` \\|$").FindAllStringSubmatch(doc, -1) {
		for _, fault := range breaker.LoadConfig("", []string{row[1] + "=?"}, "/home/somebody").Faults {
			if !strings.Contains(fault, "must be") {
				t.Errorf("want at most the value to be wrong: %s", fault)
			}
		}
	}
}

func file(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// blocks are the fenced blocks of a language in a text of Markdown.
func blocks(text, language string) (list []string) {
	for _, block := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(text, -1) {
		list = append(list, block[1])
	}
	return list
}

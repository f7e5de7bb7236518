package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/hooks"
)

// The commands of docs/claude-hooks.md are those that testdata/script/claude_hooks.txtar runs, and its configuration is valid.
func TestDocsClaudeHooks(t *testing.T) {
	doc, script := file(t, "docs/claude-hooks.md"), file(t, "testdata/script/claude_hooks.txtar")
	blocks := regexp.MustCompile("(?s)```(\\w+)\n(.*?)```").FindAllStringSubmatch(doc, -1)
	for _, block := range blocks {
		for line := range strings.Lines(block[2]) {
			if strings.HasPrefix(line, "claude-hooks ") && block[1] == "sh" && !strings.Contains(script, "exec "+strings.TrimSpace(line)) {
				t.Errorf("the script does not run %q", line)
			}
		}
		if block[1] != "yaml" {
			continue
		}
		home := t.TempDir()
		if err := os.MkdirAll(filepath.Dir(hooks.ConfigPath(home)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(hooks.ConfigPath(home), []byte(block[2]), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := hooks.LoadConfig(home); err != nil {
			t.Error(err)
		}
	}
	if len(blocks) < 7 {
		t.Errorf("%d blocks were found", len(blocks))
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

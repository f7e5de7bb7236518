package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"mvdan.cc/sh/v3/syntax"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/hooks/settings"
)

// The commands in docs/claude-hooks.md are run, line by line, by testdata/script/docs_claude_hooks.txtar, and its settings are valid.
func TestDocsClaudeHooks(t *testing.T) {
	doc := file(t, "docs/claude-hooks.md")
	lines := executed(t, "testdata/script/docs_claude_hooks.txtar")
	for _, block := range blocks(doc, "sh") {
		for line := range strings.Lines(block) {
			if line = strings.TrimSuffix(line, "\n"); !slices.Contains(lines, line) {
				t.Errorf("no test runs %q", line)
			}
		}
	}
	var run []string // commands, one a line
	for _, line := range lines {
		run = append(run, commandsIn(t, line)...)
	}
	for _, command := range regexp.MustCompile("`(claude-hooks [^`]+)`").FindAllStringSubmatch(doc, -1) {
		if !slices.ContainsFunc(run, placeholders(command[1]).MatchString) {
			t.Errorf("no test runs %q", command[1])
		}
	}
	wrapped, _, err := settings.Wrap([]byte(`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"uv run check.py"}]}]}}`),
		settings.Options{Program: []string{"claude-hooks"}})
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
		if faults := hooks.LoadConfig(path, nil, "/home/somebody").Faults; len(faults) > 0 {
			t.Errorf("yaml block %d: %q", i+1, faults)
		}
	}
}

// The table of options has every key with its default.
func TestDocsClaudeHooks_OptionsAreComplete(t *testing.T) {
	doc := file(t, "docs/claude-hooks.md")
	for _, setting := range hooks.LoadConfig("", nil, "").Settings() {
		row := "\n| `" + setting.Key + "` | "
		if !strings.Contains(doc, row) {
			t.Errorf("%s is not in the table", setting.Key)
		}
		if value := strings.ReplaceAll(setting.Value, "|", `\|`); value != "" && value != "[]" && value != "{}" {
			row += "`" + value + "` | "
		}
		if !strings.Contains(doc, row) {
			t.Errorf("%s: the default is %q", setting.Key, setting.Value)
		}
	}
	// And every name of a variable in it is one.
	for _, row := range regexp.MustCompile("(?m)^\\| `[a-z_.]+` \\|.*`(GUARDRAILS_[A-Z_]+)` \\|$").FindAllStringSubmatch(doc, -1) {
		for _, fault := range hooks.LoadConfig("", []string{row[1] + "=?"}, "/home/somebody").Faults {
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

// executed are the lines of shell that a script of testscript runs: what follows exec, and the lines of the files that it gives to sh.
func executed(t *testing.T, path string) (lines []string) {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	for line := range strings.Lines(string(archive.Comment)) {
		line, exec := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(line), "! "), "exec ")
		if !exec {
			continue
		}
		lines = append(lines, line)
		if given := regexp.MustCompile(`^sh (?:-ex )?\$WORK/(\S+)`).FindStringSubmatch(line); given != nil {
			text, there := files[given[1]]
			if !there {
				t.Errorf("there is no file for %q", line)
			}
			for line := range strings.Lines(text) {
				lines = append(lines, strings.TrimSuffix(line, "\n"))
			}
		}
	}
	return lines
}

// commandsIn are the calls of claude-hooks in a line of shell, each from that word on with its words as they are written. A line that
// is a part of several has none.
func commandsIn(t *testing.T, line string) (commands []string) {
	t.Helper()
	parsed, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil {
		return nil
	}
	syntax.Walk(parsed, func(node syntax.Node) bool {
		if call, ok := node.(*syntax.CallExpr); ok && len(call.Args) > 0 {
			text := line[call.Args[0].Pos().Offset():call.Args[len(call.Args)-1].End().Offset()]
			if at := strings.Index(text, "claude-hooks "); at == 0 || strings.HasPrefix(text, "python3 $WORK/until ") && at > 0 {
				commands = append(commands, text[at:])
			}
		}
		return true
	})
	return commands
}

// placeholders is what a command in the text means: words in capitals stand for others, those in brackets need not be there, and
// those with an ellipsis may be several.
func placeholders(command string) *regexp.Regexp {
	var pattern strings.Builder
	pattern.WriteString("^claude-hooks")
	for word := range strings.FieldsSeq(strings.TrimPrefix(command, "claude-hooks")) {
		switch name := strings.Trim(word, "[]…"); {
		case name != strings.ToUpper(name) || strings.ToLower(name) == name:
			pattern.WriteString(" " + regexp.QuoteMeta(word))
		case strings.HasPrefix(word, "["):
			pattern.WriteString(`( \S+)?`)
		case strings.HasSuffix(word, "…"):
			pattern.WriteString(" .+")
		default:
			pattern.WriteString(` ('[^']*'|\S+)`)
		}
	}
	return regexp.MustCompile(pattern.String() + "$")
}

// blocks are the fenced blocks of a language in a text of Markdown.
func blocks(text, language string) (list []string) {
	for _, block := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(text, -1) {
		list = append(list, block[1])
	}
	return list
}

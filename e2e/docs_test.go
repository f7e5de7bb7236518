package e2e

import (
	"os"
	"strings"
	"testing"
)

// deployCommands returns the commands in the first sh block of a section of docs/deploy.md, with continuation lines joined. More than five
// are too many.
func deployCommands(t *testing.T, heading string) []string {
	t.Helper()
	doc, err := os.ReadFile("../docs/deploy.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(doc), "\n## "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	_, block, fenced := strings.Cut(section, "\n```sh\n")
	block, _, closed := strings.Cut(block, "\n```")
	if !found || !fenced || !closed {
		t.Fatalf("docs/deploy.md has no section %q with commands", heading)
	}
	var commands []string
	for line := range strings.SplitSeq(strings.ReplaceAll(block, "\\\n", ""), "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			commands = append(commands, line)
		}
	}
	if len(commands) == 0 || len(commands) > 5 {
		t.Fatalf("docs/deploy.md, %q: want one to five commands, got %d:\n%s", heading, len(commands), strings.Join(commands, "\n"))
	}
	return commands
}

package modeltest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/claudeops/claudeops/testkit/need"
)

// Version is the version of the claude program that the tests are written for.
const Version = "2.1.197"

// Program returns the path of the real claude program: CLAUDEOPS_TEST_CLAUDE, else that in PATH, else the one that the Makefile has
// installed below .bin. Without one, the test fails instead of being skipped.
func Program(tb testing.TB) string {
	tb.Helper()
	need.Full(tb, "the real claude program")
	if named := os.Getenv("CLAUDEOPS_TEST_CLAUDE"); named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			tb.Fatalf("CLAUDEOPS_TEST_CLAUDE: %v; it names the claude program, or is left out", err)
		}
		return path
	}
	if path, err := exec.LookPath("claude"); err == nil {
		return path
	}
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if path, err := exec.LookPath(filepath.Join(dir, ".bin/claude-code/node_modules/.bin/claude")); err == nil {
			return path
		}
	}
	tb.Fatalf("no claude program: run `make claude`, or `npm install -g @anthropic-ai/claude-code@%s`, or name one in CLAUDEOPS_TEST_CLAUDE", Version)
	return ""
}

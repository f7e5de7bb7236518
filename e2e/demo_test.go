package e2e

import (
	"os/exec"
	"strings"
	"testing"
)

// TestDemo is `make demo` without its build: it shows what it announces, and reports no error.
func TestDemo(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), "go", "run", "./examples/first-run", claudeopsBin)
	cmd.Dir = ".."
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("the demo failed: %v\n%s", err, out)
	}
	says(t, string(out), "$ claudeops incidents show 1", "blog down since ", "services: 3 healthy, 2 down", "How to go on:")
	if strings.Contains(string(out), "ERROR") {
		t.Errorf("an error is in what a newcomer sees:\n%s", out)
	}
}

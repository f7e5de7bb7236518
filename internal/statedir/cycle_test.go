package statedir_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/claudeops/claudeops/internal/statedir"
)

// An agent may empty its environment; whose child it is it cannot change. This process is the cycle, and runs itself as what is below it.
func TestWhatRunsBelowACycleIsNoOperators(t *testing.T) {
	if dir := os.Getenv("BELOW_CYCLE"); dir != "" {
		if !statedir.InCycle(dir) {
			t.Error("a child of the cycle passes as an operator's")
		}
		return
	}
	dir := t.TempDir()
	lock, err := statedir.TryAcquire(filepath.Join(dir, statedir.CycleLock))
	must(t, err)
	defer func() { must(t, lock.Release()) }()
	if statedir.InCycle(dir) {
		t.Error("a cycle is below itself")
	}
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = []string{"BELOW_CYCLE=" + dir}
	if out, err := child.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

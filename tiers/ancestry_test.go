package tiers

import (
	"os"
	"os/exec"
	"testing"

	"github.com/claudeops/claudeops/internal/procfs"
)

func TestBelowCycleOf(t *testing.T) {
	parent := got(procfs.Read(os.Getppid()))(t)
	sibling := exec.Command("sleep", "60") // a sibling of the processes that this one may have orphaned
	must(t, sibling.Start())
	t.Cleanup(func() { _ = sibling.Process.Kill(); _ = sibling.Wait() })
	child := got(procfs.Read(sibling.Process.Pid))(t)
	for name, tt := range map[string]struct {
		pid   int
		start int64
		want  bool
	}{
		"its parent":                    {parent.PID, parent.Start, true},
		"one that had the parent's pid": {parent.PID, parent.Start - 1, false},
		"what a cycle started too":      {child.PID, child.Start, true},
		"nobody":                        {1 << 30, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := BelowCycleOf(tt.pid, tt.start); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}

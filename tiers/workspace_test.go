package tiers

import (
	"os"
	"testing"
)

// The state directory's name is no pattern, whatever is in it.
func TestWhatKilledCyclesLeftIsFoundInAFolderOfAnyName(t *testing.T) {
	state := t.TempDir() + "/a[bc]*"
	must(t, os.Mkdir(state, 0o700))
	ws, err := NewWorkspace(state, 3)
	must(t, err)
	if left := StatesOf(state, 3); len(left) != 1 || left[0] != ws.State() {
		t.Errorf("left are %q, want %q", left, ws.State())
	}
	must(t, RemoveWorkspaces(state))
	if left := StatesOf(state, 3); len(left) != 0 {
		t.Errorf("%q are left", left)
	}
}

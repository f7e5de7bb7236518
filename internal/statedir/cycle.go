package statedir

import (
	"os"
	"path/filepath"

	"github.com/claudeops/claudeops/internal/procfs"
)

// CycleLock is the file in the state directory that a running cycle locks with flock. Who holds it is the cycle: what it started may decide
// nothing for people, and without it no session runs.
const CycleLock = "cycle.lock"

// CycleHolder returns the process that holds the cycle lock of a state directory.
func CycleHolder(stateDir string) (by Holder, held bool) {
	return HolderOf(filepath.Join(stateDir, CycleLock))
}

// InCycle reports whether this process descends from the one that holds the cycle lock, whatever its environment says.
func InCycle(stateDir string) bool {
	by, held := CycleHolder(stateDir)
	return held && by.PID > 0 && procfs.Descends(os.Getpid(), by.PID)
}

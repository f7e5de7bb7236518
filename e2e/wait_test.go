package e2e

import (
	"os"
	"testing"
	"time"
)

// waitFor waits until a file exists. The agent creates it, so that no test depends on how long that takes.
func waitFor(t *testing.T, path string) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	end := time.After(deadline)
	for {
		if _, err := os.Stat(path); err == nil {
			return
		}
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("%s has not appeared", path)
		}
	}
}

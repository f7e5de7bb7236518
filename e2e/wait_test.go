package e2e

import (
	"os"
	"testing"
	"time"
)

// waitFor waits until a file exists. The agent creates it, so that no test depends on how long that takes.
func waitFor(t *testing.T, path string) {
	t.Helper()
	waitUntil(t, path+" is there", func() bool {
		_, err := os.Stat(path)
		return err == nil
	})
}

// waitUntil waits until something holds. Where that never comes, the test fails.
func waitUntil(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for end := time.After(deadline); !holds(); {
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

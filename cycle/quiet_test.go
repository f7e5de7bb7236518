package cycle

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/store"
)

func TestAnIncidentInASilence(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	dead := store.Incident{Status: check.Down, Fingerprint: "f", DeadEnds: 2, RetryAt: &at, LastChain: store.ChainAttention}
	if diff := cmp.Diff(dead, worked(dead)); diff != "" {
		t.Errorf("a dead end stays one, -want +got:\n%s", diff)
	}
	if got := worked(store.Incident{Fingerprint: "f", LastChain: chainSolved, HollowFixes: 1}); got.LastChain != chainNone || got.HollowFixes != 1 {
		t.Errorf("after a chain that ended as solved it is %+v", got)
	}
	after, stuck := seenUnhealthy(recoveredQuietly(dead), check.Down, "f", at)
	if stuck || after.DeadEnds != 0 || after.RetryAt != nil {
		t.Errorf("the same trouble after a recovery is %+v", after)
	}
}

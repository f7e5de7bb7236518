package store

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
)

// Of the alerts that have ended, the newest stay, and those that ended a moment ago; one that fires always does.
func TestOldAlertsAreTrimmed(t *testing.T) {
	s, ctx := fresh(t), t.Context()
	now := noon
	s.Now = func() time.Time { return now }
	ends := func(name string) { must(s.ResolveAlert(ctx, "s", name, "f", now)) }
	for n := range 6 {
		ok(t, s.AddAlert(ctx, AlertRow{Source: "s", Service: strconv.Itoa(n), Fingerprint: "f", Means: check.Down, Title: "slow", ReceivedAt: now}))
	}
	for _, name := range []string{"0", "2", "4", "5"} {
		ends(name)
	}
	now = now.Add(time.Hour)
	ends("3") // 1 fires on
	ok(t, s.TrimAlerts(ctx, 2, now.Add(-time.Minute)))
	var kept []string
	for n := range 6 {
		if len(must(s.AlertsBetween(ctx, strconv.Itoa(n), noon, now, 10))) > 0 {
			kept = append(kept, strconv.Itoa(n))
		}
	}
	if want := []string{"1", "3", "4", "5"}; !slices.Equal(kept, want) {
		t.Errorf("kept %q, want %q", kept, want)
	}
}

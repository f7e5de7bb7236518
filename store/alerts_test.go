package store

import (
	"slices"
	"strconv"
	"testing"

	"github.com/claudeops/claudeops/check"
)

// Of the alerts that have ended, the newest stay; one that fires always does.
func TestOldAlertsAreTrimmed(t *testing.T) {
	s, ctx := fresh(t), t.Context()
	for n := range 6 {
		ok(t, s.AddAlert(ctx, AlertRow{Source: "s", Service: strconv.Itoa(n), Fingerprint: "f", Means: check.Down, Title: "slow", ReceivedAt: noon}))
	}
	for _, name := range []string{"0", "2", "3", "4", "5"} { // 1 fires on
		must(s.ResolveAlert(ctx, "s", name, "f", noon))
	}
	ok(t, s.TrimAlerts(ctx, 2))
	var kept []string
	for n := range 6 {
		if len(must(s.AlertsBetween(ctx, strconv.Itoa(n), noon, noon, 10))) > 0 {
			kept = append(kept, strconv.Itoa(n))
		}
	}
	if want := []string{"1", "4", "5"}; !slices.Equal(kept, want) {
		t.Errorf("kept %q, want %q", kept, want)
	}
}

// What is said worst is shown, in the words in which it was said last.
func TestTheWorstOfAnAlertIsShown(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	a := AlertRow{Source: "s", Service: "db", Fingerprint: "f", Means: check.Degraded, Title: "test, ignore", StartsAt: ago(2), ReceivedAt: ago(2)}
	ok(t, s.AddAlert(ctx, a))
	for _, said := range []struct {
		means check.Status
		title string
		shown string
	}{{check.Down, "DATA LOSS", "DATA LOSS"}, {check.Degraded, "all well", "DATA LOSS"}, {check.Down, "worse", "worse"}} {
		a.Means, a.Title = said.means, said.title
		must(s.RepeatAlert(ctx, a))
		firing := must(s.FiringAlerts(ctx))
		same(t, []string{firing[0].Title, string(firing[0].Means)}, []string{said.shown, "down"})
	}
}

package e2e

import (
	"encoding/json"
	"testing"

	"github.com/claudeops/claudeops/drill"
	"github.com/claudeops/claudeops/testkit/need"
)

// The drill's own unit is killed in a booted machine, mended by first aid, and gone at the end.
func TestDrillOfAUnit(t *testing.T) {
	need.Full(t, "a booted machine")
	h := newHost(t, nil)
	var report drill.Report
	must(t, json.Unmarshal([]byte(h.Run("CLAUDEOPS_MAX_TIER=1 claudeops --env-file /dev/null drill --require-all --json --case unit-failed 2>/dev/null")), &report))
	counted(t, "cases", report.Cases, 1)
	if r := report.Cases[0]; r.DetectedS == nil || !r.Mended || r.CostUSD != 0 || len(r.Collateral) > 0 {
		t.Errorf("%+v", r)
	}
	t.Logf("detected after %.1f s", *report.Cases[0].DetectedS)
	equal(t, "units left", h.Run("systemctl list-units --all --plain --no-legend 'drill-*'"), "")
	equal(t, "folders left", h.Run("find /tmp -maxdepth 1 -name 'claudeops-drill-*'"), "")
}

package e2e

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/claudeops/claudeops/testkit/need"
)

// The drill's own unit is killed in a booted machine, mended by first aid, and gone at the end.
func TestDrillOfAUnit(t *testing.T) {
	need.Full(t, "a booted machine")
	h := newHost(t, nil)
	program := filepath.Join(t.TempDir(), "drill")
	if out, err := exec.Command("go", "build", "-o", program, "github.com/claudeops/claudeops/drill").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	h.Copy(program, "/usr/local/bin/drill", 0o755)
	var report struct {
		Cases []struct {
			DetectedS  *float64 `json:"detected_s"`
			Mended     bool     `json:"mended"`
			CostUSD    float64  `json:"cost_usd"`
			Collateral []string `json:"collateral"`
		} `json:"cases"`
	}
	must(t, json.Unmarshal([]byte(h.Run("CLAUDEOPS_MAX_TIER=1 drill --program /usr/local/bin/claudeops --require-all --json --case unit-failed 2>/dev/null")), &report))
	counted(t, "cases", report.Cases, 1)
	if r := report.Cases[0]; r.DetectedS == nil || !r.Mended || r.CostUSD != 0 || len(r.Collateral) > 0 {
		t.Errorf("%+v", r)
	}
	t.Logf("detected after %.1f s", *report.Cases[0].DetectedS)
	equal(t, "units left", h.Run("systemctl list-units --all --plain --no-legend 'drill-*'"), "")
	equal(t, "folders left", h.Run("find /tmp -maxdepth 1 -name 'claudeops-drill-*'"), "")
}

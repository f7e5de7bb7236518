package cli

import (
	"testing"

	"github.com/claudeops/claudeops/drill"
)

func TestWhatADrillMustReach(t *testing.T) {
	skipped := []drill.Result{{Name: "unit-failed", Skipped: "systemd does not run"}}
	for _, row := range []struct {
		flags  drillFlags
		report drill.Report
		want   string
	}{
		{drillFlags{}, drill.Report{}, ""},
		{drillFlags{min: 60}, drill.Report{Score: 60}, ""},
		{drillFlags{min: 60}, drill.Report{Score: 59.9}, "the score is 59.9, below 60.0"},
		{drillFlags{}, drill.Report{Cases: skipped}, ""},
		{drillFlags{requireAll: true}, drill.Report{Cases: skipped}, "cases were skipped, and --require-all wants all of them"},
	} {
		got := ""
		if err := row.flags.wanted(row.report); err != nil {
			got = err.Error()
		}
		if got != row.want {
			t.Errorf("%+v of %+v: %q, want %q", row.flags, row.report, got, row.want)
		}
	}
}

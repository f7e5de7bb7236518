package ledger_test

import (
	"strings"
	"testing"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/recording"
)

func TestSPEC0007_REQ7_SuccessfulContainerRestart(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	d.wantGranted(recording.Restart("nginx"))
	asked := d.Time
	before := d.Reads().Service("nginx").Restarts
	if len(before) != 1 || before[0].Success || before[0].Error != store.InProgress {
		t.Errorf("before it ran the records are %+v", before)
	}
	d.Outcome("")
	want := statefile.Record{Timestamp: statefile.At(asked), Success: true, Tier: 2, ActionDetail: "docker restart nginx", DurationMS: 2000, ID: before[0].ID}
	same(t, d.Reads().Service("nginx").Restarts, []statefile.Record{want})
	same(t, len(d.Settle()), 0)
	same(t, d.Reads().Service("nginx").Restarts, []statefile.Record{want})
	d.WantAgreement()
}

func TestSPEC0007_REQ7_FailedRedeployment(t *testing.T) {
	d := newFixture(t)
	d.Session(3)
	d.wantGranted(recording.Redeploy("postgres"))
	asked := d.Time
	d.Outcome("Exit code 2\nfatal: [db1]: UNREACHABLE!\n")
	got := d.Reads().Service("postgres").Redeployments
	same(t, got, []statefile.Record{{Timestamp: statefile.At(asked), Error: "Exit code 2 fatal: [db1]: UNREACHABLE!", Tier: 3,
		ActionDetail: "ansible-playbook postgres.yml", DurationMS: 2000, ID: got[0].ID}})
	d.Settle()
	d.WantAgreement()
}

// If a cycle is killed, or no outcome is ever reported, the attempt counts as a failure.
func TestSPEC0007_REQ7_OutcomeNeverReported(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	d.wantGranted(recording.Restart("nginx"))
	d.wantGranted(recording.Restart("redis"))
	same(t, len(d.Settle()), 2)
	for _, service := range []string{"nginx", "redis"} {
		r := d.Reads().Service(service).Restarts
		if len(r) != 1 || r[0].Success || !strings.HasPrefix(r[0].Error, "the outcome was never reported: ") {
			t.Errorf("%s has %+v", service, r)
		}
	}
	d.WantAgreement()
}

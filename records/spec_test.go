package records

import (
	"strings"
	"testing"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

func TestSPEC0007_REQ7_SuccessfulContainerRestart(t *testing.T) {
	d := newFixture(t)
	d.session(2)
	d.wantGranted(restart("nginx"))
	asked := d.now
	before := d.reads().Service("nginx").Restarts
	if len(before) != 1 || before[0].Success || before[0].Error != store.InProgress {
		t.Errorf("before it ran the records are %+v", before)
	}
	d.outcome(true, "")
	want := statefile.Record{Timestamp: statefile.At(asked), Success: true, Tier: 2, ActionDetail: "docker restart nginx", DurationMS: 2000, ID: before[0].ID}
	same(t, d.reads().Service("nginx").Restarts, []statefile.Record{want})
	same(t, len(d.settle()), 0)
	same(t, d.reads().Service("nginx").Restarts, []statefile.Record{want})
	d.wantAgreement()
}

func TestSPEC0007_REQ7_FailedRedeployment(t *testing.T) {
	d := newFixture(t)
	d.session(3)
	d.wantGranted(redeploy("postgres"))
	asked := d.now
	d.outcome(false, "Exit code 2\nfatal: [db1]: UNREACHABLE!\n")
	got := d.reads().Service("postgres").Redeployments
	same(t, got, []statefile.Record{{Timestamp: statefile.At(asked), Error: "Exit code 2 fatal: [db1]: UNREACHABLE!", Tier: 3,
		ActionDetail: "ansible-playbook postgres.yml", DurationMS: 2000, ID: got[0].ID}})
	d.settle()
	d.wantAgreement()
}

// If a cycle is killed, or no outcome is ever reported, the attempt counts as a failure.
func TestSPEC0007_REQ7_OutcomeNeverReported(t *testing.T) {
	d := newFixture(t)
	d.session(2)
	d.wantGranted(restart("nginx"))
	d.wantGranted(restart("redis"))
	same(t, len(d.settle()), 2)
	for _, service := range []string{"nginx", "redis"} {
		r := d.reads().Service(service).Restarts
		if len(r) != 1 || r[0].Success || !strings.HasPrefix(r[0].Error, "the outcome was never reported: ") {
			t.Errorf("%s has %+v", service, r)
		}
	}
	d.wantAgreement()
}

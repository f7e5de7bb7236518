package records

import (
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

func TestSPEC0007_REQ4_ThirdRestartBlockedByCooldown(t *testing.T) {
	t.Run("two before the session", func(t *testing.T) {
		d := newFixture(t)
		d.done("nginx", statefile.Restart, 3*time.Hour, time.Hour)
		d.session(2)
		d.wantRefused(restart("nginx"), "restart of nginx", "2 of 2 used in 4 h", "free again at 2026-03-01T13:00:00Z", "docker restart nginx")
	})
	t.Run("failed ones count", func(t *testing.T) {
		d := newFixture(t)
		d.session(2)
		for range 2 {
			d.wantGranted(restart("nginx"))
			d.outcome(false, "Exit code 1")
		}
		d.wantRefused(restart("nginx"), "2 of 2 used in 4 h")
	})
	t.Run("in the next session", func(t *testing.T) {
		d := newFixture(t)
		d.session(2)
		d.wantGranted(restart("nginx"))
		d.wantGranted(restart("nginx"))
		d.settle()
		d.session(3)
		d.wantRefused(restart("nginx"), "2 of 2 used in 4 h")
		d.wantGranted(redeploy("nginx"))
	})
}

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
	d.wantRefusedIn(3, redeploy("postgres"), "1 of 1 used in 24 h")
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

func TestSPEC0007_REQ14_Tier1ReadsCooldownState(t *testing.T) {
	d := newFixture(t)
	d.done("nginx", statefile.Restart, 3*time.Hour, time.Hour)
	d.session(1)
	answer, err := d.Report(t.Context(), []check.Result{{Service: "nginx", Type: check.HTTP, Status: check.Down}, {Service: "redis", Type: check.HTTP, Status: check.Healthy}})
	ok(t, err)
	if len(answer.Services) != 2 || !answer.Services[0].InCooldown || answer.Services[1].InCooldown {
		t.Errorf("answered %+v", answer)
	}
}

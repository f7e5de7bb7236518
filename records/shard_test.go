package records

import (
	"maps"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// shard gives a fixture the inventory of the fleet, as the shard with these services sees it.
func (d *fixture) shard(names ...string) {
	d.t.Helper()
	inv, err := inventory.Parse([]byte(fleet))
	ok(d.t, err)
	d.Inventory = inv.Part(func(service string) string {
		for _, name := range names {
			if name == service {
				return ""
			}
		}
		return "shard 2/4"
	})
}

func TestAnotherShardsServiceIsNotTouched(t *testing.T) {
	d := newFixture(t)
	d.session(2)
	d.shard("web", "api")
	d.wantHold("db", Hold{Reason: "it is looked after by shard 2/4"})
	d.wantHold("web", Hold{})
	err := d.Reserve(t.Context(), "toolu_1", restart("db"))
	if err == nil || !strings.Contains(err.Error(), "db is not to be touched now: it is looked after by shard 2/4") {
		t.Errorf("a restart of another shard's service: %v", err)
	}
	d.wantGranted(restart("web"))
}

func TestADependencyOnAnotherShardHoldsNothingBack(t *testing.T) {
	d := newFixture(t)
	d.session(2)
	d.finds("db", check.Down, true) // before the shards were changed
	d.finds("web", check.Down, true)
	d.shard("web", "api")
	d.wantHold("web", Hold{})
	d.shard("web", "api", "db")
	d.Forget()
	d.wantHold("web", Hold{Reason: "db, on which it depends, is down", Under: "db"})
}

func TestNothingIsReportedOfAnotherShardsService(t *testing.T) {
	d := newFixture(t)
	d.session(1)
	d.shard("web", "api")
	results := []check.Result{
		{Service: "web", Type: check.HTTP, Status: check.Healthy}, {Service: "db", Type: check.Database, Status: check.Down, Error: "no answer"},
	}
	_, err := d.Report(t.Context(), results)
	if err == nil || !strings.Contains(err.Error(), "db is looked after by shard 2/4; leave it out") {
		t.Fatalf("a report of it: %v", err)
	}
	answer, err := d.Report(t.Context(), results[:1])
	ok(t, err)
	if answer.Stored != 1 || answer.Handoff != "" {
		t.Errorf("the rest of it: %+v", answer)
	}
}

func TestNothingIsAskedForOrRecordedOfAnotherShardsService(t *testing.T) {
	d := newFixture(t)
	d.session(1)
	d.shard("web", "api")
	draft := func(service string) []byte {
		return []byte(`{"services_affected": ["` + service + `"], "check_results": [{"service": "` + service + `", "check_type": "http", "status": "down", "error": "no answer"}]}`)
	}
	const words = "db is looked after by shard 2/4"
	if _, err := d.WriteHandoff(t.Context(), 1, draft("db")); err == nil || !strings.Contains(err.Error(), words) {
		t.Errorf("a handoff for it: %v", err)
	}
	if _, err := d.WriteHandoff(t.Context(), 1, draft("web")); err != nil {
		t.Errorf("a handoff for its own: %v", err)
	}
	if _, err := d.Record(t.Context(), Done{Service: "db", Action: statefile.Restart, Success: true}); err == nil || !strings.Contains(err.Error(), words) {
		t.Errorf("a restart of it is recorded: %v", err)
	}
}

// What was found before the shards were changed is exported by the shard that now has the service.
func TestFiguresAreOfItsOwnServices(t *testing.T) {
	d := newFixture(t)
	d.session(1)
	d.finds("db", check.Down, true)
	d.finds("web", check.Down, true)
	for _, service := range []string{"db", "web"} {
		_, err := d.Store.OpenIncident(t.Context(), store.Incident{Service: service, Status: check.Down, OpenedAt: d.now})
		ok(t, err)
	}
	d.shard("web", "api")
	f, err := d.Figures(t.Context())
	ok(t, err)
	want := map[string]check.Status{"web": check.Down, "api": check.Unknown}
	if !maps.Equal(f.Services, want) || f.OpenIncidents != 1 || f.Incidents != 2 || len(f.Held) != 0 {
		t.Errorf("%v, held %v, %d of %d incidents open", f.Services, f.Held, f.OpenIncidents, f.Incidents)
	}
	for _, left := range f.Cooldowns {
		if left.Service == "db" {
			t.Errorf("the places left of db: %+v", left)
		}
	}
}

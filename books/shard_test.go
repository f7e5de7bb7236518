package books_test

import (
	"strings"
	"testing"

	"github.com/claudeops/claudeops/books"
	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
)

// shard gives a desk the fleet as the shard sees it that has these services.
func (d *desk) shard(names ...string) {
	d.t.Helper()
	inv, err := inventory.Parse([]byte(fleet))
	must(d.t, err)
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
	d := newDesk(t)
	d.session(2)
	d.shard("web", "api")
	d.wantHold("db", books.Hold{Reason: "it is looked after by shard 2/4"})
	d.wantHold("web", books.Hold{})
	err := d.Reserve(t.Context(), "toolu_1", restart("db"))
	if err == nil || !strings.Contains(err.Error(), "db is not to be touched now: it is looked after by shard 2/4") {
		t.Errorf("a restart of another shard's service: %v", err)
	}
	d.wantGranted(restart("web"))
}

func TestADependencyOnAnotherShardHoldsNothingBack(t *testing.T) {
	d := newDesk(t)
	d.session(2)
	d.finds("db", check.Down, true) // before the shards were as they are now
	d.finds("web", check.Down, true)
	d.shard("web", "api")
	d.wantHold("web", books.Hold{})
	d.shard("web", "api", "db")
	d.Forget()
	d.wantHold("web", books.Hold{Reason: "db, on which it depends, is down", Under: "db"})
}

func TestNothingIsReportedOfAnotherShardsService(t *testing.T) {
	d := newDesk(t)
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
	must(t, err)
	if answer.Stored != 1 || answer.Handoff != "" {
		t.Errorf("the rest of it: %+v", answer)
	}
}

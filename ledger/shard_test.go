package ledger_test

import (
	"strings"
	"testing"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

func TestNothingIsReportedOfAnotherShardsService(t *testing.T) {
	d := newFixture(t)
	d.Session(1)
	d.Shard("web", "api")
	results := []check.Result{
		{Service: "web", Type: check.HTTP, Status: check.Healthy}, {Service: "db", Type: check.Database, Status: check.Down, Error: "no answer"},
	}
	err := d.Report(t.Context(), results)
	if err == nil || !strings.Contains(err.Error(), "db is looked after by shard 2/4; leave it out") {
		t.Fatalf("a report of it: %v", err)
	}
	ok(t, d.Report(t.Context(), results[:1]))
}

func TestNothingIsRecordedOfAnotherShardsService(t *testing.T) {
	d := newFixture(t)
	d.Session(1)
	d.Shard("web", "api")
	const words = "db is looked after by shard 2/4"
	if err := d.Record(t.Context(), store.Act{Service: "db", Action: statefile.Restart, Success: true}); err == nil || !strings.Contains(err.Error(), words) {
		t.Errorf("a restart of it is recorded: %v", err)
	}
}

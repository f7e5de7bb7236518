package records

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// recovery empties the counters of shop, like its second consecutive healthy cycle.
func recovery(st *statefile.State) ([]string, error) {
	st.Ensure("shop").ConsecutiveHealthy = statefile.HealthyToReset - 1
	st.MarkHealthy("shop")
	return []string{"shop"}, nil
}

// shopDown adds an incident of shop since 4 h ago, with two restarts.
func shopDown(d *fixture) {
	d.t.Helper()
	must(d.Store.OpenIncident(d.t.Context(), store.Incident{Service: "shop", Status: check.Down, OpenedAt: ago(4), LastSeenAt: noon}))
	d.writes(shopTwice)
	d.adopt()
}

func (d *fixture) wantCarried(want int) {
	d.t.Helper()
	same(d.t, len(must(d.Store.CarriedActs(d.t.Context()))), want)
}

// A recovery is written to the file first, then to the store. If it is killed in between, the file is ahead, as after an operator's edit.
func TestAKillWithinARecoveryLosesNoCarriedActs(t *testing.T) {
	d := newFixture(t)
	shopDown(d)
	exec := func(statement string) {
		edit(t, d.path(), statement)
	}
	exec(`CREATE TRIGGER killed BEFORE UPDATE OF cleared_at ON cooldown_actions BEGIN SELECT RAISE(ABORT, 'killed'); END`)
	wantError(t, d.Round(t.Context(), recovery), nil, "killed")
	same(t, len(d.reads().Services["shop"].Restarts), 0)
	same(t, len(d.counting()), 2)
	_, _, err := d.Adopt(t.Context()) // killed at the same point
	wantError(t, err, nil, "killed")
	exec(`DROP TRIGGER killed`)

	adopted, _, err := d.Adopt(t.Context())
	ok(t, err)
	d.wantCarried(2)
	same(t, len(d.counting()), 0)
	same(t, adopted.Service("shop").ConsecutiveHealthy, 0)
	same(t, d.reads().Services["shop"].ConsecutiveHealthy, 0)
	d.wantAgreement()

	d.edits(func(st *statefile.State) {
		st.Add("shop", statefile.Restart, statefile.Record{Timestamp: statefile.At(noon)})
	})
	d.adopt()
	d.edits(func(st *statefile.State) { st.Services["shop"].Restarts = nil }) // an operator's removal
	d.now = noon.Add(time.Second)
	d.adopt()
	d.wantCarried(0)
}

// A closed incident under an alias may have a higher id than the service's open one.
func TestAnAliasIncidentHidesNoCarriedActs(t *testing.T) {
	d := newFixture(t)
	shopDown(d)
	ok(t, d.Round(t.Context(), recovery))
	closed := ago(0.5)
	must(d.Store.OpenIncident(t.Context(), store.Incident{Service: "store", Status: check.Healthy, OpenedAt: ago(0.8), LastSeenAt: closed, ClosedAt: &closed}))
	d.Inventory = must(inventory.Parse([]byte("services: [{name: shop, aliases: [store]}]")))
	must(d.MergeNames(t.Context()))
	d.wantCarried(2)
}

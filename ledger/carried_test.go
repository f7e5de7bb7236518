package ledger_test

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// recovery empties the counters of shop, like its second consecutive healthy cycle.
func recovery(*statefile.State) ([]string, error) { return []string{"shop"}, nil }

// killed makes transactions fail once the file is written, after a change of the acts; it returns what ends that.
func (d *fixture) killed(change string) (lives func()) {
	d.T.Helper()
	edit(d.T, d.Path(), `CREATE TABLE killed (id REFERENCES sessions (id) DEFERRABLE INITIALLY DEFERRED);
		CREATE TRIGGER killed BEFORE `+change+` ON cooldown_actions BEGIN INSERT INTO killed VALUES (-1); END`)
	return func() { edit(d.T, d.Path(), `DROP TRIGGER killed; DROP TABLE killed`) }
}

// shopDown adds an incident of shop since 4 h ago, with two restarts.
func shopDown(d *fixture) {
	d.T.Helper()
	must(d.Store.OpenIncident(d.T.Context(), store.Incident{Service: "shop", Status: check.Down, OpenedAt: ago(4), LastSeenAt: noon}))
	d.Writes(shopTwice)
	d.AdoptFile()
}

func (d *fixture) wantCarried(want int) {
	d.T.Helper()
	same(d.T, len(must(d.Store.CarriedActs(d.T.Context()))), want)
}

// A recovery is written to the file first, then to the store. If it is killed in between, the file is ahead, as after an operator's edit.
func TestAKillWithinARecoveryLosesNoCarriedActs(t *testing.T) {
	d := newFixture(t)
	shopDown(d)
	lives := d.killed("UPDATE OF cleared_at")
	wantError(t, d.Round(t.Context(), recovery), nil, "commit")
	same(t, len(d.Reads().Services["shop"].Restarts), 0)
	same(t, len(d.Counting()), 2)
	_, err := d.Adopt(t.Context(), true) // killed at the same point
	wantError(t, err, nil, "commit")
	lives()

	adopted, err := d.Adopt(t.Context(), true)
	ok(t, err)
	d.wantCarried(2)
	same(t, len(d.Counting()), 0)
	same(t, adopted.Service("shop").ConsecutiveHealthy, 0)
	same(t, d.Reads().Services["shop"].ConsecutiveHealthy, 0)
	d.WantAgreement()

	d.Edits(func(st *statefile.State) {
		st.Add("shop", statefile.Restart, statefile.Record{Timestamp: statefile.At(noon)})
	})
	d.AdoptFile()
	d.Edits(func(st *statefile.State) { st.Services["shop"].Restarts = nil }) // an operator's removal
	d.Time = noon.Add(time.Second)
	d.AdoptFile()
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
	ok(t, d.MergeNames(t.Context()))
	d.wantCarried(2)
}

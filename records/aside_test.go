package records

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/store"
)

// loses damages a fixture's database, and opens the fixture as the next cycle does.
func (d *fixture) loses() {
	d.t.Helper()
	ok(d.t, d.Close())
	ok(d.t, os.WriteFile(d.database(), []byte(strings.Repeat("garbage ", 10_000)), 0o600))
	d.reopen()
}

// reopen opens the closed fixture as a cycle does.
func (d *fixture) reopen() {
	d.t.Helper()
	var err error
	d.Records, err = Open(d.t.Context(), d.Config, d.Redactor, func() time.Time { return d.now }, store.Migrate)
	ok(d.t, err)
	_, _, err = d.Adopt(d.t.Context())
	ok(d.t, err)
}

// The windows are counted from cooldown.json, but the day's count is lost with the database: nothing is granted until the day is over or a
// person accepts that.
func TestNothingIsGrantedWhileTheCountIsLost(t *testing.T) {
	for name, end := range map[string]func(d *fixture){
		"a day later": func(d *fixture) { d.now = d.now.Add(24 * time.Hour) },
		"a person accepts it": func(d *fixture) {
			if accepted, err := d.AcceptLoss(d.t.Context()); err != nil || !accepted {
				d.t.Errorf("accepted %v, %v", accepted, err)
			}
		},
	} {
		for _, ceiling := range []int{0, 12} {
			t.Run(name, func(t *testing.T) {
				d := newFixture(t)
				d.session(2)
				d.wantGranted(restart("shop"))
				d.settle()
				d.loses()
				d.Config.MaxRemediationsPerDay = ceiling
				d.wantAgreement() // the store has again what the file counts
				d.wantRefusedIn(2, restart("shop"), "restart of shop", "not known what was done in the last 24 h")
				d.wantRefusedIn(3, redeploy("db"), "redeployment of db")
				end(d)
				d.session(2)
				d.wantGranted(restart("shop"))
				if accepted, err := d.AcceptLoss(t.Context()); err != nil || accepted {
					t.Errorf("once more: accepted %v, %v", accepted, err)
				}
			})
		}
	}
}

// A session's id names a raw log: no id is reused, even if the database is lost.
func TestSessionsOfANewDatabaseDoNotTakeTheLogsOfOthers(t *testing.T) {
	for name, goes := range map[string]func(d *fixture){
		"set aside": (*fixture).loses,
		"removed": func(d *fixture) {
			ok(d.t, d.Close())
			ok(d.t, os.Remove(d.database()))
			d.reopen()
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.Config.ResultsDir = t.TempDir()
			for _, name := range []string{"session-41.ndjson", "session-9.commands.ndjson", "notes.txt"} {
				ok(t, os.WriteFile(filepath.Join(d.Config.ResultsDir, name), nil, 0o600))
			}
			goes(d)
			id, err := d.Store.AddSession(t.Context(), store.Session{Tier: 1, Trigger: "manual", Status: store.Completed, StartedAt: d.now})
			ok(t, err)
			same(t, id, int64(42))
		})
	}
}

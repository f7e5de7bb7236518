package records_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// loses damages a desk's database beyond reading, and opens the desk as the next cycle does.
func (d *desk) loses() {
	d.t.Helper()
	must(d.t, d.Close())
	must(d.t, os.WriteFile(filepath.Join(d.dir, store.FileName), []byte(strings.Repeat("garbage ", 10_000)), 0o600))
	var err error
	d.Records, err = records.Open(d.t.Context(), d.Config, d.Redactor, func() time.Time { return d.now }, store.Migrate)
	must(d.t, err)
	_, err = d.Ledger.Adopt(d.t.Context())
	must(d.t, err)
}

// The windows are counted from cooldown.json; the day's count is lost with the database, and nothing is granted until that is over or a
// person accepts it.
func TestNothingIsGrantedWhileTheCountIsLost(t *testing.T) {
	for name, end := range map[string]func(d *desk){
		"a day later": func(d *desk) { d.now = d.now.Add(24 * time.Hour) },
		"a person accepts it": func(d *desk) {
			if accepted, err := d.AcceptLoss(d.t.Context()); err != nil || !accepted {
				d.t.Errorf("accepted %v, %v", accepted, err)
			}
		},
	} {
		for _, ceiling := range []int{0, 12} {
			t.Run(name, func(t *testing.T) {
				d := newDesk(t)
				d.session(2)
				d.wantGranted(restart("shop"))
				d.settle()
				d.loses()
				d.Config.MaxRemediationsPerDay = ceiling
				d.wantAgreement() // the store knows again what the file counts
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

// An id of a session names a raw log: none comes back, also where the database can tell nothing.
func TestSessionsOfANewDatabaseDoNotTakeTheLogsOfOthers(t *testing.T) {
	d := newDesk(t)
	d.Config.ResultsDir = t.TempDir()
	for _, name := range []string{"session-41.ndjson", "session-9.commands.ndjson", "notes.txt"} {
		must(t, os.WriteFile(filepath.Join(d.Config.ResultsDir, name), nil, 0o600))
	}
	d.loses()
	id, err := d.Store.AddSession(context.Background(), store.Session{Tier: 1, Trigger: "manual", Status: store.Completed, StartedAt: d.now})
	must(t, err)
	same(t, id, int64(42))
}

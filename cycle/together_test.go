package cycle

import (
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3" // to create a database that rejects writes

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// If a cycle ends between an event and the message about it, neither is written, so that a later cycle writes both.
func TestAFactAndItsMessageAreWrittenTogether(t *testing.T) {
	t.Run("a dead end", func(t *testing.T) {
		r, done := chainOf(t, 2, tiers.Outcome{Ending: tiers.TimedOut})
		accept := r.refuses(store.HumanAttention)
		if err := r.ends(done); err == nil {
			t.Error("people were not told, and nothing was said of that")
		}
		wantSame(t, r.openIncident("shop").DeadEnds, 0)
		accept()
		must(t, r.ends(done))
		wantSame(t, r.openIncident("shop").DeadEnds, 1)
		wantSame(t, len(r.told(store.HumanAttention)), 2) // of shop and of db
	})
	t.Run("a recovery", func(t *testing.T) {
		r := newRoom(t)
		r.opens("shop", earlier(time.Hour))
		done := newRun(1, agentClaude, nil)
		done.session = r.ran(1, earlier(time.Minute), store.Completed, 0.01, "")
		accept := r.refuses(store.Recovered)
		must(t, r.UpdateState(t.Context(), func(st *statefile.State) error {
			st.Ensure("shop").ConsecutiveHealthy = 1
			return nil
		}))
		r.again(r.now)
		must(t, r.Store.AddChecks(t.Context(), store.Reported, 0, r.now, []check.Result{result("shop", check.Healthy)}))
		if err := r.plansFound(done); err == nil {
			t.Error("people were not told, and nothing was said of that")
		}
		r.openIncident("shop")
		accept()
		must(t, r.plansFound(done))
		wantSame(t, len(r.told(store.Recovered)), 1)
	})
}

// refuses makes the database reject messages of a kind, as if the process died there, until accept is called.
func (r *room) refuses(kind store.Kind) (accept func()) {
	r.t.Helper()
	return r.refusesRows(`notifications WHEN NEW.kind = '` + string(kind) + `'`)
}

// refusesRows is refuses for rows of a table, optionally with a condition.
func (r *room) refusesRows(table string) (accept func()) {
	r.t.Helper()
	exec := func(statement string) {
		r.t.Helper()
		db, err := sql.Open("sqlite3", filepath.Join(r.Config.StateDir, store.FileName))
		must(r.t, err)
		_, err = db.ExecContext(r.t.Context(), statement)
		must(r.t, errors.Join(err, db.Close()))
	}
	exec(`CREATE TRIGGER boom BEFORE INSERT ON ` + table + ` BEGIN SELECT RAISE(ABORT, 'as if killed here'); END`)
	return func() { exec(`DROP TRIGGER boom`) }
}

// openIncident returns the open incident of a service, which must exist.
func (r *room) openIncident(service string) store.Incident {
	r.t.Helper()
	open, err := r.Store.OpenIncidents(r.t.Context())
	must(r.t, err)
	i, known := open[service]
	if !known {
		r.t.Fatalf("%s has no open incident", service)
	}
	return i
}

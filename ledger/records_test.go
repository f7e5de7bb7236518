package ledger_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/store"
)

// loses damages a fixture's database, and opens the fixture as the next cycle does.
func (d *fixture) loses() {
	d.T.Helper()
	ok(d.T, d.Close())
	ok(d.T, os.WriteFile(d.Path(), []byte(strings.Repeat("garbage ", 10_000)), 0o600))
	d.reopen()
}

// reopen opens the closed fixture as a cycle does.
func (d *fixture) reopen() {
	d.T.Helper()
	var err error
	d.Records, err = ledger.Open(d.T.Context(), d.Config, d.Redactor, func() time.Time { return d.Time }, store.Migrate)
	ok(d.T, err)
	must(d.Adopt(d.T.Context(), false))
}

// A session's id names a raw log: no id is reused, even if the database is lost.
func TestSessionsOfANewDatabaseDoNotTakeTheLogsOfOthers(t *testing.T) {
	for name, goes := range map[string]func(d *fixture){
		"set aside": (*fixture).loses,
		"removed": func(d *fixture) {
			ok(d.T, d.Close())
			ok(d.T, os.Remove(d.Path()))
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
			id, err := d.Store.AddSession(t.Context(), store.Session{Tier: 1, Trigger: "manual", Status: store.Completed, StartedAt: d.Time})
			ok(t, err)
			same(t, id, int64(42))
		})
	}
}

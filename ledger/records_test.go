package ledger_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/claudeops/claudeops/store"
)

// A session's id names a raw log: no id is reused, even if the database is lost.
func TestSessionsOfANewDatabaseDoNotTakeTheLogsOfOthers(t *testing.T) {
	for name, goes := range map[string]func(d *fixture){
		"set aside": func(d *fixture) { d.Loses() },
		"removed": func(d *fixture) {
			ok(d.T, d.Close())
			ok(d.T, os.Remove(d.Path()))
			d.Reopen()
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

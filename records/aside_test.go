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
	must(d.Adopt(d.t.Context(), false))
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

package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-sqlite3"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
)

// inUse is a database with rows in most tables: many events over several pages, an open incident, an undelivered notification and an
// action of today.
func inUse(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), FileName)
	s, ctx := at(t, path), t.Context()
	session := must(s.AddSession(ctx, Session{Tier: 1, Trigger: "cron", Status: Completed, StartedAt: noon}))
	ok(t, s.Update(ctx, func(tx *Tx) error {
		for n := range 500 {
			if err := tx.AddEvent(ctx, Event{SessionID: &session, Level: Info, Message: fmt.Sprintf("event %d %s", n, strings.Repeat("x", 100)), CreatedAt: noon}); err != nil {
				return err
			}
		}
		return nil
	}))
	incident := must(s.OpenIncident(ctx, Incident{Service: "shop", Status: check.Down, OpenedAt: noon, LastSeenAt: noon}))
	must(s.QueueNotification(ctx, Notification{IncidentID: &incident, Kind: HumanAttention, Service: "shop", Title: "shop is down", CreatedAt: noon}))
	ok(t, s.PutAct(ctx, Act{ID: "a1", SessionID: &session, Service: "shop", Action: statefile.Restart, Source: SourceGuard, CreatedAt: noon}))
	must(s.db.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`))
	return path
}

// overwrite writes garbage over a part of a file.
func overwrite(t *testing.T, path string, from, length int64) {
	t.Helper()
	f := must(os.OpenFile(path, os.O_WRONLY, 0))
	must(f.WriteAt([]byte(strings.Repeat("\xa5", int(length))), from))
	ok(t, f.Close())
}

// page is the number of a page that a query finds.
func page(t *testing.T, path, query string) int64 {
	t.Helper()
	db := sqlOpen(path)
	var n int64
	ok(t, db.QueryRowContext(t.Context(), query).Scan(&n))
	ok(t, db.Close())
	return n
}

func rootOf(table string) string {
	return `SELECT rootpage FROM sqlite_schema WHERE name = '` + table + `'`
}

const pageSize = 4096

// heals heals a database and returns what became of it, opened as a cycle does.
func heals(t *testing.T, path string) (Healing, *Store) {
	t.Helper()
	var damage *DamageError
	if _, err := Open(t.Context(), path, Migrate); !errors.As(err, &damage) {
		t.Fatalf("before: error %v, want a *DamageError", err)
	}
	var healed Healing
	ok(t, Heal(t.Context(), path, func() time.Time { return noon }, func(ctx context.Context, s *Store, h Healing) error {
		healed = h
		return s.AddEvent(ctx, Event{Level: Critical, Message: "healed", CreatedAt: noon})
	}))
	s := must(Open(t.Context(), path, Migrate))
	s.Now = func() time.Time { return noon }
	t.Cleanup(func() { ok(t, s.Close()) })
	if _, err := os.Stat(healed.Aside); err != nil || !strings.HasPrefix(healed.Aside, path+".corrupt-") {
		t.Errorf("set aside as %q: %v", healed.Aside, err)
	}
	same(t, s.ask(t, `SELECT count(*) FROM events WHERE message = 'healed'`), "1")
	same(t, s.ask(t, `PRAGMA journal_mode`), "wal")
	same(t, s.ask(t, `PRAGMA integrity_check`), "ok")
	same(t, s.ask(t, `SELECT count(*) FROM pragma_foreign_key_check`), "0")
	return healed, s
}

// What can still be read of a damaged database goes on, whatever the damage is.
func TestADamagedDatabaseIsMadeAnewWithWhatCanBeRead(t *testing.T) {
	const all = "1 500 1 1 1" // sessions, events, incidents, notifications, actions
	for name, c := range map[string]struct {
		damage func(t *testing.T, path string)
		kept   string
		lost   bool
	}{
		"random garbage": {func(t *testing.T, path string) { overwrite(t, path, 0, int64(len(must(os.ReadFile(path))))) }, "0 0 0 0 0", true},
		"a bad header":   {func(t *testing.T, path string) { overwrite(t, path, 0, 100) }, all, false},
		"a bad magic":    {func(t *testing.T, path string) { overwrite(t, path, 0, 16) }, all, false},
		"a bad schema":   {func(t *testing.T, path string) { overwrite(t, path, 100, 900) }, "0 0 0 0 0", true},
		"a bad page of the outbox": {func(t *testing.T, path string) {
			overwrite(t, path, (page(t, path, rootOf("notifications"))-1)*pageSize, pageSize)
		}, "1 500 1 0 1", false},
		"a bad page of the actions": {func(t *testing.T, path string) {
			overwrite(t, path, (page(t, path, rootOf("cooldown_actions"))-1)*pageSize, pageSize)
		}, "1 500 1 1 0", true},
		"a bad page of an index": {func(t *testing.T, path string) {
			overwrite(t, path, (page(t, path, rootOf("events_level"))-1)*pageSize, pageSize)
		}, all, false},
		"cut short": {func(t *testing.T, path string) {
			ok(t, os.Truncate(path, int64(len(must(os.ReadFile(path))))-10*pageSize))
		}, "1 317 1 1 1", false},
		"a changed schema": {func(t *testing.T, path string) {
			edit(t, path, `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE INDEX garbage' WHERE name = 'events_level'`)
		}, all, false},
	} {
		t.Run(name, func(t *testing.T) {
			path := inUse(t)
			c.damage(t, path)
			healed, s := heals(t, path)
			same(t, s.ask(t, `SELECT (SELECT count(*) FROM sessions) || ' ' || (SELECT count(*) FROM events WHERE message <> 'healed') || ' ' ||
				(SELECT count(*) FROM incidents) || ' ' || (SELECT count(*) FROM notifications) || ' ' || (SELECT count(*) FROM cooldown_actions)`), c.kept)
			same(t, healed.CountLost, c.lost)
		})
	}
}

// A damaged page takes its own rows along, and none before, between or behind.
func TestADamagedPageTakesItsOwnRowsAlone(t *testing.T) {
	path := inUse(t)
	content := must(os.ReadFile(path))
	var leaves []int64 // pages with events
	for at := int64(0); at < int64(len(content)); at += pageSize {
		if bytes.Contains(content[at:at+pageSize], []byte("event ")) {
			leaves = append(leaves, at)
		}
	}
	want := 500
	for _, at := range []int64{leaves[3], leaves[8]} {
		want -= bytes.Count(content[at:at+pageSize], []byte("event "))
		overwrite(t, path, at, pageSize)
	}
	healed, _ := heals(t, path)
	same(t, healed.Rows["events"], want)
}

// What was not carried into the file yet is read from its log.
func TestTheLogOfADamagedDatabaseIsCarriedOver(t *testing.T) {
	path := inUse(t)
	s := must(Open(t.Context(), path, ReadWrite))
	must(s.QueueNotification(t.Context(), Notification{Kind: HumanAttention, Service: "db", Title: "db is down", CreatedAt: noon}))
	files := map[string][]byte{}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		files[suffix] = must(os.ReadFile(path + suffix))
	}
	other := filepath.Join(t.TempDir(), FileName)
	for suffix, content := range files {
		ok(t, os.WriteFile(other+suffix, content, 0o600))
	}
	ok(t, s.Close())
	overwrite(t, other, (page(t, path, rootOf("events_level"))-1)*pageSize, pageSize)
	healed, _ := heals(t, other)
	same(t, healed.Rows["notifications"], 2)
	if _, err := os.Stat(healed.Aside + "-wal"); err != nil {
		t.Error(err)
	}
}

// A log that is garbage is none: SQLite goes by what the file had before.
func TestADatabaseWithAGarbledLogIsNotDamaged(t *testing.T) {
	path := inUse(t)
	ok(t, os.WriteFile(path+"-wal", []byte(strings.Repeat("garbage", 10_000)), 0o600))
	ok(t, os.RemoveAll(path+"-shm"))
	s := must(Open(t.Context(), path, Migrate))
	same(t, s.ask(t, `SELECT count(*) FROM notifications`), "1")
	ok(t, s.Close())
}

// An older database that is damaged is read as what it is, and brought up to date.
func TestADamagedOlderDatabaseIsHealedAndMigrated(t *testing.T) {
	path := older(t, 4)
	edit(t, path,
		`INSERT INTO sessions (id, tier, trigger, status, started_at) VALUES (18, 1, 'cron', 'completed', '2026-01-01T00:00:00.000Z')`,
		`INSERT INTO notifications (id, kind, title, created_at, next_attempt_at) VALUES (7, 'recovered', 'shop recovered', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
		`DELETE FROM sessions WHERE id = 18`, `PRAGMA wal_checkpoint(TRUNCATE)`)
	overwrite(t, path, (page(t, path, rootOf("events_level"))-1)*pageSize, pageSize)
	_, s := heals(t, path)
	same(t, s.ask(t, `SELECT id || ' ' || type FROM notifications`), "7 success")
	same(t, must(s.AddSession(t.Context(), Session{Tier: 1, Trigger: "cron", Status: Completed})), int64(19)) // an id names a raw log
}

// An empty file is what is left of a database where cooldown.json is older.
func TestAnEmptyFileIsADatabaseThatWasEmptied(t *testing.T) {
	for name, c := range map[string]struct {
		counters time.Duration // how much younger cooldown.json is
		damaged  bool
	}{
		"an older cooldown.json":  {-time.Hour, true},
		"a younger cooldown.json": {time.Hour, false},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), FileName)
			ok(t, os.WriteFile(path, nil, 0o600))
			counters := statefile.Path(filepath.Dir(path))
			ok(t, os.WriteFile(counters, []byte("{}"), 0o600))
			ok(t, os.Chtimes(path, noon, noon))
			ok(t, os.Chtimes(counters, noon.Add(c.counters), noon.Add(c.counters)))
			_, err := Open(t.Context(), path, Migrate)
			var damage *DamageError
			if errors.As(err, &damage) != c.damaged || err == nil {
				t.Errorf("error %v", err)
			}
		})
	}
}

// Only what SQLite finds corrupt is lost; a disk that fails, or another program that locks, is an error.
func TestHealingEndsWhereTheDamagedDatabaseCannotBeRead(t *testing.T) {
	for code, isLost := range map[sqlite3.ErrNo]bool{
		sqlite3.ErrCorrupt: true, sqlite3.ErrNotADB: true, sqlite3.ErrBusy: false, sqlite3.ErrIoErr: false, sqlite3.ErrFull: false, sqlite3.ErrNomem: false, sqlite3.ErrCantOpen: false,
	} {
		if (lost(sqlite3.Error{Code: code}) == nil) != isLost {
			t.Errorf("%v: lost is not %v", code, isLost)
		}
	}
}

// Who writes does not work on a database in which a trigger could swallow it. What a cycle does about it, and what is left.
func TestForeignPartsOfTheSchema(t *testing.T) {
	s := fresh(t)
	for _, statement := range []string{
		`CREATE TRIGGER "qui""et" BEFORE INSERT ON Notifications BEGIN SELECT RAISE(IGNORE); END`, `CREATE UNIQUE INDEX one ON events (level)`,
		`CREATE TABLE notes (text UNIQUE)`, `CREATE INDEX notes_text ON notes (text)`, `CREATE VIEW spent AS SELECT 1`, `ANALYZE`,
	} {
		must(s.db.ExecContext(t.Context(), statement))
	}
	_, err := Open(t.Context(), s.path, ReadWrite)
	wantError(t, err, ErrForeign, "index one on events", "the next cycle removes it")
	ok(t, must(Open(t.Context(), s.path, ReadOnly)).Close())

	var names []string
	for _, f := range must(s.RemoveForeign(t.Context())) {
		names = append(names, fmt.Sprint(f, " ", f.Removed))
	}
	same(t, names, []string{"index notes_text on notes false", "index one on events true", "table notes false", `trigger qui"et on notifications true`, "view spent false"})
	same(t, len(must(s.Foreign(t.Context()))), 3)
	ok(t, must(Open(t.Context(), s.path, ReadWrite)).Close())
}

// What cannot be taken out of the schema, or tables of ours that were changed, take a new database. An index of ours is made again.
func TestAChangedSchemaIsMended(t *testing.T) {
	const quiet = `CREATE TRIGGER quiet BEFORE INSERT ON notifications BEGIN SELECT RAISE(IGNORE); END`
	const forged = `PRAGMA writable_schema = ON; ` + quiet + `; UPDATE sqlite_schema SET `
	for name, c := range map[string]struct {
		statement string
		damage    bool
	}{
		"a trigger":                         {quiet, false},
		"a trigger named as SQLite's own":   {forged + `name = 'sqlite_t', sql = replace(sql, 'quiet', 'sqlite_t') WHERE name = 'quiet'`, false},
		"a trigger listed by another name":  {forged + `name = 'other' WHERE name = 'quiet'`, true},
		"a trigger listed on another table": {forged + `tbl_name = 'other' WHERE name = 'quiet'`, true},
		"a trigger listed as a table":       {forged + `type = 'table' WHERE name = 'quiet'`, true},
		"a trigger listed as ANALYZE's":     {forged + `type = 'table', name = 'sqlite_stat1' WHERE name = 'quiet'`, true},
		"a trigger listed as nothing":       {forged + `type = NULL WHERE name = 'quiet'`, true},
		"an index that is another":          {`DROP INDEX notifications_kind; CREATE UNIQUE INDEX notifications_kind ON notifications (length(kind) > 0)`, false},
		"an index listed on another table":  {`CREATE UNIQUE INDEX one ON events (id, level); PRAGMA writable_schema = ON; UPDATE sqlite_schema SET tbl_name = 'x' WHERE name = 'one'`, true},
		"an index that is missing":          {`DROP INDEX incidents_open`, false},
		"an index that rows do not permit":  {`DROP INDEX incidents_open; INSERT INTO incidents SELECT 7, service, status, fingerprint, opened_at, last_seen_at, NULL, 0, NULL, '', 0, NULL, 0, 0, NULL FROM incidents`, true},
		"a table that ignores what it gets": {`ALTER TABLE notifications RENAME TO old; CREATE TABLE notifications AS SELECT * FROM old; DROP TABLE old`, true},
		"a table with one more column":      {`ALTER TABLE events ADD COLUMN mine TEXT`, true},
		"a table with one constraint more":  {`PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'title           TEXT    NOT NULL', 'title TEXT NOT NULL UNIQUE ON CONFLICT IGNORE') WHERE name = 'notifications'`, true},
		"a table of ours that is missing":   {`DROP TABLE targets`, true},
		"somebody's own, and ANALYZE's":     {`CREATE TABLE notes (text UNIQUE); CREATE INDEX notes_text ON notes (text); CREATE VIEW spent AS SELECT 1; ANALYZE`, false},
	} {
		t.Run(name, func(t *testing.T) {
			path := inUse(t)
			edit(t, path, c.statement)
			s, err := Open(t.Context(), path, Migrate)
			if err == nil {
				_, err = s.RemoveForeign(t.Context())
				defer func() { ok(t, s.Close()) }()
			}
			var damage *DamageError
			if errors.As(err, &damage) != c.damage || err != nil && damage == nil {
				t.Fatalf("damage is not %v: %v", c.damage, err)
			}
			if damage != nil {
				ok(t, Heal(t.Context(), path, func() time.Time { return noon }, func(context.Context, *Store, Healing) error { return nil }))
			}
			again := must(Open(t.Context(), path, ReadWrite))
			defer func() { ok(t, again.Close()) }()
			for _, f := range must(again.Foreign(t.Context())) {
				if f.Removed {
					t.Errorf("there is still the %s", f)
				}
			}
			queued := must(again.QueueNotification(t.Context(), Notification{Kind: HumanAttention, Service: "db", Title: "db is down", CreatedAt: noon}))
			same(t, queued, true)
			same(t, again.ask(t, `SELECT group_concat(title, ', ') FROM notifications`), "shop is down, db is down")
			same(t, again.ask(t, `SELECT count(*) FROM sqlite_schema WHERE name IN ('notifications_kind', 'incidents_open')`), "2")
		})
	}
}

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
	ok(t, s.Update(ctx, func(tx *Store) error {
		for n := range 500 {
			if err := tx.AddEvent(ctx, Event{SessionID: &session, Level: Info, Message: fmt.Sprintf("event %d %s", n, strings.Repeat("x", 100)), CreatedAt: noon}); err != nil {
				return err
			}
		}
		return nil
	}))
	incident := must(s.OpenIncident(ctx, Incident{Service: "shop", Status: check.Down, OpenedAt: noon, LastSeenAt: noon}))
	must(s.QueueNotification(ctx, Notification{IncidentID: &incident, Kind: HumanAttention, Service: "shop", Title: "shop is down", CreatedAt: noon}))
	ok(t, s.PutAct(ctx, Act{ID: "a1", SessionID: &session, Service: "shop", Action: statefile.Restart, Source: SourceReserved, CreatedAt: noon}))
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

// What is still readable in a damaged database is kept, whatever the damage is.
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

// If a cycle has ended, an empty or missing file counts as a damaged database, whatever the times of the files are.
func TestADatabaseThatIsGoneWhereACycleHasEnded(t *testing.T) {
	for name, c := range map[string]struct {
		counters string // cooldown.json
		damaged  bool
	}{
		"a cycle has ended":             {`{"services":{},"last_run":"2026-01-01T00:00:00Z"}`, true},
		"a person made cooldown.json":   {`{"services":{},"last_run":null}`, false},
		"no cooldown.json, first start": {"", false},
	} {
		for _, empty := range []bool{true, false} {
			t.Run(fmt.Sprint(name, ", empty: ", empty), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), FileName)
				if empty {
					ok(t, os.WriteFile(path, nil, 0o600))
					ok(t, os.Chtimes(path, noon.AddDate(-25, 0, 0), noon.AddDate(-25, 0, 0)))
				}
				if c.counters != "" {
					ok(t, os.WriteFile(statefile.Path(filepath.Dir(path)), []byte(c.counters), 0o600))
				}
				s, err := Open(t.Context(), path, Migrate)
				var damage *DamageError
				if errors.As(err, &damage) != c.damaged {
					t.Fatalf("error %v", err)
				}
				if err == nil {
					ok(t, s.Close())
				}
				if !c.damaged {
					same(t, err == nil, !empty)
					return
				}
				var healed Healing
				ok(t, Heal(t.Context(), path, func() time.Time { return noon }, func(_ context.Context, _ *Store, h Healing) error { healed = h; return nil }))
				same(t, healed.CountLost, true)
				ok(t, must(Open(t.Context(), path, Migrate)).Close())
			})
		}
	}
}

// Where a second name cannot be had, the damaged database is moved: whatever fails then, it gets its name back.
func TestADatabaseIsNeverLostByHealing(t *testing.T) {
	for name, moved := range map[string]bool{"a second name": false, "moved": true} {
		t.Run(name, func(t *testing.T) {
			path := inUse(t)
			overwrite(t, path, 0, 100)
			before := must(os.ReadFile(path))
			failed := errors.New("no room")
			err := Heal(t.Context(), path, func() time.Time { return noon }, func(context.Context, *Store, Healing) error {
				if moved {
					ok(t, os.Remove(path))
				}
				return failed
			})
			if !errors.Is(err, failed) || !bytes.Equal(must(os.ReadFile(path)), before) {
				t.Errorf("it is not as it was: %v", err)
			}
			for _, pattern := range []string{".corrupt-*", ".new*", ".copy*"} {
				if left := must(filepath.Glob(path + pattern)); len(left) > 0 {
					t.Errorf("left: %q", left)
				}
			}
		})
	}
}

// What a tier put in the place of files that are not the database's own does not keep the next cycle from it.
func TestWhatIsPlantedBesideADatabaseStopsNothing(t *testing.T) {
	for _, damaged := range []bool{false, true} {
		path := inUse(t)
		for _, suffix := range []string{"-wal", "-shm"} {
			ok(t, os.RemoveAll(path+suffix))
			ok(t, os.Symlink("/nonexist", path+suffix))
		}
		ok(t, os.MkdirAll(path+"-journal/x", 0o700))
		if damaged {
			overwrite(t, path, 0, 100)
			for _, name := range []string{".copy/x", ".copy-wal/x", ".new/x", ".new-shm/x"} {
				ok(t, os.MkdirAll(path+name, 0o700))
			}
			heals(t, path)
			continue
		}
		ok(t, must(Open(t.Context(), path, Migrate)).Close())
	}
}

// A very large damaged file is not copied.
func TestAHugeDamagedDatabaseIsNotCopied(t *testing.T) {
	path := inUse(t)
	overwrite(t, path, 0, 100)
	ok(t, os.Truncate(path, mostCopied+1))
	healed, _ := heals(t, path)
	same(t, healed.Rows["events"], 0)
}

func TestTheNewestThreeDamagedDatabasesAreKept(t *testing.T) {
	path := inUse(t)
	for _, day := range []string{"01", "02", "03", "04"} {
		for _, suffix := range []string{"", "-wal", "-shm"} {
			ok(t, os.WriteFile(path+".corrupt-202001"+day+"T000000Z"+suffix, nil, 0o600))
		}
	}
	overwrite(t, path, 0, 100)
	healed, _ := heals(t, path)
	same(t, must(filepath.Glob(path+".corrupt-*Z")), []string{path + ".corrupt-20200103T000000Z", path + ".corrupt-20200104T000000Z", healed.Aside})
	same(t, len(must(filepath.Glob(path+".corrupt-2020*-*"))), 4)
}

// A remediation that a constraint does not let into the new database is one that is not counted any more.
func TestARemediationThatIsNotCarriedOverIsALostCount(t *testing.T) {
	path := inUse(t)
	edit(t, path, `PRAGMA ignore_check_constraints = ON; UPDATE cooldown_actions SET action_type = 'other'`, `PRAGMA wal_checkpoint(TRUNCATE)`)
	overwrite(t, path, 0, 100)
	healed, _ := heals(t, path)
	same(t, healed.CountLost, true)
}

// Only what SQLite finds corrupt is lost; a disk that fails, or another program that locks, is an error.
func TestHealingEndsWhereTheDamagedDatabaseCannotBeRead(t *testing.T) {
	for code, isLost := range map[sqlite3.ErrNo]bool{
		sqlite3.ErrCorrupt: true, sqlite3.ErrNotADB: true, sqlite3.ErrBusy: false, sqlite3.ErrIoErr: false, sqlite3.ErrFull: false, sqlite3.ErrNomem: false, sqlite3.ErrCantOpen: false,
	} {
		if (fatal(sqlite3.Error{Code: code}) == nil) != isLost {
			t.Errorf("%v: rows that cannot be read: not %v", code, isLost)
		}
	}
}

// A database whose triggers could discard writes is not written. How a cycle handles it, and what is kept.
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

// If something cannot be removed from the schema, or a table of ours was changed, a new database is made. An index of ours is recreated.
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
		"an index that rows do not permit":  {`DROP INDEX incidents_open; INSERT INTO incidents SELECT 7, service, status, fingerprint, opened_at, last_seen_at, NULL, 0, NULL, '', 0, NULL, 0, 0, NULL, 1, NULL, '' FROM incidents`, true},
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

package dashboard

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/store"
)

// edit changes a database without package store.
func edit(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path)
	fine(t, err)
	_, err = db.Exec(statement)
	fine(t, errors.Join(err, db.Close()))
}

func TestUnavailableSaysWhatIsWrongAndWhatToDo(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(t *testing.T, h *house)
		title  string
		advice string
	}{
		{"no state directory", func(t *testing.T, h *house) { fine(t, os.RemoveAll(h.dir)) }, "No cycle has run yet", "CLAUDEOPS_STATE_DIR"},
		{"no database", func(*testing.T, *house) {}, "No cycle has run yet", "run `claudeops run-once`"},
		{"newer", func(t *testing.T, h *house) {
			h.write()
			edit(t, h.path(), `PRAGMA user_version = 99`)
		}, "The records are of a later version of claudeops", "Update the claudeops"},
		{"another program's", func(t *testing.T, h *house) { edit(t, h.path(), `CREATE TABLE recipes (name TEXT)`) },
			"The database is none of claudeops", "put a backup (*.bak) in its place"},
		{"no database at all", func(t *testing.T, h *house) { fine(t, os.WriteFile(h.path(), []byte("dear diary"), 0o600)) },
			"The database cannot be used", "The next cycle sets"},
		{"empty", func(t *testing.T, h *house) { fine(t, os.WriteFile(h.path(), nil, 0o600)) },
			"The database cannot be used", "The next cycle sets"},
		{"its end is missing", func(t *testing.T, h *house) {
			h.write()
			fine(t, h.store.Close())
			fine(t, os.Truncate(h.path(), 10_000))
			fine(t, errors.Join(os.RemoveAll(h.path()+"-wal"), os.RemoveAll(h.path()+"-shm")))
		}, "The database cannot be used", "The next cycle sets"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := houseIn(t, filepath.Join(t.TempDir(), "state"))
			fine(t, os.Mkdir(h.dir, 0o700))
			c.damage(t, h)
			for name, call := range calls(h) {
				err := call(t.Context())
				var unavailable *UnavailableError
				if !errors.As(err, &unavailable) {
					t.Fatalf("%s: %v, want an UnavailableError", name, err)
				}
				if unavailable.Title != c.title || !strings.Contains(unavailable.Advice, c.advice) {
					t.Errorf("%s: %q, %q", name, unavailable.Title, unavailable.Advice)
				}
			}
		})
	}
}

// calls are the relevant methods that read records.
func calls(h *house) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"Overview":  func(ctx context.Context) error { _, err := h.Overview(ctx); return err },
		"Services":  func(ctx context.Context) error { _, err := h.Services(ctx, ServiceQuery{}); return err },
		"Service":   func(ctx context.Context) error { _, err := h.Service(ctx, "shop", Day1); return err },
		"Events":    func(ctx context.Context) error { _, err := h.Events(ctx, store.EventFilter{}); return err },
		"Cooldowns": func(ctx context.Context) error { _, err := h.Cooldowns(ctx); return err },
		"Figures":   func(ctx context.Context) error { _, err := h.Figures(ctx); return err },
	}
}

func TestLockedDatabaseIsUnavailableUntilItIsReleased(t *testing.T) {
	h := newHouse(t)
	fine(t, h.store.Close())
	db, err := sql.Open("sqlite3", "file:"+h.path()+"?_locking_mode=EXCLUSIVE&_journal_mode=WAL")
	fine(t, err)
	db.SetMaxOpenConns(1)
	_, err = db.Exec(`BEGIN EXCLUSIVE; INSERT INTO events (level, message, created_at) VALUES ('info', 'mine', '2026-03-10T09:00:00.000Z'); COMMIT`)
	fine(t, err)
	_, err = h.Overview(t.Context())
	var unavailable *UnavailableError
	if !errors.As(err, &unavailable) || unavailable.Title != "The database is locked" || !errors.Is(err, store.ErrLocked) {
		t.Fatalf("%v", err)
	}
	fine(t, db.Close())
	page := got(h.Events(t.Context(), store.EventFilter{}))(t)
	if len(page.Events) != 1 || page.Events[0].Message != "mine" {
		t.Fatalf("%+v", page)
	}
}

// The errors are made here, because root, who may run the tests, can read everything.
func TestRecordsThatMayNotBeReadAreUnavailable(t *testing.T) {
	h := newHouse(t)
	for _, denied := range []error{store.ErrDenied, fmt.Errorf("open it: %w", fs.ErrPermission)} {
		var unavailable *UnavailableError
		if err := h.unavailable(denied, true); !errors.As(err, &unavailable) || unavailable.Title != "The records may not be read" {
			t.Errorf("%v: %v", denied, err)
		}
	}
	if err := h.unavailable(fs.ErrPermission, false); !errors.Is(err, fs.ErrPermission) || errors.As(err, new(*UnavailableError)) {
		t.Errorf("of another file than the records: %v", err)
	}
}

func TestErrorsThatAreNotOfTheRecordsPass(t *testing.T) {
	h := newHouse(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, call := range calls(h) {
		err := call(ended)
		var unavailable *UnavailableError
		if errors.As(err, &unavailable) || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want that the context ended", name, err)
		}
	}
	if _, err := h.Service(t.Context(), "nobody", Day1); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("%v, want ErrNotFound", err)
	}
}

// services returns the names on the first page, as a later visitor sees them.
func (h *house) services() (names string) {
	h.t.Helper()
	h.pass(2 * time.Second)
	for _, s := range got(h.Overview(h.t.Context()))(h.t).Services {
		names += s.Name + " "
	}
	return strings.TrimSpace(names)
}

func TestOtherFilesThatAreMissingAreNotTheRecords(t *testing.T) {
	h := newHouse(t)
	err := h.read(t.Context(), func(*ledger.Records) error { _, err := os.Open(filepath.Join(h.dir, "session-1.ndjson")); return err })
	var unavailable *UnavailableError
	if errors.As(err, &unavailable) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v, want that the file is missing", err)
	}
}

func TestDatabaseMadeAfterTheStart(t *testing.T) {
	h := houseIn(t, t.TempDir())
	if _, err := h.Overview(t.Context()); err == nil {
		t.Fatal("an overview of nothing")
	}
	h.write()
	h.found(morning, "shop", check.Healthy)
	if names := h.services(); names != "shop" {
		t.Fatalf("services %q", names)
	}
}

func TestDatabaseReplacedUnderOurFeet(t *testing.T) {
	old := newHouse(t)
	old.found(morning, "before", check.Healthy)
	backup := filepath.Join(t.TempDir(), "backup")
	edit(t, old.path(), `VACUUM INTO '`+backup+`'`)
	for name, replace := range map[string]func(t *testing.T, h *house){
		"moved into its place": func(t *testing.T, h *house) {
			fine(t, errors.Join(os.Remove(h.path()+"-wal"), os.Remove(h.path()+"-shm"), os.Rename(backup+nameOf(t), h.path())))
		},
		"copied over it": func(t *testing.T, h *house) {
			fine(t, errors.Join(os.Remove(h.path()+"-wal"), os.Remove(h.path()+"-shm")))
			text := got(os.ReadFile(backup + nameOf(t)))(t)
			fine(t, os.WriteFile(h.path(), text, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			fine(t, os.WriteFile(backup+nameOf(t), got(os.ReadFile(backup))(t), 0o600))
			h := newHouse(t)
			for n := range 300 { // the history of other days must be gone, too
				h.found(morning.Add(-time.Duration(n)*time.Minute), "after", check.Down)
			}
			if names := h.services(); names != "after" {
				t.Fatalf("services %q", names)
			}
			fine(t, h.store.Close()) // no cycle runs meanwhile
			replace(t, h)
			if names := h.services(); names != "before" {
				t.Fatalf("services %q after the restore", names)
			}
			h.write()
			h.found(h.time(), "new", check.Healthy)
			if names := h.services(); names != "before new" {
				t.Fatalf("services %q after a cycle", names)
			}
		})
	}
}

func nameOf(t *testing.T) string { return strings.ReplaceAll(t.Name(), "/", "-") }

func TestDatabaseMigratedUnderOurFeet(t *testing.T) {
	h := newHouse(t)
	h.found(morning, "shop", check.Healthy)
	if names := h.services(); names != "shop" {
		t.Fatalf("services %q", names)
	}
	edit(t, h.path(), `ALTER TABLE health_checks RENAME TO looks; PRAGMA user_version = 99`)
	h.pass(2 * time.Second)
	for name, call := range calls(h) {
		if err := call(t.Context()); !errors.Is(err, store.ErrNewer) {
			t.Errorf("%s: %v, want ErrNewer", name, err)
		}
	}
	edit(t, h.path(), `ALTER TABLE looks RENAME TO health_checks; PRAGMA writable_schema = ON;
		UPDATE sqlite_schema SET sql = replace(sql, '"health_checks"', 'health_checks'); PRAGMA user_version = 1`)
	if names := h.services(); names != "shop" {
		t.Fatalf("services %q", names)
	}
}

func TestRowsTakenBackAreNotShown(t *testing.T) {
	h := newHouse(t)
	h.found(morning.Add(-time.Hour), "shop", check.Healthy)
	h.found(morning.Add(-time.Minute), "shop", check.Down)
	if day := h.overview().Services[0].Days[29]; day.Down != 1 {
		t.Fatalf("%+v", day)
	}
	edit(t, h.path(), `DELETE FROM health_checks WHERE status = 'down'; UPDATE hours SET down = 0`)
	h.found(morning.Add(-time.Second), "shop", check.Degraded) // gets the id of the removed row
	if day := h.overview().Services[0].Days[29]; day.Down != 0 || day.Degraded != 1 || day.Healthy != 1 {
		t.Fatalf("%+v", day)
	}
}

func TestManyReadWhileACycleWrites(t *testing.T) {
	h := newHouse(t)
	h.found(morning, "shop", check.Healthy)
	var readers sync.WaitGroup
	done := make(chan struct{})
	for n := range 8 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				for name, call := range calls(h) {
					if err := call(context.Background()); err != nil {
						t.Errorf("%s: %v", name, err)
						return
					}
				}
				if n == 0 {
					h.pass(300 * time.Millisecond)
				}
				if n == 1 {
					h.Changed()
				}
			}
		})
	}
	for n := range 200 {
		h.found(morning.Add(time.Duration(n)*time.Second), "shop", check.Healthy)
	}
	close(done)
	readers.Wait()
	if day := h.overview().Services[0].Days[29]; day.Healthy != 201 {
		t.Fatalf("%+v, want 201 looks: each has a moment of its own", day)
	}
}

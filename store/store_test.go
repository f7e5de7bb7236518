package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// noon is the time of most tests.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func ago(hours float64) time.Time { return noon.Add(-time.Duration(hours * float64(time.Hour))) }

// at opens the database at path for writing, with a clock that is always noon.
func at(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, ReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	s.Now = func() time.Time { return noon }
	t.Cleanup(func() { ok(t, s.Close()) })
	return s
}

// fresh is a new database.
func fresh(t *testing.T) *Store {
	t.Helper()
	return at(t, filepath.Join(t.TempDir(), FileName))
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same(t *testing.T, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// wantError fails the test unless err is target and contains each of texts.
func wantError(t *testing.T, err, target error, texts ...string) {
	t.Helper()
	if err == nil || target != nil && !errors.Is(err, target) {
		t.Fatalf("error is %v, want %v", err, target)
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("error %q does not say %q", err, text)
		}
	}
}

// edit changes a database file without this package.
func edit(t *testing.T, path string, statements ...string) {
	t.Helper()
	db := sqlOpen(path)
	for _, statement := range statements {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	ok(t, db.Close())
}

func sqlOpen(path string) *sql.DB { return database(path, "mode=rwc", everyConnection) }

// older makes a database before a migration with these statements is added.
func older(t *testing.T, later string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), FileName)
	made(t, path)
	migrations = append(migrations, later)
	t.Cleanup(func() { migrations = migrations[:current] })
	return path
}

// current is schemaVersion without the migrations of tests.
var current = schemaVersion()

func (s *Store) ask(t *testing.T, query string, args ...any) string {
	t.Helper()
	var answer string
	if err := s.conn.QueryRowContext(t.Context(), query, args...).Scan(&answer); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return answer
}

// must returns the value of a call that must not fail.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func TestOpenSetsWhatTheProgramReliesOn(t *testing.T) {
	s := fresh(t)
	reader := must(Open(t.Context(), s.path, ReadOnly))
	defer func() { ok(t, reader.Close()) }()
	for _, tt := range []struct{ query, writer, reader string }{
		{"PRAGMA journal_mode", "wal", "wal"},
		{"PRAGMA foreign_keys", "1", "1"},
		{"PRAGMA busy_timeout", "5000", "5000"},
		{"PRAGMA synchronous", "1", "1"},
		{"PRAGMA integrity_check", "ok", "ok"},
	} {
		same(t, s.ask(t, tt.query), tt.writer)
		same(t, reader.ask(t, tt.query), tt.reader)
	}
	if err := reader.AddEvent(t.Context(), Event{Level: Info}); err == nil {
		t.Error("a reader can write")
	}
}

func TestANewDatabaseIsInWALModeBeforeAnybodyOpensIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	ok(t, create(t.Context(), path))
	reader := connect(path, ReadOnly)
	defer func() { ok(t, reader.Close()) }()
	same(t, reader.ask(t, "PRAGMA journal_mode"), "wal")
}

func TestARestoredBackupIsPutBackIntoWALMode(t *testing.T) {
	s := fresh(t)
	path := filepath.Join(t.TempDir(), FileName)
	ok(t, s.exec(t.Context(), "back up", `VACUUM INTO ?`, path))
	same(t, at(t, path).ask(t, "PRAGMA journal_mode"), "wal")
}

func TestOpenWithoutDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	_, err := Open(t.Context(), path, ReadOnly)
	wantError(t, err, fs.ErrNotExist, path, "run-once")
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Error("reading made a database")
	}
	_, err = Open(t.Context(), filepath.Join(filepath.Dir(path), "absent", FileName), ReadWrite)
	wantError(t, err, fs.ErrNotExist, "absent")
}

func TestOpenAPathThatLooksLikeAnAddress(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b?mode=memory&x=%41#é:", FileName)
	ok(t, os.Mkdir(filepath.Dir(path), 0o755))
	ok(t, at(t, path).AddEvent(t.Context(), Event{Level: Info}))
	if is, err := os.Stat(path); err != nil || is.Size() == 0 {
		t.Errorf("not at its place: %v", err)
	}
}

func TestOpenRelativePath(t *testing.T) {
	t.Chdir(t.TempDir())
	at(t, FileName)
	if _, err := os.Stat(FileName); err != nil {
		t.Error(err)
	}
}

func TestOpenRefusesWhatIsNotOurs(t *testing.T) {
	foreign := map[string]func(t *testing.T, path string){
		"directory": func(t *testing.T, path string) { ok(t, os.Mkdir(path, 0o755)) },
		"another program's": func(t *testing.T, path string) {
			edit(t, path, `CREATE TABLE theirs (x)`)
		},
	}
	refuses := func(t *testing.T, prepare func(t *testing.T, path string), mode Mode) (string, error) {
		path := filepath.Join(t.TempDir(), FileName)
		prepare(t, path)
		before, _ := os.ReadFile(path)
		_, err := Open(t.Context(), path, mode)
		if after, _ := os.ReadFile(path); string(after) != string(before) {
			t.Error("the file was changed")
		}
		return path, err
	}
	for _, mode := range []Mode{ReadOnly, ReadWrite, Migrate} {
		for name, prepare := range foreign {
			t.Run(fmt.Sprintf("%s/%d", name, mode), func(t *testing.T) {
				path, err := refuses(t, prepare, mode)
				wantError(t, err, ErrForeign, path)
			})
		}
		for name, prepare := range unusable {
			t.Run(fmt.Sprintf("%s/%d", name, mode), func(t *testing.T) {
				path, err := refuses(t, prepare, mode)
				if e := (*UnusableError)(nil); !errors.As(err, &e) {
					t.Errorf("error is %v, want an *UnusableError", err)
				}
				wantError(t, err, nil, path, "the next cycle sets it aside")
			})
		}
	}
}

func TestOpenRefusesANewerDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	s, err := Open(t.Context(), path, ReadWrite)
	ok(t, err)
	ok(t, s.Close())
	edit(t, path, `PRAGMA user_version = 999`)
	for _, mode := range []Mode{ReadOnly, ReadWrite, Migrate} {
		_, err := Open(t.Context(), path, mode)
		wantError(t, err, ErrNewer, path, "999", "update claudeops")
	}
}

func TestOpenAnOlderDatabase(t *testing.T) {
	path := older(t, `ALTER TABLE events ADD COLUMN later TEXT NOT NULL DEFAULT 'added';`)
	edit(t, path,
		`INSERT INTO sessions (id, tier, trigger, status, started_at) VALUES (18, 1, 'cron', 'completed', '2026-01-01T00:00:00.000Z')`,
		`INSERT INTO events (session_id, level, message, created_at) VALUES (18, 'info', 'kept', '2026-01-01T00:00:00.000Z')`)
	for _, mode := range []Mode{ReadOnly, ReadWrite} {
		_, err := Open(t.Context(), path, mode)
		wantError(t, err, ErrOlder, path, fmt.Sprintf("version is %d", current), "run-once")
	}

	s, err := Open(t.Context(), path, Migrate)
	ok(t, err)
	same(t, s.ask(t, "SELECT session_id || message || later FROM events"), "18keptadded")
	same(t, s.ask(t, "PRAGMA journal_mode"), "wal")
	ok(t, s.Close())

	backup := sqlOpen(theBackup(t, path))
	var version, sessions int
	ok(t, backup.QueryRowContext(t.Context(), `SELECT user_version, (SELECT count(*) FROM sessions) FROM pragma_user_version`).Scan(&version, &sessions))
	ok(t, backup.Close())
	same(t, []int{version, sessions}, []int{int(current), 1})

	at(t, path) // and now everyone may
}

func theBackup(t *testing.T, path string) string {
	t.Helper()
	found := must(filepath.Glob(fmt.Sprintf("%s.v%d-*.bak", path, current)))
	if len(found) != 1 {
		t.Fatalf("backups: %v", found)
	}
	return found[0]
}

func TestAFailedMigrationLosesNothing(t *testing.T) {
	path := older(t, `ALTER TABLE nothing ADD COLUMN later TEXT;`)
	_, err := Open(t.Context(), path, Migrate)
	wantError(t, err, nil, path, fmt.Sprintf("migrate from version %d", current))
	if found := must(filepath.Glob(path + "*.bak")); len(found) != 0 {
		t.Errorf("nothing was changed, but backups stay: %v", found)
	}
	_, err = Open(t.Context(), path, ReadWrite)
	wantError(t, err, ErrOlder)
}

func TestABackupThatCannotBeWrittenStopsTheMigration(t *testing.T) {
	path := older(t, `CREATE TABLE later (id INTEGER);`)
	s := connect(path, Migrate)
	defer func() { ok(t, s.Close()) }()
	backup := fmt.Sprintf("%s.v%d-20260301T120000Z.bak", path, current)
	ok(t, os.WriteFile(backup, []byte("in the way"), 0o644))
	s.Now = func() time.Time { return noon }
	wantError(t, s.checkVersion(t.Context(), Migrate), fs.ErrExist, "backup")
	same(t, string(must(os.ReadFile(backup))), "in the way")
	same(t, s.ask(t, `PRAGMA user_version`), fmt.Sprint(current))
}

func TestALockedDatabase(t *testing.T) {
	s := fresh(t)
	other := at(t, s.path)
	hold := must(other.db.BeginTx(t.Context(), nil)) // immediate: it is the writer from now on
	_, err := s.db.ExecContext(t.Context(), `PRAGMA busy_timeout = 1`)
	ok(t, err)
	wantError(t, s.AddEvent(t.Context(), Event{Level: Info}), nil, s.path, "another program keeps it locked")
	wantError(t, s.Update(t.Context(), func(*Store) error { return nil }), nil, s.path, "another program keeps it locked")
	if _, err := s.Events(t.Context(), EventFilter{}); err != nil {
		t.Errorf("a writer keeps a reader out: %v", err)
	}
	ok(t, hold.Rollback())
	ok(t, s.AddEvent(t.Context(), Event{Level: Info}))
}

func TestUpdateIsWrittenWholeOrNotAtAll(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	count := func() int { return len(must(s.Events(ctx, EventFilter{}))) }
	two := func(tx *Store) error {
		return errors.Join(tx.AddEvent(ctx, Event{Level: Info}), tx.AddEvent(ctx, Event{Level: Info}))
	}
	ok(t, s.Update(ctx, two))
	same(t, count(), 2)

	no := errors.New("no")
	wantError(t, s.Update(ctx, func(tx *Store) error { return errors.Join(two(tx), no) }), no)
	same(t, count(), 2)

	func() {
		defer func() { same(t, recover(), "panic") }()
		_ = s.Update(ctx, func(tx *Store) error { ok(t, two(tx)); panic("panic") })
	}()
	same(t, count(), 2)

	signalled, signal := context.WithCancel(ctx)
	ok(t, s.Update(signalled, func(tx *Store) error {
		signal()
		return tx.AddEvent(signalled, Event{Level: Info})
	}))
	ok(t, s.AddEvent(signalled, Event{Level: Info}))
	same(t, count(), 4)
}

func TestManyGoroutinesWrite(t *testing.T) {
	s := fresh(t)
	other := at(t, s.path)
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			for range 10 {
				if err := []*Store{s, other}[i%2].AddEvent(context.Background(), Event{Level: Info}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	same(t, len(must(s.Events(t.Context(), EventFilter{}))), 200)
}

func TestAReferenceToNothingIsExplained(t *testing.T) {
	s := fresh(t)
	id := int64(77)
	wantError(t, s.AddEvent(t.Context(), Event{SessionID: &id, Level: Info}), nil, "a session or an incident that the database does not have")
}

func TestEnumerationsAreChecked(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	for name, err := range map[string]error{
		"status":  second(s.AddSession(ctx, Session{Tier: 1, Trigger: "cron", Status: "sleeping"})),
		"trigger": second(s.AddSession(ctx, Session{Tier: 1, Trigger: "moon", Status: Running})),
		"tier":    second(s.AddSession(ctx, Session{Tier: 4, Trigger: "cron", Status: Running})),
		"level":   s.AddEvent(ctx, Event{Level: "shout"}),
		"kind":    second(s.AddNotification(ctx, Notification{Kind: "greeting"})),
		"action":  s.PutAct(ctx, Act{ID: "a", Action: "reboot"}),
	} {
		if err == nil {
			t.Errorf("%s: any value is taken", name)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// plan returns the steps of a query, which has no values.
func (s *Store) plan(t *testing.T, query string) (steps []string) {
	t.Helper()
	type step struct {
		ID, Parent, Unused int
		Detail             string
	}
	query = regexp.MustCompile(`[?:][a-z0-9]\w*`).ReplaceAllString(query, "'9'")
	for _, step := range must(list[step](t.Context(), s, "explain", `EXPLAIN QUERY PLAN `+query)) {
		steps = append(steps, step.Detail)
	}
	return steps
}

// The queries that a page or the guard asks often must not read whole tables.
func TestFrequentQueriesUseAnIndex(t *testing.T) {
	s := fresh(t)
	for _, tt := range []struct{ query, index string }{
		{`SELECT * FROM sessions WHERE status = 'running' ORDER BY root_id DESC, id DESC LIMIT 50`, "sessions_status"},
		{`SELECT * FROM sessions WHERE tier = 3 ORDER BY root_id DESC, id DESC LIMIT 50`, "sessions_tier"},
		{`SELECT total(cost_usd) FROM sessions WHERE started_at >= 'x'`, "COVERING INDEX sessions_started_at"},
		{`SELECT * FROM sessions WHERE parent_session_id = 1`, "sessions_parent_session_id"},
		{`SELECT * FROM cooldown_actions WHERE created_at > 'x' AND cleared_at IS NULL ORDER BY created_at, id`, "cooldown_actions_created_at"},
		{`SELECT * FROM cooldown_actions WHERE session_id = 1 AND tool_use_id = 'x' ORDER BY created_at, id`, "cooldown_actions_session_id (session_id=?)"},
		{`SELECT 1 FROM health_checks WHERE session_id = 1 AND service = 'x'`, "COVERING INDEX health_checks_session_id"},
		{`SELECT status, count(*) FROM health_checks WHERE service = 'x' AND checked_at > 'x' GROUP BY status`, "COVERING INDEX health_checks_service"},
		{`SELECT * FROM incidents WHERE closed_at IS NULL`, "incidents_open"},
		{`SELECT * FROM notifications WHERE delivered_at IS NULL AND next_attempt_at <= 'x'`, "notifications_delivered_at"},
		{`SELECT * FROM notifications WHERE incident_id = 1`, "notifications_incident_id"},
		{`SELECT * FROM events WHERE session_id = 1 ORDER BY id DESC LIMIT 50`, "events_session_id"},
		{`SELECT ` + sessionColumns + ` FROM sessions WHERE quiet = 0 ORDER BY root_id DESC, id DESC LIMIT 20`, "sessions_loud"},
		{`SELECT DISTINCT s.root_id FROM sessions s WHERE s.quiet = 0 AND s.root_id < 100 ORDER BY s.root_id DESC LIMIT 26`, "COVERING INDEX sessions_loud"},
		{`SELECT DISTINCT s.root_id FROM sessions s WHERE s.status = 'failed' AND s.root_id < 100 ORDER BY s.root_id DESC LIMIT 26`, "COVERING INDEX sessions_status"},
		{`SELECT DISTINCT s.root_id FROM sessions s ORDER BY s.root_id DESC LIMIT 26`, "COVERING INDEX sessions_"},
		{oldSessions, "SEARCH r USING INDEX sessions_started_at"},
		{`SELECT * FROM events WHERE service = 'x' ORDER BY id DESC LIMIT 50`, "events_service"},
	} {
		steps := s.plan(t, tt.query)
		if !slices.ContainsFunc(steps, func(step string) bool { return strings.Contains(step, tt.index) }) {
			t.Errorf("%s: %v, not %s", tt.query, steps, tt.index)
		}
	}
}

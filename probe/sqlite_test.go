package probe

import (
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3" // the test writes databases by it

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/testkit/need"
)

// sqliteFile creates a database, and returns it open for writing.
func sqliteFile(t *testing.T, name string, statements ...string) (path string, db *sql.DB) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	for _, statement := range append([]string{"CREATE TABLE orders (id, text)"}, statements...) {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	return path, db
}

func TestSQLite(t *testing.T) {
	good, _ := sqliteFile(t, "shop db.sqlite", "INSERT INTO orders VALUES (1, 'a')")
	wal, open := sqliteFile(t, "wal.sqlite", "PRAGMA journal_mode = WAL", "INSERT INTO orders VALUES (1, 'a')")
	closed, db := sqliteFile(t, "closed.sqlite", "PRAGMA journal_mode = WAL", "INSERT INTO orders VALUES (1, 'a')")
	_ = db.Close()
	_ = open
	locked, holder := sqliteFile(t, "locked.sqlite")
	if _, err := holder.Exec("BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, path, query string
		status            check.Status
		text              string
	}{
		{"healthy", good, "", check.Healthy, ""},
		{"query", good, "SELECT text FROM orders", check.Healthy, ""},
		{"no row", good, "SELECT 1 FROM orders WHERE id = 2", check.Down, "gave no row"},
		{"bad query", good, "SELECT * FROM customers", check.Unknown, "refuses the statement: no such table: customers"},
		{"writing", good, "INSERT INTO orders VALUES (2, 'b') RETURNING 1", check.Unknown, "readonly"},
		{"another file", good, "ATTACH '" + filepath.Join(dir, "new") + "' AS n", check.Unknown, "too many attached databases"},
		{"large", good, "SELECT zeroblob(100000000)", check.Down, "too big"},
		{"endless", good, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n", check.Down, "the query of * did not end within TIME"},
		{"write-ahead log", wal, "SELECT 1 FROM orders", check.Healthy, ""},
		{"write-ahead log, closed", closed, "SELECT 1 FROM orders", check.Healthy, ""},
		{"missing", filepath.Join(dir, "missing"), "", check.Down, "there is no file " + dir},
		{"folder", dir, "", check.Down, "is not a file"},
		{"locked", locked, "", check.Down, "* is locked by another process"},
		{"text", write("text", strings.Repeat("longer than a header ", 10)), "", check.Down, "is no SQLite database"},
		{"empty", write("empty", ""), "", check.Healthy, ""},
		{"cut off", write("cut", string(whole[:len(whole)/2])), "", check.Down, "is damaged"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			ask := func(timeout time.Duration) check.Result {
				return attemptDatabase(t, Database{URL: "sqlite://" + c.path, Query: c.query}, timeout)
			}
			if strings.Contains(c.text, "*") { // these wait for a timeout
				wantLate(t, ask, c.text)
			} else {
				wantOfDatabase(t, ask(long), c.status, c.text)
			}
			wantGoroutines(t, before)
		})
	}
	wantFiles(t, closed, "closed.sqlite")
	wantOfDatabase(t, attemptDatabase(t, Database{URL: "sqlite://" + closed}, long), check.Healthy, "") // once more
	if n := descriptors(t, closed); n != 1 {
		t.Errorf("%d descriptors of %s are left open", n, closed)
	}
	if _, err := os.Stat(filepath.Join(dir, "missing")); err == nil {
		t.Error("a missing file was made")
	}
	if _, err := os.Stat(filepath.Join(dir, "new")); err == nil {
		t.Error("a query made a file")
	}
}

// descriptors counts this process's open files at a path.
func descriptors(t *testing.T, path string) (n int) {
	t.Helper()
	links, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range links {
		if at, _ := os.Readlink(link); at == path {
			n++
		}
	}
	return n
}

// wantFiles compares the names in a database's folder.
func wantFiles(t *testing.T, path string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if !slices.Equal(names, want) {
		t.Errorf("there are %q, want %q", names, want)
	}
}

// The application, another process, opens, writes and closes its database while checks read it: they never call it down, and leave nothing
// that keeps the application from writing.
func TestSQLiteChecksLeaveNothingBesideTheDatabase(t *testing.T) {
	need.Full(t, "sqlite3")
	path, db := sqliteFile(t, "shop.sqlite", "PRAGMA journal_mode = WAL", "INSERT INTO orders VALUES (0, 'first')")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	write := func() {
		if out, err := exec.Command("sqlite3", "-cmd", ".timeout 10000", path, "INSERT INTO orders VALUES (1, 'a')").CombinedOutput(); err != nil {
			t.Errorf("the application cannot write: %v: %s", err, out)
		}
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for range 50 {
			write()
		}
	}()
	checked := Database{URL: "sqlite://" + path, Query: "SELECT 1 FROM orders"}
	for going := true; going; {
		select {
		case <-ended:
			going = false
		default:
			if f := attemptDatabase(t, checked, long); f.Status == check.Down {
				t.Errorf("found %s: %s", f.Status, f.Error)
			}
		}
	}
	write() // as the last one that has it open
	wantFiles(t, path, "shop.sqlite")
	wantOfDatabase(t, attemptDatabase(t, checked, long), check.Healthy, "")
	wantFiles(t, path, "shop.sqlite")
}

package ledger_test

import (
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/testkit/recording"
	"github.com/google/go-cmp/cmp"
)

// noon is the time of most tests.
var noon = recording.Noon

func ago(hours float64) time.Time { return noon.Add(-time.Duration(hours * float64(time.Hour))) }

// raw opens a database as another program does, with write transactions.
func raw(t testing.TB, path string) *sql.DB {
	t.Helper()
	db := must(sql.Open("sqlite3", "file:"+path+"?_txlock=immediate"))
	t.Cleanup(func() { ok(t, db.Close()) })
	return db
}

func edit(t testing.TB, path, statement string) {
	t.Helper()
	_, err := raw(t, path).ExecContext(t.Context(), statement)
	ok(t, err)
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same(t testing.TB, got, want any) {
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

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// another returns a process that reserves on a full disk.
func another(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	c := exec.Command(must(os.Executable()))
	c.Env = append(os.Environ(), "RECORDS_TEST_FULL="+dir)
	c.Stderr = os.Stderr
	return c
}

func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	for _, e := range must(os.ReadDir(dir)) {
		all = append(all, e.Name())
	}
	return all
}

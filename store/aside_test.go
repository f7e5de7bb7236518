package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// unusable are files in the place of the database that the next cycle sets aside.
var unusable = map[string]func(t *testing.T, path string){
	"empty": func(t *testing.T, path string) { ok(t, os.WriteFile(path, nil, 0o644)) },
	"text": func(t *testing.T, path string) {
		ok(t, os.WriteFile(path, []byte(strings.Repeat("text ", 9999)), 0o644))
	},
	"damaged": func(t *testing.T, path string) {
		made(t, path)
		content := must(os.ReadFile(path))
		ok(t, os.WriteFile(path, append(content[:100], []byte(strings.Repeat("\xff", len(content)-100))...), 0o644))
	},
	"cut short": func(t *testing.T, path string) {
		made(t, path)
		ok(t, os.Truncate(path, 5000))
	},
}

// made makes a database that nobody has open.
func made(t *testing.T, path string) {
	t.Helper()
	s, err := Open(t.Context(), path, ReadWrite)
	ok(t, err)
	ok(t, s.Close())
}

func setAside(t *testing.T, path string, record func(s *Store) error) (aside string, err error) {
	t.Helper()
	err = SetAside(t.Context(), path, func() time.Time { return noon }, func(s *Store, name string) error {
		aside = name
		return record(s)
	})
	return aside, err
}

func TestAnUnusableDatabaseIsSetAside(t *testing.T) {
	for name, prepare := range unusable {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), FileName)
			prepare(t, path)
			ok(t, os.WriteFile(path+"-wal", []byte("its log"), 0o600))
			before := must(os.ReadFile(path))
			aside, err := setAside(t, path, func(s *Store) error { return s.AddEvent(t.Context(), Event{Level: Critical, Message: "told"}) })
			ok(t, err)
			same(t, aside, path+".aside-20260301T120000Z")
			same(t, must(os.ReadFile(aside)), before)
			same(t, string(must(os.ReadFile(aside+"-wal"))), "its log")
			s := at(t, path)
			same(t, must(s.Events(t.Context(), EventFilter{}))[0].Message, "told")
			same(t, s.ask(t, `PRAGMA journal_mode`), "wal")
			same(t, s.ask(t, `PRAGMA integrity_check`), "ok")
		})
	}
}

func TestADatabaseStaysWhereNoOtherCanTakeItsPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	unusable["text"](t, path)
	before := must(os.ReadFile(path))
	no := errors.New("no")
	_, err := setAside(t, path, func(*Store) error { return no })
	wantError(t, err, no)
	same(t, must(os.ReadFile(path)), before)
	same(t, names(t, filepath.Dir(path)), []string{FileName})
}

func TestIDsOfSessionsGoOnAboveTheLogs(t *testing.T) {
	s := fresh(t)
	for _, want := range []int64{42, 43} {
		ok(t, s.SkipSessions(t.Context(), 41))
		same(t, must(s.AddSession(t.Context(), Session{Tier: 1, Trigger: "manual", Status: Completed})), want)
	}
}

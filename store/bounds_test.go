package store

import (
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
)

// foreign returns a database that was changed with these statements, opened for reading.
func foreign(t *testing.T, statements ...string) (*Store, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), FileName)
	s := at(t, path)
	must(s.AddSession(t.Context(), Session{Tier: 1, Trigger: "cron", Status: Completed, StartedAt: noon}))
	ok(t, s.AddChecks(t.Context(), nil, noon, []check.Result{{Service: "shop", Type: check.HTTP, Status: check.Down}}))
	ok(t, s.AddEvent(t.Context(), Event{Level: Info, Message: "m"}))
	ok(t, s.Close())
	db := must(sql.Open("sqlite3", "file:"+path))
	db.SetMaxOpenConns(1)
	for _, statement := range append([]string{"PRAGMA ignore_check_constraints = ON"}, statements...) {
		_, err := db.ExecContext(t.Context(), statement)
		ok(t, err)
	}
	ok(t, db.Close())
	reader, err := Open(t.Context(), path, ReadOnly)
	if err == nil {
		reader.Now = func() time.Time { return noon }
		t.Cleanup(func() { ok(t, reader.Close()) })
	}
	return reader, err
}

// A database has the same schema whether it was made or migrated, and ourSum is of that.
func TestTheSumOfTheSchemaIsThatOfTheMigrations(t *testing.T) {
	same(t, sum(must(ours())), ourSum)
	for version := int64(1); version < schemaVersion; version++ {
		s := must(Open(t.Context(), older(t, version), Migrate))
		same(t, sum(must(s.objects(t.Context()))), ourSum)
		ok(t, s.Close())
	}
}

// What computes when it is read is none of our databases.
func TestViewsAndGeneratedColumnsAreForeign(t *testing.T) {
	for name, statements := range map[string][]string{
		"a view":                  {`DROP TABLE silences`, `CREATE VIEW silences AS SELECT 1 AS id, '' AS service`},
		"a view, otherwise cased": {`DROP TABLE silences`, `CREATE VIEW Silences AS SELECT 1 AS id, '' AS service`},
		"an endless view": {`DROP TABLE health_checks`,
			`CREATE VIEW health_checks AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, '' AS service FROM n`},
		"a generated column": {`DROP TABLE targets`, `CREATE TABLE targets (hash TEXT AS (hex(zeroblob(400000000))) VIRTUAL, name TEXT)`},
		"a stored one":       {`DROP TABLE targets`, `CREATE TABLE targets (name TEXT, hash TEXT AS (name || 'x') STORED)`},
		"a virtual table":    {`DROP TABLE targets`, `CREATE VIRTUAL TABLE targets USING rtree(hash, a, b)`},
		"a table is missing": {`DROP TABLE targets`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := foreign(t, statements...)
			wantError(t, err, ErrForeign)
		})
	}
	if _, err := foreign(t, `CREATE TABLE notes (text TEXT)`, `CREATE VIEW all_notes AS SELECT * FROM notes`, `CREATE INDEX mine ON events (message)`); err != nil {
		t.Errorf("what somebody added for himself: %v", err)
	}
}

func TestADatabaseThatGetsAViewIsForeign(t *testing.T) {
	s := fresh(t)
	_, err := s.db.ExecContext(t.Context(), `DROP TABLE targets; CREATE VIEW targets AS SELECT 1 AS hash`)
	ok(t, err)
	_, err = Open(t.Context(), s.path, ReadOnly)
	wantError(t, err, ErrForeign)
}

// A value of the wrong kind is damage of the database, whatever reads it.
func TestMalformedValuesAreForeign(t *testing.T) {
	ctx := t.Context()
	for name, c := range map[string]struct {
		statement string
		read      func(*Store) error
	}{
		"a time that is none": {`UPDATE sessions SET started_at = '0000-00-00T00:00:00.000Z'`, func(s *Store) error { _, err := s.Session(ctx, 1); return err }},
		"words as a number":   {`UPDATE sessions SET num_turns = 'abc'`, func(s *Store) error { _, err := s.Sessions(ctx, SessionFilter{}); return err }},
		"a blob as a time":    {`UPDATE events SET created_at = x'00'`, func(s *Store) error { _, err := s.Events(ctx, EventFilter{}); return err }},
		"no time of a check":  {`UPDATE health_checks SET checked_at = substr(checked_at, 1, 10) || ' evil'`, func(s *Store) error { _, err := s.Uptimes(ctx, noon); return err }},
		"of one row":          {`INSERT INTO notifications (kind, type, title, created_at, next_attempt_at) VALUES ('daily_digest', 'info', '', '0 evil', '')`, func(s *Store) error { _, err := s.LastDigest(ctx, noon); return err }},
		"longer than ours":    {`INSERT INTO events (level, message, created_at) VALUES ('info', hex(zeroblob(9000000)), '2026-03-10T09:00:00.000Z')`, func(s *Store) error { _, err := s.Events(ctx, EventFilter{}); return err }},
	} {
		t.Run(name, func(t *testing.T) {
			s := must(foreign(t, c.statement))
			if err := c.read(s); !errors.Is(err, ErrForeign) {
				t.Errorf("%v, want ErrForeign", err)
			}
		})
	}
}

func TestLongTextsAreCut(t *testing.T) {
	long := `hex(zeroblob(1500000))` // 3 MB
	s := must(foreign(t,
		`UPDATE events SET message = `+long+`, service = `+long+`, level = `+long,
		`UPDATE sessions SET error = `+long+`, response = `+long+`, handoff_json = `+long,
		`UPDATE health_checks SET service = `+long+`, status = `+long))
	e := must(s.Events(t.Context(), EventFilter{}))[0]
	if len(e.Message) != mostText || len(e.Service) != mostText || len(e.Level) != mostText {
		t.Errorf("an event of %d, %d and %d bytes", len(e.Message), len(e.Service), len(e.Level))
	}
	one := must(s.Session(t.Context(), 1))
	if len(one.Error) != mostText || len(one.Response) != mostDocument || len(one.HandoffJSON) != mostDocument {
		t.Errorf("a session of %d, %d and %d bytes", len(one.Error), len(one.Response), len(one.HandoffJSON))
	}
	names := must(s.ServiceNames(t.Context(), 10))
	for service, status := range must(s.LastStatuses(t.Context(), noon.Add(-time.Hour))) {
		names = append(names, service)
		if len(status) > mostText {
			t.Errorf("a status of %d bytes", len(status))
		}
	}
	for _, l := range must(s.LooksByDay(t.Context(), []time.Time{noon.Add(-time.Hour), noon.Add(time.Hour)}, 10)) {
		names = append(names, l.Service)
	}
	if longest := slices.MaxFunc(names, func(a, b string) int { return len(a) - len(b) }); len(names) != 3 || len(longest) != mostName {
		t.Errorf("%d names, the longest of %d bytes", len(names), len(longest))
	}
}

// A cost that is none counts as nothing, in a session as in sums.
func TestCostsThatAreNoneCountAsNothing(t *testing.T) {
	for _, none := range []string{"9e999", "-9e999", "1e308", "1e9"} {
		s := must(foreign(t, `INSERT INTO sessions (tier, trigger, status, started_at, cost_usd) SELECT tier, trigger, status, started_at, `+none+` FROM sessions, (VALUES (1), (2))`,
			`UPDATE sessions SET cost_usd = 0.5 WHERE id = 1`,
			`INSERT INTO cost_hours (hour, micro_usd) VALUES ('2026-03-01T11:30:00.000Z', 500000), ('2026-03-01T11:40:00.000Z', `+none+` * 1e6)`, `INSERT INTO incidents (service, status, opened_at, last_seen_at) VALUES ('shop', 'down', '`+timeText(noon)+`', '`+timeText(noon)+`')`,
			`INSERT INTO incident_sessions (incident_id, session_id) SELECT 1, id FROM sessions`, `UPDATE sessions SET tier = 2`))
		day := must(s.Day(t.Context(), noon.Add(-time.Hour)))
		sums := []float64{
			must(s.CostSince(t.Context(), noon.Add(-time.Hour))), must(s.CostByDay(t.Context(), []time.Time{noon.Add(-time.Hour), noon.Add(time.Hour)}))[0],
			must(s.IncidentWork(t.Context(), []int64{1}))[1].CostUSD, day.Tiers[0].CostUSD,
		}
		for _, one := range must(s.Sessions(t.Context(), SessionFilter{Limit: 2})) {
			sums = append(sums, one.CostUSD+0.5)
		}
		if slices.ContainsFunc(sums, func(usd float64) bool { return usd != 0.5 }) {
			t.Errorf("with %s: %v", none, sums)
		}
	}
}

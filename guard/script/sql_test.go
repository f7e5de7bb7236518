package script_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/guard/script"
)

// sqlRow is a text and what it is: "observe", "forbidden", "refused", or else the change that it makes.
type sqlRow struct{ is, text string }

func sqlIs(change string, err error) string {
	var refusal *script.Refusal
	switch {
	case err == nil && change != "":
		return change
	case err == nil:
		return "observe"
	case !errors.As(err, &refusal):
		return "an error that is no Refusal: " + err.Error()
	case refusal.Forbidden:
		return "forbidden"
	}
	return "refused"
}

func checkSQL(t *testing.T, d script.Dialect, rows []sqlRow) {
	t.Helper()
	for _, row := range rows {
		change, err := script.SQL(d, row.text)
		if is := sqlIs(change, err); is != row.is {
			t.Errorf("%v %q\n\tis %s, want %s: %v", d, row.text, is, row.is, err)
		}
	}
}

func TestSQLReasonsSayWhatToDo(t *testing.T) {
	for _, row := range []struct {
		dialect script.Dialect
		text    string
		says    []string
	}{
		{script.PostgreSQL, "DROP TABLE orders", []string{"DROP", "only read"}},
		{script.PostgreSQL, "SELECT shop_cleanup()", []string{"shop_cleanup", "use tables, views"}},
		{script.PostgreSQL, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity", []string{"pg_terminate_backend(4711)", "look the pid up first"}},
		{script.PostgreSQL, "SHOW ALL", []string{"SHOW max_connections"}},
		{script.PostgreSQL, "SELECT 'it\\'s'", []string{"write '' for a '"}},
		{script.PostgreSQL, "SELECT count(*) FROM :tbl", []string{"psql variable", "value in its place"}},
		{script.PostgreSQL, `\copy orders TO '/tmp/x'`, []string{`\copy`, "the result is printed"}},
		{script.PostgreSQL, "SELECT * FROM pg_settings", []string{"WHERE name IN"}},
		{script.MySQL, "SELECT * FROM user", []string{"write SCHEMA.user"}},
		{script.MySQL, "SELECT sleep(10)", []string{"run the query again later"}},
		{script.MySQL, "KILL (SELECT 1)", []string{"KILL QUERY 4711", "SHOW PROCESSLIST"}},
		{script.SQLite, "PRAGMA journal_mode=delete", []string{"PRAGMA journal_mode alone"}},
		{script.SQLite, ".tab", []string{"written in full"}},
	} {
		_, err := script.SQL(row.dialect, row.text)
		if err == nil {
			t.Errorf("%v %q is granted", row.dialect, row.text)
			continue
		}
		for _, says := range append(row.says, row.dialect.String()) {
			if !strings.Contains(err.Error(), says) {
				t.Errorf("%v %q: %q does not say %q", row.dialect, row.text, err, says)
			}
		}
	}
}

func TestSQLBoundsItsText(t *testing.T) {
	deep := "SELECT " + strings.Repeat("(", 30_000) + "1" + strings.Repeat(")", 30_000)
	checkSQL(t, script.PostgreSQL, []sqlRow{
		{"observe", deep},
		{"refused", "SELECT '" + strings.Repeat("x", 64<<10) + "'"},
		{"refused", "SELECT " + strings.Repeat("(", 30_000)},
		{"refused", strings.Repeat("/*", 30_000)},
		{"refused", "SELECT '\xff'"},
		{"refused", "SELECT 1\x00; DROP TABLE orders"},
		{"refused", "SELECT 1 -- \rDROP TABLE orders"},
	})
}

// FuzzSQL: whatever is granted leaves no quote, comment or bracket open behind which a further statement could hide.
func FuzzSQL(f *testing.F) {
	for _, rows := range [][]sqlRow{postgresRows, psqlRows, mysqlRows, sqliteRows} {
		for _, row := range rows {
			for d := range 3 {
				f.Add(d, row.text)
			}
		}
	}
	f.Fuzz(func(t *testing.T, dialect int, text string) {
		d := script.Dialect(uint(dialect) % 3)
		change, err := script.SQL(d, text)
		if err != nil {
			if is := sqlIs(change, err); is != "refused" && is != "forbidden" || strings.TrimSpace(err.Error()) == "" {
				t.Fatalf("%v %q: %v", d, text, err)
			}
			return
		}
		if strings.ContainsAny(text, "\x00\r") {
			t.Fatalf("%v %q is granted", d, text)
		}
		if d == script.PostgreSQL && strings.HasPrefix(strings.TrimSpace(text), `\!`) {
			t.Fatalf("%v %q is granted", d, text)
		}
		for _, hidden := range []string{"\n;DROP TABLE orders", "\n;SELECT 1 INTO x"} {
			if _, err := script.SQL(d, text+hidden); err == nil && len(text+hidden) <= 64<<10 {
				t.Fatalf("%v %q hides the statement behind it", d, text)
			}
		}
	})
}

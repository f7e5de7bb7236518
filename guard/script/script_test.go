package script

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
)

var dialects = []Dialect{PostgreSQL, MySQL, SQLite}

// row is a line of a table in testdata: a text with its expected outcome.
type row struct{ outcome, text string }

// table reads testdata/NAME.txt.
func table(t testing.TB, name string) (rows []row) {
	t.Helper()
	content, err := os.ReadFile("testdata/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(content)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		outcome, text, found := strings.Cut(line, "  ")
		if text = strings.TrimLeft(text, " "); !found || text == "" {
			t.Fatalf("%s: %q: want an outcome, two spaces and a text", name, line)
		}
		if strings.HasPrefix(text, `"`) {
			if err := json.Unmarshal([]byte(text), &text); err != nil {
				t.Fatalf("%s: %q: %v", name, line, err)
			}
		}
		rows = append(rows, row{outcome, text})
	}
	return rows
}

// outcome formats a decision as in the tables.
func outcome(change string, err error) string {
	var refusal *Refusal
	switch {
	case err == nil && change != "":
		return change
	case err == nil:
		return "observe"
	case !errors.As(err, &refusal) || strings.TrimSpace(refusal.Reason) == "":
		return "an error that is no refusal with a reason: " + err.Error()
	case refusal.Forbidden:
		return "forbidden"
	}
	return "refused"
}

func checkSQL(t *testing.T, d Dialect, rows []row) {
	t.Helper()
	for _, row := range rows {
		change, err := SQL(d, row.text)
		if got := outcome(change, err); got != row.outcome {
			t.Errorf("%s %q\n\tis %s, want %s: %v", d, row.text, got, row.outcome, err)
		}
	}
}

func TestSQL(t *testing.T) {
	for _, d := range dialects {
		t.Run(string(d), func(t *testing.T) { checkSQL(t, d, table(t, string(d))) })
	}
}

func TestRedis(t *testing.T) {
	for _, row := range table(t, "redis") {
		if got := outcome("", RedisScript("PING\n"+row.text+"\n")); got != row.outcome {
			t.Errorf("%q in a script is %s, want %s", row.text, got, row.outcome)
		}
		if strings.ContainsAny(row.text, "'\"\n\r\x00") || row.text == "" {
			continue
		}
		if got := outcome("", Redis(strings.Fields(row.text))); got != row.outcome {
			t.Errorf("%q is %s, want %s", row.text, got, row.outcome)
		}
	}
	if got := outcome("", Redis(nil)); got != "refused" {
		t.Errorf("no command is %s", got)
	}
}

func TestTemplates(t *testing.T) {
	for _, row := range table(t, "template") {
		err := Template(row.text)
		if got := strings.Replace(outcome("", err), "observe", "ok", 1); got != row.outcome {
			t.Errorf("%q is %s (%v), want %s", row.text, got, err, row.outcome)
		}
		if err != nil && !strings.Contains(err.Error(), ": ") {
			t.Errorf("%q: the reason %q does not name the program", row.text, err)
		}
	}
}

func TestReasonsSayWhatToDo(t *testing.T) {
	for _, row := range []struct {
		dialect Dialect
		text    string
		says    []string
	}{
		{PostgreSQL, "DROP TABLE orders", []string{"DROP", "only read"}},
		{PostgreSQL, "SELECT shop_cleanup()", []string{"shop_cleanup", "use tables, views"}},
		{PostgreSQL, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity", []string{"pg_terminate_backend(4711)", "look the pid up first"}},
		{PostgreSQL, "SHOW ALL", []string{"SHOW max_connections"}},
		{PostgreSQL, "SELECT 'it\\'s'", []string{"write '' for a '"}},
		{PostgreSQL, "SELECT count(*) FROM :tbl", []string{"psql variable", "value in its place"}},
		{PostgreSQL, `\copy orders TO '/tmp/x'`, []string{`\copy`, "the result is printed"}},
		{PostgreSQL, "SELECT * FROM pg_settings", []string{"WHERE name IN"}},
		{MySQL, "SELECT * FROM user", []string{"write SCHEMA.user"}},
		{MySQL, "SELECT sleep(10)", []string{"run the query again later"}},
		{MySQL, "KILL (SELECT 1)", []string{"KILL QUERY 4711", "SHOW PROCESSLIST"}},
		{SQLite, "PRAGMA journal_mode=delete", []string{"PRAGMA journal_mode alone"}},
		{SQLite, ".tab", []string{"written in full"}},
	} {
		_, err := SQL(row.dialect, row.text)
		for _, says := range append(row.says, string(row.dialect)) {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s %q: %v does not say %q", row.dialect, row.text, err, says)
			}
		}
	}
}

func TestBounds(t *testing.T) {
	checkSQL(t, PostgreSQL, []row{
		{"observe", "SELECT " + strings.Repeat("(", 30_000) + "1" + strings.Repeat(")", 30_000)},
		{"refused", "SELECT '" + strings.Repeat("x", maxText) + "'"},
		{"refused", "SELECT " + strings.Repeat("(", 30_000)},
		{"refused", strings.Repeat("/*", 30_000)},
		{"refused", "SELECT '\xff'"},
		{"refused", "SELECT 1\x00; DROP TABLE orders"},
		{"refused", "SELECT 1 -- \rDROP TABLE orders"},
	})
	for _, text := range []string{strings.Repeat("p;", maxText/2+1), "p # \xff", "p\x00", "p\r", "p\f"} {
		if Template(text) == nil || RedisScript(text) == nil {
			t.Errorf("%.20q is granted", text)
		}
	}
	// A template that multiplies its output is judged quickly.
	if err := Template("{{$x := .Name}}{{$y := .Id}}" + strings.Repeat("{{$x := or $x $y $x}}", 500) + "{{.Name}}"); err != nil {
		t.Error(err)
	}
}

// FuzzSQL: granted text leaves no quote, comment or bracket open that could hide another statement.
func FuzzSQL(f *testing.F) {
	for i, d := range dialects {
		for _, row := range table(f, string(d)) {
			for further := range dialects {
				f.Add(i+further, row.text)
			}
		}
	}
	f.Fuzz(func(t *testing.T, dialect int, text string) {
		d := dialects[uint(dialect)%3]
		change, err := SQL(d, text)
		if err != nil {
			if got := outcome(change, err); got != "refused" && got != "forbidden" {
				t.Fatalf("%s %q: %v", d, text, err)
			}
			return
		}
		if strings.ContainsAny(text, "\x00\r") || d == PostgreSQL && strings.HasPrefix(strings.TrimSpace(text), `\!`) {
			t.Fatalf("%s %q is granted", d, text)
		}
		for _, hidden := range []string{"\n;DROP TABLE orders", "\n;SELECT 1 INTO x"} {
			if _, err := SQL(d, text+hidden); err == nil && len(text+hidden) <= maxText {
				t.Fatalf("%s %q hides the statement behind it", d, text)
			}
		}
	})
}

// FuzzRedis: a granted script hides no command on a later line.
func FuzzRedis(f *testing.F) {
	for _, row := range table(f, "redis") {
		f.Add(row.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if err := RedisScript(text); err != nil {
			if got := outcome("", err); got != "refused" && got != "forbidden" {
				t.Fatal(err)
			}
			return
		}
		if got := outcome("", RedisScript(text+"\nFLUSHALL")); got != "forbidden" && len(text) < 60<<10 {
			t.Fatalf("%q hides FLUSHALL, which is %s", text, got)
		}
	})
}

// FuzzTemplate: no granted template shows an environment.
func FuzzTemplate(f *testing.F) {
	for _, row := range table(f, "template") {
		f.Add(row.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if Template(text) == nil && Template(text+"{{.Config.Env}}") == nil {
			t.Errorf("an environment after %q was not seen", text)
		}
	})
}

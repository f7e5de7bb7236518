package script

import (
	"fmt"
	"strings"
)

// sqliteStatement judges a statement that is not a query.
func sqliteStatement(s []sqlToken) error {
	switch {
	case transaction(s):
		return nil
	case s[0].is("pragma"):
		return sqlitePragma(s[1:])
	case s[0].is("explain"):
		s = s[1:]
		if len(s) > 2 && s[0].is("query") && s[1].is("plan") {
			s = s[2:]
		}
		return SQLite.query(s)
	case s[0].is("attach", "detach"):
		return refuse("sqlite3: " + strings.ToUpper(s[0].text) + " opens other files; name the database on the command line")
	}
	return SQLite.unknownStatement(s)
}

// sqlitePragma judges PRAGMA: reading is granted by name, and only busy_timeout and query_only may be set.
func sqlitePragma(s []sqlToken) error {
	if len(s) > 2 && s[1].sign(".") {
		s = s[2:]
	}
	if len(s) == 0 || s[0].kind != sqlWord {
		return refuse("sqlite3: PRAGMA takes a name, such as PRAGMA quick_check")
	}
	name, value := s[0].text, s[1:]
	switch {
	case len(value) > 0 && value[0].sign("="):
		value = value[1:]
	case len(value) > 1 && value[0].sign("(") && value[len(value)-1].sign(")"):
		value = value[1 : len(value)-1]
	case len(value) > 0:
		return refuse("sqlite3: cannot read PRAGMA " + name + "; write it alone, or with one value in brackets")
	}
	literal := len(value) == 1 && value[0].kind != sqlSign
	switch {
	case len(s) == 1 && (listed("sqlite3 pragmas", name) || listed("sqlite3 table_pragmas", name)):
		return nil
	case literal && (listed("sqlite3 table_pragmas", name) || name == "busy_timeout" || name == "query_only" && value[0].is("on", "true", "yes")),
		literal && name == "query_only" && value[0].text == "1":
		return nil
	case listed("sqlite3 pragmas", name):
		return forbid(fmt.Sprintf("sqlite3: PRAGMA %s with a value changes the database or how it is written; write PRAGMA %s alone", name, name))
	}
	return refuse("sqlite3: PRAGMA " + name + " is not among those known to only read; use quick_check, table_info, page_count, journal_mode and the like")
}

// sqliteCommand judges a command of the sqlite3 program: a line that begins with a dot. Abbreviations are refused, because their meaning
// depends on the version.
func sqliteCommand(line string) error {
	name, _, _ := strings.Cut(strings.TrimSpace(line)[1:], " ")
	switch {
	case listed("sqlite3 commands", name):
		return nil
	case listed("sqlite3 forbidden_commands", name):
		return forbid("sqlite3: ." + name + " runs programs, reads or writes files or changes the database; use .tables, .schema or SQL, the result is printed")
	}
	return refuse("sqlite3: ." + name + " is not granted; use .tables, .schema, .indexes, .mode, .headers (written in full) or SQL")
}

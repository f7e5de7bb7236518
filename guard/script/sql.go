package script

import (
	"fmt"
	"slices"
	"strings"
)

// Dialect is a language of SQL together with the client program that takes it, which has commands and quotes of its own.
type Dialect string

// The dialects, named like their clients.
const (
	PostgreSQL Dialect = "psql"
	MySQL      Dialect = "mysql" // mariadb too
	SQLite     Dialect = "sqlite3"
)

// SQL reads what a client of a database is given to run: statements, separated as that client separates them, and its own
// commands. What only reads is granted; a few changes that can be taken back are change. Statements, functions,
// settings and commands are granted by name: what is not known here is refused.
func SQL(d Dialect, text string) (change string, err error) {
	if err := checkText(string(d), text); err != nil {
		return "", err
	}
	tokens, err := sqlTokens(d, text)
	if err != nil {
		return "", err
	}
	var changes []string
	for _, statement := range sqlStatements(d, tokens) {
		change, err := d.statement(statement)
		if err != nil {
			return "", err
		}
		if change != "" && !slices.Contains(changes, change) {
			changes = append(changes, change)
		}
	}
	return strings.Join(changes, ", "), nil
}

// sqlStatements cuts tokens at each semicolon. One within brackets ends a statement for some clients, and for the others it is
// an error: what is then left of the brackets is refused.
func sqlStatements(d Dialect, tokens []sqlToken) (list [][]sqlToken) {
	start := 0
	for i, t := range tokens {
		ends := t.sign(";")
		if ends || d == MySQL && i > start && t.line > tokens[start].line && mysqlCommand(tokens[start]) {
			list = append(list, tokens[start:i])
			start = i
		}
		if ends {
			start++
		}
	}
	return slices.DeleteFunc(append(list, tokens[start:]), func(s []sqlToken) bool { return len(s) == 0 })
}

// statement judges one statement; change is the reversible change that it makes, if any.
func (d Dialect) statement(s []sqlToken) (change string, err error) {
	switch {
	case startsQuery(s):
		if change := d.signal(s); change != "" {
			return change, nil
		}
		return "", d.query(s)
	case s[0].kind != sqlWord:
		return "", refuse(fmt.Sprintf("%s: a statement begins with %q; begin it with SELECT, SHOW or EXPLAIN", d, s[0].text))
	case d == PostgreSQL:
		return "", postgresStatement(s)
	case d == MySQL:
		return mysqlStatement(s)
	}
	return "", sqliteStatement(s)
}

// startsQuery reports whether s begins like a query: for the rest of it see [Dialect.query].
func startsQuery(s []sqlToken) bool {
	for len(s) > 0 && s[0].sign("(") {
		s = s[1:]
	}
	return len(s) > 0 && s[0].is("select", "values", "table", "with")
}

// query judges a statement that has to be a query.
func (d Dialect) query(s []sqlToken) error {
	if !startsQuery(s) {
		if len(s) > 0 && s[0].kind == sqlWord {
			return d.unknownStatement(s)
		}
		return refuse(string(d) + ": a query is expected; write SELECT …")
	}
	return d.readOnly(s)
}

// unknownStatement refuses a statement by its first word.
func (d Dialect) unknownStatement(s []sqlToken) error {
	verb := strings.ToUpper(s[0].text)
	if listed("sql forbidden", s[0].text) {
		return forbid(fmt.Sprintf("%s: %s changes or removes data, accounts or code; only read (SELECT, SHOW, EXPLAIN) and leave this to a person", d, verb))
	}
	switch s[0].text {
	case "vacuum":
		if d == PostgreSQL && slices.ContainsFunc(s, func(t sqlToken) bool { return t.is("full") }) {
			return forbid(string(d) + ": VACUUM FULL locks and rewrites tables; read n_dead_tup and last_autovacuum in pg_stat_user_tables and report them")
		}
		return refuse(string(d) + ": VACUUM is not granted; report what needs it (dead rows, free pages) instead")
	case "prepare", "execute", "declare", "fetch", "handler", "deallocate":
		return refuse(fmt.Sprintf("%s: %s hides the statement that runs; write the SELECT itself", d, verb))
	case "set", "use":
		return refuse(string(d) + ": " + verb + " is not granted for this; grant yourself no other role or setting, and name tables with their schema")
	}
	return refuse(fmt.Sprintf("%s: the statement %s is not granted; read with SELECT, SHOW or EXPLAIN", d, verb))
}

// transaction reports whether s begins or ends a transaction without saying that it writes or locks: within one, only what
// is granted anyway runs.
func transaction(s []sqlToken) bool {
	if !s[0].is("begin", "start", "commit", "end", "rollback", "abort") {
		return false
	}
	return !slices.ContainsFunc(s[1:], func(t sqlToken) bool {
		return !t.is("transaction", "work", "read", "only", "isolation", "level", "serializable", "repeatable", "committed", "uncommitted",
			"deferrable", "not", "with", "consistent", "snapshot", "deferred") && !t.sign(",")
	})
}

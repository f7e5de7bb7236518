package script

import (
	"fmt"
	"slices"
	"strings"
)

// Dialect is a dialect of SQL together with its client program, which has its own commands and quoting rules.
type Dialect string

// The dialects, named like their clients.
const (
	PostgreSQL Dialect = "psql"
	MySQL      Dialect = "mysql" // mariadb too
	SQLite     Dialect = "sqlite3"
)

// SQL judges the input of a database client: statements, separated as that client separates them, and client commands. Text that only
// reads is granted, and so are a few reversible changes, which change names. Statements, functions, settings and commands are granted by
// name; unknown ones are refused.
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

// sqlStatements splits tokens at each semicolon. A semicolon within brackets ends a statement for some clients, and is an error for
// others; the unbalanced brackets that remain are refused.
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

// statement judges one statement; change names the reversible change that it makes, if any.
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

// startsQuery reports whether s begins like a query. [Dialect.query] judges the rest.
func startsQuery(s []sqlToken) bool {
	for len(s) > 0 && s[0].sign("(") {
		s = s[1:]
	}
	return len(s) > 0 && s[0].is("select", "values", "table", "with")
}

// query judges a statement that must be a query.
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

// transaction reports whether s begins or ends a transaction without requesting writes or locks. Statements within the transaction are
// judged on their own.
func transaction(s []sqlToken) bool {
	if !s[0].is("begin", "start", "commit", "end", "rollback", "abort") {
		return false
	}
	return !slices.ContainsFunc(s[1:], func(t sqlToken) bool {
		return !t.is("transaction", "work", "read", "only", "isolation", "level", "serializable", "repeatable", "committed", "uncommitted",
			"deferrable", "not", "with", "consistent", "snapshot", "deferred") && !t.sign(",")
	})
}

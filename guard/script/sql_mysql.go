package script

import (
	"slices"
	"strings"
)

// mysqlCommand reports whether t, at the start of a statement, is a command of the mysql client that ends with its line.
func mysqlCommand(t sqlToken) bool {
	return t.kind == sqlWord && listed("mysql commands", t.text)
}

// mysqlStatement judges a statement that is not a query.
func mysqlStatement(s []sqlToken) (change string, err error) {
	switch first := s[0]; {
	case transaction(s):
		return "", nil
	case first.is("show"):
		return "", mysqlShow(s[1:])
	case first.is("explain", "describe", "desc", "analyze"):
		return "", mysqlExplain(s)
	case first.is("use"):
		if len(s) == 2 && (s[1].kind == sqlWord || s[1].kind == sqlName) {
			return "", nil
		}
		return "", refuse("mysql: USE takes the name of one database")
	case first.is("set") && mysqlSet(s[1:]):
		return "", nil
	case first.is("set") && len(s) > 6 && s[1].is("statement") && mysqlSet(s[2:5]) && s[5].is("for"):
		return "", MySQL.query(s[6:])
	case first.is("kill", "start"):
		return mysqlChange(s)
	case mysqlCommand(first) && len(s) == 1:
		return "", nil
	case first.is("checksum") && len(s) > 2 && s[1].is("table"):
		return "", MySQL.readOnly(s[2:])
	case listed("mysql forbidden_commands", first.text):
		return "", forbid("mysql: " + first.text + " is a command of the client that runs programs, reads or writes files or changes how it reads; only send SQL (SELECT, SHOW, EXPLAIN)")
	}
	return "", MySQL.unknownStatement(s)
}

// mysqlShow judges the arguments of SHOW.
func mysqlShow(s []sqlToken) error {
	if len(s) > 3 && s[0].is("count") && s[1].sign("(") && s[2].sign("*") && s[3].sign(")") {
		s = s[4:]
	}
	s = behind(s, "full", "extended", "global", "session", "local", "all")
	first, second := sqlWordAt(s, 0), sqlWordAt(s, 1)
	if listed("mysql show", first) {
		return MySQL.readOnly(s[1:])
	}
	switch first {
	case "engine":
		if len(s) == 3 && s[2].is("status", "mutex", "logs") {
			return nil
		}
	case "create":
		if slices.Contains([]string{"table", "view", "database", "schema", "function", "procedure", "trigger", "event", "sequence"}, second) {
			return MySQL.readOnly(s[2:])
		}
		return forbid("mysql: SHOW CREATE " + strings.ToUpper(second) + " shows passwords; use information_schema.user_privileges")
	}
	switch first + " " + second {
	case "table status", "open tables", "master status", "master logs", "binary logs", "binlog status", "binary log", "binlog events", "relaylog events",
		"slave status", "slaves status", "replica status", "replicas status", "slave hosts", "function status", "procedure status", "package status",
		"character set", "storage engines", "function code", "procedure code", "explain for", "analyze for":
		return MySQL.readOnly(s[2:])
	}
	return refuse("mysql: this SHOW is not granted; use SHOW PROCESSLIST, STATUS, VARIABLES, REPLICA STATUS, ENGINE INNODB STATUS, TABLES, CREATE TABLE, or SELECT")
}

// sqlWordAt returns the keyword or unquoted name at index i; empty if there is another token.
func sqlWordAt(s []sqlToken, i int) string {
	if i < len(s) && s[i].kind == sqlWord {
		return s[i].text
	}
	return ""
}

// mysqlExplain judges EXPLAIN and DESCRIBE, and the forms that also run the query: EXPLAIN ANALYZE and MariaDB's ANALYZE.
func mysqlExplain(s []sqlToken) error {
	analyzes := s[0].is("analyze")
	s = s[1:]
	for len(s) > 0 && s[0].is("analyze", "extended", "partitions", "format") {
		if s[0].is("format") {
			if len(s) < 3 || !s[1].sign("=") || s[2].kind != sqlWord {
				return refuse("mysql: EXPLAIN FORMAT takes a value, such as FORMAT=JSON")
			}
			s = s[2:]
		}
		s = s[1:]
	}
	switch {
	case len(s) == 0:
		return refuse("mysql: EXPLAIN of nothing; write EXPLAIN SELECT …")
	case startsQuery(s) && (!analyzes || !s[0].is("table")):
		return MySQL.readOnly(s)
	case analyzes:
		return refuse("mysql: ANALYZE of anything but a query is not granted; read the statistics in information_schema.tables and .statistics")
	case len(s) == 3 && s[0].is("for") && s[1].is("connection") && s[2].kind == sqlNumber:
		return nil
	}
	// The name of a table, perhaps of a column.
	if slices.ContainsFunc(s, func(t sqlToken) bool { return t.kind == sqlNumber || t.kind == sqlSign && t.text != "." }) ||
		s[0].is("insert", "update", "delete", "replace", "call") {
		return refuse("mysql: only a query can be explained; write EXPLAIN SELECT … with the same conditions")
	}
	return MySQL.readOnly(s)
}

// mysqlSet reports whether s, after SET, changes only session settings that affect neither data nor privileges.
func mysqlSet(s []sqlToken) bool {
	if transactionMode(s) {
		return true
	}
	if len(s) == 2 && s[0].is("names") && s[1].is("utf8", "utf8mb4", "utf8mb3") {
		return true
	}
	switch {
	case len(s) > 4 && s[0].sign("@") && s[1].sign("@") && s[2].is("session") && s[3].sign("."):
		s = s[4:]
	case len(s) > 1 && s[0].is("session", "local"):
		s = s[1:]
	case len(s) > 2 && s[0].sign("@") && s[1].sign("@"):
		s = s[2:]
	}
	if len(s) != 3 || s[0].kind != sqlWord || !s[1].sign("=") || s[2].kind == sqlSign {
		return false
	}
	return listed("mysql settable", s[0].text)
}

// mysqlChange judges the reversible changes: KILL with one literal id, and START REPLICA.
func mysqlChange(s []sqlToken) (change string, err error) {
	rest := s[1:]
	if s[0].is("kill") {
		if rest = behind(rest, "hard", "soft", "query", "connection"); len(rest) == 1 && rest[0].kind == sqlNumber && strings.Trim(rest[0].text, "0123456789") == "" {
			return "KILL", nil
		}
		return "", refuse("mysql: KILL takes one literal id of a connection, such as KILL QUERY 4711; look it up with SHOW PROCESSLIST first")
	}
	if rest = behind(rest, "all"); len(rest) == 0 || !rest[0].is("replica", "slave", "replicas", "slaves") {
		return "", MySQL.unknownStatement(s)
	}
	for i, t := range rest[1:] {
		plain := t.is("io_thread", "sql_thread") || t.sign(",") || t.is("for") || t.is("channel") || t.kind == sqlString && (i == 0 || i > 1)
		if !plain {
			return "", refuse("mysql: START REPLICA is granted without UNTIL, user or password; write START REPLICA or START REPLICA SQL_THREAD")
		}
	}
	return "START REPLICA", nil
}

package script

import (
	"fmt"
	"slices"
	"strings"
)

// postgresStatement judges a statement that is not a query.
func postgresStatement(s []sqlToken) error {
	switch {
	case transaction(s):
		return nil
	case s[0].is("explain"):
		return PostgreSQL.query(postgresExplained(s[1:]))
	case s[0].is("show"):
		return postgresShow(s[1:])
	case s[0].is("set", "reset") && postgresSet(s):
		return nil
	case s[0].is("reset"): // a session setting; RESET means something else in MySQL
		return refuse("psql: RESET is not granted for this; only session settings such as statement_timeout can be set")
	}
	return PostgreSQL.unknownStatement(s)
}

// postgresExplained returns the statement that an EXPLAIN explains. With ANALYZE it also runs.
func postgresExplained(s []sqlToken) []sqlToken {
	if len(s) > 1 && s[0].sign("(") && s[1].is("analyze", "verbose", "costs", "settings", "generic_plan", "buffers", "serialize", "wal",
		"timing", "summary", "memory", "format") {
		for i, t := range s[1:] {
			switch {
			case t.sign(")"):
				return s[i+2:]
			case t.kind != sqlWord && !t.sign(","):
				return nil
			}
		}
		return nil
	}
	return behind(s, "analyze", "verbose")
}

// postgresShow judges the arguments of SHOW, including those of PgBouncer's console.
func postgresShow(s []sqlToken) error {
	name := ""
	for _, t := range s {
		if t.kind != sqlWord && t.kind != sqlName && !t.sign(".") {
			return refuse("psql: SHOW takes the name of a setting, such as SHOW max_connections")
		}
		name += t.text
	}
	switch strings.ToLower(name) {
	case "", "all":
		return refuse("psql: among all settings are passwords; name one, such as SHOW max_connections, or SELECT name, setting FROM pg_settings WHERE name IN (…)")
	case "fds":
		return forbid("psql: SHOW FDS of pgbouncer stops its work and shows passwords; use SHOW POOLS, SHOW CLIENTS or SHOW SERVERS")
	}
	return postgresSetting(name)
}

// postgresSet reports whether s changes only session settings that affect neither data nor privileges.
func postgresSet(s []sqlToken) bool {
	if s[0].is("set") && transactionMode(s[1:]) {
		return true
	}
	reset := s[0].is("reset")
	if s = s[1:]; !reset {
		s = behind(s, "session", "local")
	}
	if len(s) > 1 && s[0].is("time") && s[1].is("zone") {
		s = s[1:]
	} else if len(s) == 0 || s[0].kind != sqlWord || !listed("psql settable", s[0].text) {
		return false
	}
	if reset {
		return len(s) == 1
	}
	if s[0].is("default_transaction_read_only", "transaction_read_only") {
		return s[len(s)-1].is("on", "true", "yes") || s[len(s)-1].text == "1"
	}
	for i, t := range s[1:] {
		if i == 0 && t.sign("=") || t.sign("-", ",") || t.kind == sqlWord || t.kind == sqlString || t.kind == sqlNumber {
			continue
		}
		return false
	}
	return len(s) > 1
}

// transactionMode reports whether s, after SET, makes the transaction or session read-only or sets its isolation level.
func transactionMode(s []sqlToken) bool {
	if s = behind(s, "session"); len(s) > 2 && s[0].is("characteristics") && s[1].is("as") {
		s = s[2:]
	}
	if len(s) < 2 || !s[0].is("transaction") {
		return false
	}
	return !slices.ContainsFunc(s[1:], func(t sqlToken) bool {
		return !t.is("read", "only", "isolation", "level", "serializable", "repeatable", "committed", "uncommitted", "deferrable", "not") && !t.sign(",")
	})
}

// signal returns the change that s makes if it consists of calls of signal functions with literal arguments, such as SELECT
// pg_cancel_backend(4711); empty otherwise.
func (d Dialect) signal(s []sqlToken) string {
	if d != PostgreSQL || !s[0].is("select") {
		return ""
	}
	var names []string
	for _, call := range splitSQL(s[1:], ",") {
		name := signalCall(call)
		if name == "" {
			return ""
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// signalCall returns the name of the signal function that s calls with literal arguments; empty if it does not.
func signalCall(s []sqlToken) string {
	if len(s) > 2 && s[0].is("pg_catalog") && s[1].sign(".") {
		s = s[2:]
	}
	if len(s) < 3 || s[0].kind != sqlWord && s[0].kind != sqlName || !listed("psql signals", s[0].text) || !s[1].sign("(") {
		return ""
	}
	name := s[0].text
	s = s[2:]
	numbers := 0
	if strings.HasSuffix(name, "_backend") {
		for len(s) > 0 && s[0].kind == sqlNumber && strings.Trim(s[0].text, "0123456789") == "" {
			numbers++
			s = s[1:]
			if len(s) > 1 && s[0].sign(",") && name == "pg_terminate_backend" && numbers == 1 {
				s = s[1:]
			}
		}
		if numbers == 0 || numbers > 2 {
			return ""
		}
	}
	if len(s) == 0 || !s[0].sign(")") {
		return ""
	}
	if s = behind(s[1:], "as"); len(s) > 1 || len(s) == 1 && s[0].kind != sqlWord && s[0].kind != sqlName {
		return ""
	}
	return name
}

// signalExample returns an example call of a signal function.
func signalExample(name string) string {
	if strings.HasSuffix(name, "_backend") {
		return fmt.Sprintf("%s(4711)", name)
	}
	return name + "()"
}

package script

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// relation judges the name at i as a table or view. Some hold passwords, or read files.
func (q *sqlQuery) relation(i int) error {
	t := q.tokens[i]
	name := strings.ToLower(t.text)
	switch q.dialect {
	case PostgreSQL:
		return q.postgresRelation(i, name)
	case MySQL:
		return q.mysqlRelation(i, name)
	}
	pragma, isPragma := strings.CutPrefix(name, "pragma_")
	switch {
	case isPragma && !listed("sqlite3 pragmas", pragma) && !listed("sqlite3 table_pragmas", pragma):
		return refuse(fmt.Sprintf("sqlite3: %s is not among the pragmas known to only read", t.text))
	case name == "fsdir", name == "zipfile":
		return forbid("sqlite3: " + name + " reads and writes files; query the tables of the database")
	}
	return nil
}

func (q *sqlQuery) postgresRelation(i int, name string) error {
	switch name {
	case "pg_authid", "pg_shadow", "pg_user_mapping", "pg_user_mappings", "_pg_user_mappings", "user_mapping_options":
		return forbid("psql: " + name + " holds passwords; use pg_roles for what roles there are")
	case "pg_subscription":
		return forbid("psql: pg_subscription holds connection strings with passwords; use pg_stat_subscription or \\dRs")
	case "pg_settings", "pg_file_settings":
		if !q.namesSettings(i) {
			return refuse(fmt.Sprintf("psql: among all of %s are passwords; name the settings: SELECT name, setting FROM %s WHERE name IN ('max_connections', …)", name, name))
		}
	}
	return nil
}

func (q *sqlQuery) mysqlRelation(i int, name string) error {
	before, after := q.at(i-1), q.at(i+1)
	switch name {
	case "global_priv", "slave_master_info", "password_history":
		return forbid("mysql: " + name + " holds passwords; use SHOW REPLICA STATUS, and information_schema.user_privileges for accounts")
	case "user", "servers":
		schema := q.at(i - 2)
		switch {
		case before.sign(".") && schema.identifier(MySQL) && strings.EqualFold(schema.text, "mysql"):
			return forbid("mysql: mysql." + name + " holds passwords; use information_schema.user_privileges for accounts")
		case !before.sign(".") && !after.sign(".", "(") && q.behindFrom(i, true):
			return refuse(fmt.Sprintf("mysql: without its schema %s could be mysql.%s, which holds passwords; write SCHEMA.%s", name, name, name))
		}
	case "nextval":
		return forbid("mysql: NEXTVAL advances a sequence; read its state with SELECT … FROM the sequence")
	case "report_password", "wsrep_sst_auth":
		return forbid("mysql: " + name + " is a password; leave it out")
	}
	return nil
}

// namesSettings reports whether the view at i is read as FROM pg_settings WHERE name …, with a condition that selects rows by name and
// excludes secret settings.
func (q *sqlQuery) namesSettings(i int) bool {
	start := i
	if q.at(i-1).sign(".") && q.at(i-2).is("pg_catalog") {
		start = i - 2
	}
	if !q.at(start - 1).is("from") {
		return false
	}
	alias := ""
	where := i + 1
	if q.at(where).is("as") {
		where++
	}
	if t := q.at(where); t.kind == sqlWord && !t.is("where") {
		alias = t.text
		where++
	}
	if !q.at(where).is("where") {
		return false
	}
	const deepest = 8 // nesting depth of brackets in a condition
	return eachNames(q.condition(where+1), alias, deepest)
}

// condition returns the condition that begins at i, without the clauses after it.
func (q *sqlQuery) condition(i int) []sqlToken {
	end := i
	for end < len(q.tokens) {
		t := q.tokens[end]
		if t.sign(")", "]") || t.is("group", "order", "limit", "offset", "fetch", "having", "window", "union", "intersect", "except", "for") {
			break
		}
		if t.sign("(", "[") {
			end = q.partner[end]
		}
		end++
	}
	return q.tokens[min(i, end):end]
}

// eachNames reports whether every alternative of a condition requires a setting name that is not secret.
func eachNames(condition []sqlToken, alias string, levels int) bool {
	names := func(part []sqlToken) bool { return eachNames(part, alias, levels-1) }
	if levels == 0 {
		return false
	}
	if inner, ok := unbracketed(condition); ok {
		return names(inner)
	}
	if alternatives := splitSQL(condition, "or"); len(alternatives) > 1 {
		return !slices.ContainsFunc(alternatives, func(a []sqlToken) bool { return !names(a) })
	}
	if slices.ContainsFunc(condition, func(t sqlToken) bool { return t.is("between", "case") }) {
		return false // these contain an AND or a condition themselves
	}
	if parts := splitSQL(condition, "and"); len(parts) > 1 {
		return slices.ContainsFunc(parts, names)
	}
	return namesSetting(condition, alias)
}

// unbracketed returns the tokens between the brackets if one pair encloses all of s.
func unbracketed(s []sqlToken) ([]sqlToken, bool) {
	if len(s) < 2 || !s[0].sign("(") {
		return nil, false
	}
	depth := 0
	for i, t := range s {
		switch {
		case t.sign("("):
			depth++
		case t.sign(")"):
			depth--
		}
		if depth == 0 {
			return s[1:i], i == len(s)-1
		}
	}
	return nil, false
}

// splitSQL splits s at each given word or sign outside brackets.
func splitSQL(s []sqlToken, at string) (parts [][]sqlToken) {
	depth, start := 0, 0
	for i, t := range s {
		switch {
		case t.sign("(", "["):
			depth++
		case t.sign(")", "]"):
			depth--
		case depth == 0 && (t.is(at) || t.sign(at)):
			parts = append(parts, s[start:i])
			start = i + 1
		}
	}
	return append(parts, s[start:])
}

// namesSetting reports whether s is a comparison such as name = 'x', name IN ('x', 'y'), name LIKE 'x%' or name ~ 'x' that matches no
// secret setting.
func namesSetting(s []sqlToken, alias string) bool {
	if len(s) > 2 && s[1].sign(".") && s[0].is(alias) {
		s = s[2:]
	}
	if len(s) < 3 || !s[0].is("name") {
		return false
	}
	s = s[1:]
	last := s[len(s)-1]
	if last.kind == sqlString {
		switch operator := s[:len(s)-1]; {
		case len(operator) == 1 && operator[0].sign("="):
			return postgresSetting(last.text) == nil
		case len(operator) == 1 && operator[0].is("like", "ilike"):
			return hidesSecrets(likePattern(last.text))
		case operator[0].sign("~") && (len(operator) == 1 || len(operator) == 2 && operator[1].sign("*")):
			return hidesSecrets(last.text)
		}
		return false
	}
	if len(s) < 4 || !s[0].is("in") || !s[1].sign("(") {
		return false
	}
	for i, t := range s[2 : len(s)-1] {
		if i%2 == 1 && !t.sign(",") || i%2 == 0 && (t.kind != sqlString || postgresSetting(t.text) != nil) {
			return false
		}
	}
	return last.sign(")")
}

// likePattern returns the regular expression for a LIKE pattern without escapes.
func likePattern(pattern string) string {
	quoted := strings.ReplaceAll(regexp.QuoteMeta(pattern), "%", ".*")
	return "^" + strings.ReplaceAll(quoted, "_", ".") + "$"
}

// hidesSecrets reports whether a regular expression matches no secret setting.
func hidesSecrets(pattern string) bool {
	if strings.Contains(pattern, "[[") || strings.HasPrefix(pattern, "***") {
		return false // the server reads these differently
	}
	compiled, err := regexp.Compile("(?i)" + pattern)
	if err != nil {
		return false
	}
	return !slices.ContainsFunc([]string{"primary_conninfo", "ssl_passphrase_command", "app.jwt_secret", "app.settings.db_password", "myapp.api_token"},
		compiled.MatchString)
}

// postgresSetting refuses the settings that are or may be secrets.
func postgresSetting(name string) error {
	folded := strings.ToLower(name)
	switch {
	case folded == "password_encryption":
		return nil
	case slices.ContainsFunc([]string{"conninfo", "passphrase", "passwd", "password", "secret", "token", "credential", "jwt"},
		func(part string) bool { return strings.Contains(folded, part) }):
		return forbid(fmt.Sprintf("psql: the setting %s can hold a secret; for replication use pg_stat_wal_receiver, which hides it", name))
	case strings.Contains(folded, ".") && !listed("psql prefixes", folded[:strings.Index(folded, ".")]):
		return refuse(fmt.Sprintf("psql: the setting %s is an application's own and may be a secret; ask for settings of the server", name))
	}
	return nil
}

package script

import (
	"fmt"
	"slices"
	"strings"
)

// sqlQuery is a statement, or its remainder after the first words, that must only read.
type sqlQuery struct {
	dialect Dialect
	tokens  []sqlToken
	partner []int            // for each bracket, the index of its counterpart
	results map[string][]int // see resultsInFrom; nil until it is computed
}

// readOnly judges tokens that form a query or an expression.
func (d Dialect) readOnly(tokens []sqlToken) error {
	q := sqlQuery{dialect: d, tokens: tokens, partner: make([]int, len(tokens))}
	if err := q.pairs(); err != nil {
		return err
	}
	for i := range tokens {
		if err := q.token(i); err != nil {
			return err
		}
	}
	return nil
}

// pairs matches the brackets.
func (q *sqlQuery) pairs() error {
	var open []int
	for i, t := range q.tokens {
		switch {
		case t.sign("(", "["):
			open = append(open, i)
		case t.sign(")", "]"):
			if len(open) == 0 || q.tokens[open[len(open)-1]].sign("(") != t.sign(")") {
				return refuse(fmt.Sprintf("%s: %q closes no bracket; write each statement whole", q.dialect, t.text))
			}
			last := open[len(open)-1]
			open = open[:len(open)-1]
			q.partner[i], q.partner[last] = last, i
		}
	}
	if len(open) > 0 {
		return refuse(string(q.dialect) + ": a bracket is not closed; write each statement whole")
	}
	return nil
}

// at returns the token at index i; the zero token outside the query.
func (q *sqlQuery) at(i int) sqlToken {
	if i < 0 || i >= len(q.tokens) {
		return sqlToken{}
	}
	return q.tokens[i]
}

func (q *sqlQuery) token(i int) error {
	t, next := q.tokens[i], q.at(i+1)
	if t.kind == sqlWord && !q.at(i-1).sign(".") {
		if err := q.keyword(i); err != nil {
			return err
		}
	}
	if t.identifier(q.dialect) {
		if err := q.relation(i); err != nil {
			return err
		}
	}
	if q.dialect == PostgreSQL && t.sign(".") {
		if err := q.member(i); err != nil {
			return err
		}
	}
	switch {
	case t.sign(":") && next.sign("=") && q.dialect == MySQL:
		return refuse("mysql: := assigns a variable; write the query without variables (with a join or a window function)")
	case t.first && q.dialect == SQLite && (t.is("go") || t.sign("/")), t.first && q.dialect == MySQL && t.is("go", "ego"):
		return refuse(fmt.Sprintf("%s: a line that begins with %s can end the statement; join it with the line before", q.dialect, t.text))
	case next.sign("("):
		return q.beforeBracket(i)
	}
	return nil
}

// member judges what follows the dot at i. PostgreSQL reads value.function as function(value).
func (q *sqlQuery) member(i int) error {
	t := q.at(i + 1)
	if t.kind != sqlWord && t.kind != sqlName {
		return nil
	}
	name := strings.ToLower(t.text)
	switch {
	case q.at(i-1).sign(")", "]"):
		return refuse("psql: (value)." + t.text + " may call a function; name the column without brackets, or its alias")
	case q.at(i + 2).sign("("): // judged as a call
		return nil
	case q.at(i-1).is("pg_catalog", "information_schema") && q.behindFrom(i-1, false):
		return nil
	case callsByName(name), q.resultOfFunction(q.at(i-1), name):
		return q.unknownFunction(t)
	}
	return nil
}

// resultOfFunction reports whether table is the single value that a function in FROM returns. PostgreSQL then reads member as the name of
// a function, unless it is a listed column.
func (q *sqlQuery) resultOfFunction(table sqlToken, member string) bool {
	if q.results == nil {
		q.results = q.resultsInFrom()
	}
	return slices.ContainsFunc(q.results[table.text], func(end int) bool { return !q.listsColumn(end, member) }) &&
		!slices.Contains([]string{"value", "ordinality", table.text}, member)
}

// resultsInFrom returns the single values that functions in FROM return: for each name, the indexes at which a column list may follow.
func (q *sqlQuery) resultsInFrom() map[string][]int {
	found := map[string][]int{}
	for i, t := range q.tokens {
		if !t.sign("(") {
			continue
		}
		name, before := q.at(i-1), q.at(i-2)
		calls := (name.kind == sqlWord || name.kind == sqlName) && q.behindFrom(i-1, true) && !q.keywordBeforeBracket(name.text, before) && !before.is("as") && !q.listOfNames(i-1) &&
			!strings.HasPrefix(name.text, "pg_") && !listed("psql rows", name.text)
		if !calls && !(name.is("from") && before.is("rows")) {
			continue
		}
		at := q.partner[i] + 1
		if q.at(at).is("with") {
			at += 2 // ordinality
		}
		if q.at(at).is("as") {
			at++
		}
		alias := q.at(at)
		if alias.kind != sqlName && (alias.kind != sqlWord || listed("psql behind_table", alias.text)) {
			alias = name
		}
		found[alias.text] = append(found[alias.text], at+1)
	}
	return found
}

// listsColumn reports whether the bracket at i lists a column: (x, y), or (x int, y text).
func (q *sqlQuery) listsColumn(i int, column string) bool {
	if !q.at(i).sign("(") {
		return false
	}
	for j := i + 1; j < q.partner[i]; j++ {
		if q.at(j-1).sign("(", ",") && strings.EqualFold(q.at(j).text, column) {
			return true
		}
	}
	return false
}

// behindFrom reports whether the name at i can be a table: it is in a list after FROM, JOIN or TABLE. With brackets, the list may be
// outside the brackets that contain the name.
func (q *sqlQuery) behindFrom(i int, brackets bool) bool {
	for i--; i >= 0; i-- {
		switch t := q.tokens[i]; {
		case t.sign(")", "]"):
			i = q.partner[i]
		case t.sign("(", "[") && !brackets:
			return false
		case t.is("from", "join", "straight_join", "table"):
			return true
		case t.is("select", "where", "group", "order", "having", "on", "using", "limit", "by", "with", "like"):
			return false
		}
	}
	return false
}

// callsByName reports whether a member's name can be a function with side effects. The server's own begin with pg_.
func callsByName(name string) bool {
	return hasListedPrefix("psql forbidden_prefixes", name) || hasListedPrefix("psql further_prefixes", name) || listed("psql forbidden", name) || name == "current_setting"
}

// keyword refuses words that make a query write or lock, anywhere in it: a column of that name must be quoted.
func (q *sqlQuery) keyword(i int) error {
	t, before, next := q.tokens[i], q.at(i-1), q.at(i+1)
	switch t.text {
	case "into":
		return forbid(string(q.dialect) + ": SELECT … INTO writes a table, a file or a variable; leave INTO out, the result is printed")
	case "for":
		if next.is("update", "share", "no", "key") {
			return refuse(string(q.dialect) + ": FOR UPDATE and its kin lock rows; leave that out")
		}
	case "lock":
		if next.is("in") {
			return refuse(string(q.dialect) + ": LOCK IN SHARE MODE locks rows; leave it out")
		}
	case "next":
		if next.is("value") {
			return forbid(string(q.dialect) + ": NEXT VALUE FOR advances a sequence; read its state with SELECT … FROM the sequence")
		}
	case "operator":
		if next.sign("(") {
			return refuse(string(q.dialect) + ": OPERATOR(…) is not granted; write the operator itself")
		}
	case "insert", "replace", "truncate":
		if next.sign("(") && q.dialect != PostgreSQL {
			return nil // a string or number function
		}
		return q.writes(t, before)
	case "update", "delete", "merge", "drop", "alter", "create", "grant", "revoke":
		return q.writes(t, before)
	}
	return nil
}

// writes refuses the verb t, unless it is the alias of a result column.
func (q *sqlQuery) writes(t, before sqlToken) error {
	if before.is("as") && !t.first {
		return nil
	}
	return forbid(fmt.Sprintf("%s: %s within a statement changes data; only read, and put quotes around a column of that name",
		q.dialect, strings.ToUpper(t.text)))
}

// beforeBracket judges the token before an opening bracket: a keyword, the name before a column list, or a function.
func (q *sqlQuery) beforeBracket(i int) error {
	t, before := q.tokens[i], q.at(i-1)
	switch {
	case t.kind == sqlSign, t.kind == sqlNumber:
		return nil
	case t.kind == sqlString, t.kind == sqlValue:
		return refuse(string(q.dialect) + ": a string before a bracket; write names of functions without quotes")
	case before.sign("."):
		return q.qualified(i)
	case t.kind == sqlWord && q.keywordBeforeBracket(t.text, before), before.is("as"), q.listOfNames(i):
		return nil
	}
	return q.function(i, t)
}

// keywordBeforeBracket reports whether word is a keyword there rather than a function; for some words, the token before decides.
func (q *sqlQuery) keywordBeforeBracket(word string, before sqlToken) bool {
	switch word {
	case "by":
		return before.is("group", "order", "partition")
	case "first", "next":
		return before.is("fetch")
	case "filter", "against":
		return before.sign(")")
	case "over":
		return before.sign(")") || before.is("nulls")
	case "sets":
		return before.is("grouping")
	case "materialized":
		return before.is("as", "not")
	case "of":
		return before.is("member")
	case "columns":
		return before.kind == sqlString
	case "join", "like", "ilike", "is":
		return before.is("not") || q.operand(before)
	}
	return q.reserved(word)
}

// operand reports whether t can end an operand, so that an operator follows and not a function.
func (q *sqlQuery) operand(t sqlToken) bool {
	switch t.kind {
	case sqlSign:
		return t.sign(")", "]")
	case sqlWord:
		return !q.reserved(t.text) && !t.is("by", "escape", "zone", "to", "fetch")
	}
	return true
}

// reserved reports whether word is a keyword that cannot name a function.
func (q *sqlQuery) reserved(word string) bool {
	return listed("sql before_bracket", word) || q.lists("before_bracket", word)
}

// listOfNames reports whether the bracket after the name at i holds the columns of an alias or of a WITH query: x(a, b) in
// WITH x(a, b) AS (SELECT …), and in FROM unnest(…) x(a, b).
func (q *sqlQuery) listOfNames(i int) bool {
	end := q.partner[i+1]
	for j, t := range q.tokens[i+2 : end] {
		if (j%2 == 0) != (t.kind == sqlWord || t.kind == sqlName) || j%2 == 1 && !t.sign(",") {
			return false
		}
	}
	if q.at(end + 1).is("as") {
		body := end + 2
		for q.at(body).is("not", "materialized") {
			body++
		}
		inner := q.at(body + 1)
		return q.at(body).sign("(") && (inner.is("select", "with", "table") || inner.sign("(") ||
			inner.is("values") && q.at(body+2).sign("("))
	}
	if q.dialect != PostgreSQL || !q.at(i-1).sign(")") {
		return false
	}
	// Only after the bracket of DISTINCT ON (…) can an expression begin.
	return !q.at(q.partner[i-1] - 1).is("on")
}

// qualified judges the call of a schema-qualified function.
func (q *sqlQuery) qualified(i int) error {
	t, schema := q.tokens[i], q.at(i-2)
	name := schema.text
	if schema.kind != sqlWord && schema.kind != sqlName || q.at(i-3).sign(".") {
		name = ""
	}
	switch {
	case q.dialect == PostgreSQL && name == "pg_catalog", q.dialect == SQLite && name == "main":
		return q.function(i, t)
	case q.dialect == PostgreSQL && name == "information_schema" && t.text == "_pg_expandarray",
		q.dialect == PostgreSQL && name == "public" && listed("psql extensions", t.text),
		q.dialect == MySQL && strings.EqualFold(name, "sys") && listed("mysql sys", strings.ToLower(t.text)):
		return nil
	}
	return q.unknownFunction(t)
}

// function judges the call of an unqualified function.
func (q *sqlQuery) function(i int, t sqlToken) error {
	name := t.text
	if q.dialect != PostgreSQL {
		name = strings.ToLower(name)
	}
	argument, closing := q.at(i+2), q.at(i+3)
	switch {
	case q.dialect == PostgreSQL && name == "current_setting":
		if argument.kind != sqlString || !closing.sign(")", ",") {
			return refuse("psql: current_setting needs a literal name, such as current_setting('max_connections')")
		}
		return postgresSetting(argument.text)
	case q.dialect == MySQL && name == "last_insert_id" && argument.sign(")"):
		return nil
	case q.dialect == SQLite && strings.HasPrefix(name, "pragma_"):
		return nil // judged by relation
	case q.lists("functions", name), q.dialect == PostgreSQL && (listed("psql extensions", name) || strings.HasPrefix(name, "pg_stat_get_")):
		return nil
	}
	return q.unknownFunction(t)
}

// unknownFunction refuses the call of a function.
func (q *sqlQuery) unknownFunction(t sqlToken) error {
	name := strings.ToLower(t.text)
	switch {
	case q.dialect == PostgreSQL && listed("psql signals", name):
		return refuse(fmt.Sprintf("psql: %s is granted only alone and with a literal argument, such as SELECT %s; look the pid up first and send a statement for each", name, signalExample(name)))
	case q.lists("forbidden", name), q.dialect == PostgreSQL && hasListedPrefix("psql forbidden_prefixes", name):
		return forbid(fmt.Sprintf("%s: the function %s writes, locks, executes or reads files; read tables and views instead", q.dialect, t.text))
	case strings.HasSuffix(name, "sleep"), name == "benchmark":
		return refuse(fmt.Sprintf("%s: %s holds a connection and gives no answer; run the query again later instead", q.dialect, t.text))
	}
	return refuse(fmt.Sprintf("%s: the function %s is not among those known to change nothing; use tables, views and the server's own functions", q.dialect, t.text))
}

// lists reports whether a word is in a list of the dialect.
func (q *sqlQuery) lists(list, word string) bool { return listed(string(q.dialect)+" "+list, word) }

package script

import (
	"fmt"
	"slices"
	"strings"
)

// sqlKind is the kind of an SQL token, as far as judging requires.
type sqlKind int

const (
	sqlSign   sqlKind = iota // an operator, or a character of one; punctuation
	sqlWord                  // keyword or unquoted name, in lower case
	sqlName                  // quoted name, without its quotes
	sqlString                // string without escapes
	sqlNumber
	sqlValue // a value that is not known from the text: a parameter, a string with escapes
)

type sqlToken struct {
	kind  sqlKind
	text  string
	quote byte // around a name or string
	line  int
	first bool // only blanks and comments precede it on its line
}

// is reports whether t is one of these keywords.
func (t sqlToken) is(words ...string) bool {
	return t.kind == sqlWord && slices.Contains(words, t.text)
}

// behind returns s without any of these keywords at its start.
func behind(s []sqlToken, words ...string) []sqlToken {
	for len(s) > 0 && s[0].is(words...) {
		s = s[1:]
	}
	return s
}

// sign reports whether t is one of these signs.
func (t sqlToken) sign(signs ...string) bool {
	return t.kind == sqlSign && slices.Contains(signs, t.text)
}

// identifier reports whether t is a name, or a string that a server may read as one.
func (t sqlToken) identifier(d Dialect) bool {
	switch t.kind {
	case sqlWord, sqlName:
		return true
	case sqlString:
		return d == SQLite || d == MySQL && t.quote == '"' // with ANSI_QUOTES
	}
	return false
}

// sqlLexer tokenizes SQL as both the client and the server do. If they, or different settings, would disagree about the end of a string
// or comment, the text is refused.
type sqlLexer struct {
	dialect Dialect
	text    string
	pos     int
	line    int
	begun   bool // the line has something other than blanks and comments
	tokens  []sqlToken
}

func sqlTokens(d Dialect, text string) ([]sqlToken, error) {
	l := sqlLexer{dialect: d, text: text}
	for l.pos < len(text) {
		if err := l.token(); err != nil {
			return nil, err
		}
	}
	return l.tokens, nil
}

// token reads the next token, blank, comment or client command.
func (l *sqlLexer) token() error {
	rest := l.text[l.pos:]
	switch c := rest[0]; {
	case c == '\n':
		l.begun = false
		l.skip(1)
	case c == ' ' || c == '\t':
		l.skip(1)
	case strings.HasPrefix(rest, "--"), strings.HasPrefix(rest, "/*"), c == '#' && l.dialect == MySQL:
		return l.comment()
	case c == '\\', c == '.' && l.dialect == SQLite && !l.begun:
		return l.clientCommand()
	case c == '\'' || c == '"' || c == '`' && l.dialect != PostgreSQL || c == '[' && l.dialect == SQLite:
		return l.quoted(0)
	case l.dialect == PostgreSQL && (c == 'e' || c == 'E') && strings.HasPrefix(rest[1:], "'"):
		return l.quoted(1)
	case l.dialect == PostgreSQL && (c == 'u' || c == 'U') && (strings.HasPrefix(rest[1:], "&'") || strings.HasPrefix(rest[1:], `&"`)):
		return l.unread("no U& quotes (write the characters themselves)")
	case l.dialect == PostgreSQL && c == '$':
		return l.dollar()
	case isDigit(c) || c == '.' && len(rest) > 1 && isDigit(rest[1]):
		return l.number()
	case isWord(c):
		return l.word()
	case l.dialect == PostgreSQL && c == ':':
		return l.colon()
	default:
		return l.operator()
	}
	return nil
}

// skip advances by n bytes.
func (l *sqlLexer) skip(n int) {
	l.line += strings.Count(l.text[l.pos:l.pos+n], "\n")
	l.pos += n
}

// add consumes n bytes as a token.
func (l *sqlLexer) add(kind sqlKind, text string, n int) {
	l.tokens = append(l.tokens, sqlToken{kind: kind, text: text, line: l.line, first: !l.begun})
	l.begun = true
	l.skip(n)
}

func (l *sqlLexer) unread(expected string) error {
	return unread(string(l.dialect), l.text, l.pos, expected)
}

func (l *sqlLexer) operator() error {
	signs := "()[],.;+-*/<>=~!%^&|"
	switch l.dialect {
	case PostgreSQL:
		signs += "@#?"
	case MySQL:
		signs += "@:"
	}
	c := l.text[l.pos]
	if strings.IndexByte(signs, c) < 0 {
		return l.unread("plain SQL (only ASCII outside quotes, no braces, no parameters)")
	}
	l.add(sqlSign, string(c), 1)
	return nil
}

// sqlWordLength returns the length of the name or keyword at the start of text.
func sqlWordLength(text string) int {
	n := 0
	for n < len(text) && (isWord(text[n]) || text[n] == '$') {
		n++
	}
	return n
}

// word reads a name or keyword.
func (l *sqlLexer) word() error {
	rest := l.text[l.pos:]
	n := sqlWordLength(rest)
	starts := len(l.tokens) == 0 || l.tokens[len(l.tokens)-1].sign(";")
	l.add(sqlWord, strings.ToLower(rest[:n]), n)
	if l.dialect != MySQL || !starts || !mysqlCommand(l.tokens[len(l.tokens)-1]) {
		return nil
	}
	// The client reads such a line as a whole, without quotes and comments.
	line, _, _ := strings.Cut(l.text[l.pos:], "\n")
	if !strings.Contains(line, ";") && strings.Trim(strings.ToLower(line), "abcdefghijklmnopqrstuvwxyz0123456789_-$ \t") != "" {
		return l.unread("one plain name or nothing, and a semicolon")
	}
	return nil
}

// number reads a number. A number with a suffix that some servers split off as a keyword (LIMIT 1into) is refused.
func (l *sqlLexer) number() error {
	rest := l.text[l.pos:]
	span := func(from int, set string) int { return len(rest) - len(strings.TrimLeft(rest[from:], set)) }
	n := span(0, "0123456789_")
	if strings.HasPrefix(rest, "0x") {
		n = span(2, "0123456789abcdefABCDEF")
	} else {
		if n < len(rest) && rest[n] == '.' {
			n = span(n+1, "0123456789")
		}
		if n < len(rest) && (rest[n] == 'e' || rest[n] == 'E') {
			sign := min(n+1, len(rest))
			if sign < len(rest) && (rest[sign] == '+' || rest[sign] == '-') {
				sign++
			}
			if end := span(sign, "0123456789"); end > sign {
				n = end
			}
		}
	}
	if n < len(rest) && (isWord(rest[n]) || rest[n] == '$' || rest[n] >= 0x80) {
		return l.unread("a blank after the number, or quotes around the name")
	}
	l.add(sqlNumber, rest[:n], n)
	return nil
}

// colon reads a colon as psql does. A variable is accepted only where it becomes a quoted string.
func (l *sqlLexer) colon() error {
	rest := l.text[l.pos+1:]
	switch {
	case strings.HasPrefix(rest, ":"), strings.HasPrefix(rest, "="):
		l.add(sqlSign, ":"+rest[:1], 2)
		return nil
	case strings.HasPrefix(rest, "'"):
		name, _, closed := strings.Cut(rest[1:], "'")
		if closed && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == "" {
			l.add(sqlValue, name, len(name)+3)
			return nil
		}
	case rest != "" && (rest[0] == '{' || rest[0] == '"' || rest[0] >= 0x80 || isWord(rest[0]) && !isDigit(rest[0])):
		return l.unread("no psql variable (write its value in its place)")
	}
	l.add(sqlSign, ":", 1)
	return nil
}

// clientCommand reads a command of the client, which is not sent to the server.
func (l *sqlLexer) clientCommand() error {
	line, _, _ := strings.Cut(l.text[l.pos:], "\n")
	switch {
	case l.dialect == PostgreSQL && strings.HasPrefix(line, `\;`):
		l.add(sqlSign, ";", 2)
		return nil
	case l.dialect == PostgreSQL:
		runs, err := psqlCommands(line)
		if err != nil {
			return err
		}
		if runs {
			l.add(sqlSign, ";", 0)
		}
		l.skip(len(line))
		return nil
	case l.dialect == MySQL:
		return l.mysqlEscape()
	case line[0] == '\\':
		return l.unread("no backslash outside quotes")
	case len(l.tokens) > 0 && !l.tokens[len(l.tokens)-1].sign(";"):
		return refuse(fmt.Sprintf("sqlite3: %s is in the middle of a statement; end that with a semicolon first", excerpt(line, 0)))
	}
	l.skip(len(line))
	return sqliteCommand(line)
}

// mysqlEscape reads a one-letter command after a backslash.
func (l *sqlLexer) mysqlEscape() error {
	letter := l.text[l.pos+1 : min(l.pos+2, len(l.text))]
	switch letter {
	case "g", "G":
		l.add(sqlSign, ";", 2)
	case "N": // NULL
		l.add(sqlValue, "", 2)
	case "s", "q", "p", "w", "W": // status, quit, print, warnings on and off
		l.begun = true
		l.skip(2)
	case "!", ".", "T", "P", "e", "r", "R", "u":
		return forbid(`mysql: \` + letter + ` runs programs, reads or writes files or connects elsewhere; only send SQL (SELECT, SHOW, EXPLAIN), ended by ; or \G`)
	default:
		return refuse(`mysql: the command \` + letter + ` is not granted; end statements with ; or \G`)
	}
	return nil
}

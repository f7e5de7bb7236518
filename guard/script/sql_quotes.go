package script

import (
	"fmt"
	"strings"
)

// quoted reads a string or quoted name. The opening quote is prefix bytes ahead.
//
// Whether a backslash before a quote ends the string depends on the server's settings, and the mysql client reads a backslash in a name
// as an escape where the server does not. Both are refused.
func (l *sqlLexer) quoted(prefix int) error {
	rest := l.text[l.pos:]
	quote := rest[prefix]
	closing := quote
	if quote == '[' {
		closing = ']'
	}
	backslashes := l.dialect == MySQL || l.dialect == PostgreSQL && quote == '\''
	escapes := prefix > 0
	for i := prefix + 1; i < len(rest); i++ {
		switch {
		case rest[i] == '\\' && backslashes:
			escapes = true
			if quote == '`' || strings.HasPrefix(rest[i+1:], string(closing)) {
				return l.unread(fmt.Sprintf("no backslash there (write %c%c for a %c within quotes)", quote, quote, quote))
			}
			if strings.HasPrefix(rest[i+1:], `\`) {
				i++
			}
		case rest[i] != closing:
		case closing != ']' && strings.HasPrefix(rest[i+1:], string(closing)):
			i++
		default:
			return l.addQuoted(prefix, i+1, quote, escapes)
		}
	}
	return l.unread(fmt.Sprintf("a closing %c", closing))
}

// addQuoted consumes n bytes, which end with the closing quote.
func (l *sqlLexer) addQuoted(prefix, n int, quote byte, escapes bool) error {
	whole := l.text[l.pos : l.pos+n]
	if err := l.lines(whole); err != nil {
		return err
	}
	kind := sqlString
	switch {
	case quote == '`' || quote == '[' || quote == '"' && l.dialect != MySQL:
		kind = sqlName
	case escapes:
		kind = sqlValue
	}
	q := string(quote)
	l.add(kind, strings.ReplaceAll(whole[prefix+1:n-1], q+q, q), n)
	l.tokens[len(l.tokens)-1].quote = quote
	return nil
}

// dollar reads a parameter ($1) or a dollar-quoted string.
func (l *sqlLexer) dollar() error {
	rest := l.text[l.pos:]
	n := 1
	for n < len(rest) && isWord(rest[n]) {
		n++
	}
	switch {
	case n > 1 && isDigit(rest[1]) && strings.Trim(rest[1:n], "0123456789") == "":
		l.add(sqlValue, "", n)
		return nil
	case n == len(rest) || rest[n] != '$' || n > 1 && isDigit(rest[1]):
		return l.unread("$1 or $$…$$")
	}
	tag := rest[:n+1]
	body, _, closed := strings.Cut(rest[len(tag):], tag)
	if !closed {
		return l.unread("a closing " + tag)
	}
	l.add(sqlString, body, len(body)+2*len(tag))
	return nil
}

// comment reads a comment to its end.
func (l *sqlLexer) comment() error {
	rest := l.text[l.pos:]
	if rest[0] == '-' && l.dialect == MySQL && len(rest) > 2 && !strings.ContainsRune(" \t\n", rune(rest[2])) {
		return l.unread("a blank after -- (for a comment) or between the two signs")
	}
	if rest[0] != '/' {
		line, _, _ := strings.Cut(rest, "\n")
		l.skip(len(line))
		return nil
	}
	n := strings.Index(rest[2:], "*/") + 4
	if l.dialect == PostgreSQL {
		n = nestedComment(rest)
	}
	if n < 4 {
		return l.unread("a comment with its end")
	}
	if err := l.lines(rest[:n]); err != nil {
		return err
	}
	if l.dialect == MySQL {
		if err := l.mysqlComment(rest[2 : n-2]); err != nil {
			return err
		}
	}
	l.skip(n)
	return nil
}

// mysqlComment judges the content of a comment. MySQL runs some comments and takes others as hints, and its client parses nested comments
// differently.
func (l *sqlLexer) mysqlComment(text string) error {
	switch hint, isHint := strings.CutPrefix(text, "+"); {
	case strings.HasPrefix(text, "!"), strings.HasPrefix(text, "M!"):
		return l.unread("no /*! … */ (the server runs what is in it: write that as a statement of its own)")
	case strings.Contains(text+"*", "/*"):
		return l.unread("no comment within a comment")
	case isHint && (strings.Contains(strings.ToUpper(hint), "SET_VAR") ||
		strings.Trim(strings.ToLower(hint), "abcdefghijklmnopqrstuvwxyz_0123456789 ,()@.\n\t") != ""):
		return l.unread("a plain optimizer hint such as /*+ MAX_EXECUTION_TIME(1000) */")
	}
	return nil
}

// nestedComment returns the length of the comment at the start of text; 0 if it does not end.
func nestedComment(text string) int {
	depth := 0
	for i := 0; i < len(text)-1; i++ {
		switch text[i : i+2] {
		case "/*":
			depth++
			i++
		case "*/":
			depth--
			i++
		}
		if depth == 0 {
			return i + 1
		}
	}
	return 0
}

// lines refuses multi-line quotes and comments with a line that sqlite3 could read as a command.
func (l *sqlLexer) lines(text string) error {
	for i, line := range strings.Split(text, "\n") {
		if l.dialect == SQLite && i > 0 && strings.HasPrefix(strings.TrimLeft(line, " \t"), ".") {
			return l.unread("no line that begins with a dot")
		}
	}
	return nil
}

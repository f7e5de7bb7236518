package script

import "strings"

type awkKind int

const (
	awkName     awkKind = iota // names and keywords
	awkNumber                  //
	awkString                  // text without the quotes, escapes as written
	awkRegexp                  // text without the slashes
	awkOperator                // operators and brackets, and ";"
	awkNewline                 // the end of one or more lines; text "\n"
)

// awkToken is one token of an awk program. Blanks, comments and continued lines are none.
type awkToken struct {
	kind    awkKind
	text    string
	pos     int  // where it begins in the program
	control bool // it is the ) that ends the head of an if, while, for or switch
}

// is tells whether the token is one of these operators or keywords.
func (t awkToken) is(texts ...string) bool {
	if t.kind != awkName && t.kind != awkOperator && t.kind != awkNewline {
		return false
	}
	for _, text := range texts {
		if t.text == text {
			return true
		}
	}
	return false
}

// endsOperand tells whether an operand may end with the token.
func (t awkToken) endsOperand() bool {
	switch t.kind {
	case awkNumber, awkString, awkRegexp:
		return true
	case awkName:
		return !awkKeyword(t.text) || t.text == "getline"
	}
	return t.is(")", "]", "++", "--")
}

// awkLexer cuts a program into tokens. Whether a slash divides or begins a regular expression is known from the token
// before it; where implementations differ, the text is refused.
type awkLexer struct {
	text   string
	pos    int
	tokens []awkToken
	heads  []bool // for each open parenthesis: it is the head of a control statement
}

func awkTokens(program string) ([]awkToken, error) {
	l := awkLexer{text: program}
	for l.pos < len(l.text) {
		if err := l.token(); err != nil {
			return nil, err
		}
	}
	return l.tokens, nil
}

func (l *awkLexer) token() error {
	switch c := l.text[l.pos]; {
	case c == ' ' || c == '\t':
		l.pos++
	case c == '\n' && l.last().kind == awkNewline:
		l.pos++
	case c == '\n':
		l.add(awkNewline, l.pos+1)
	case c == '\\':
		if !strings.HasPrefix(l.text[l.pos:], "\\\n") {
			return l.unread("a new line after the backslash")
		}
		l.pos += 2
	case c == '#':
		return l.comment()
	case c == '"':
		return l.quoted()
	case isDigit(c) || c == '.':
		return l.number()
	case isWord(c):
		return l.name()
	case c == '/':
		return l.slash()
	default:
		return l.operator()
	}
	return nil
}

// add appends the token that ends at end.
func (l *awkLexer) add(kind awkKind, end int) {
	l.tokens = append(l.tokens, awkToken{kind: kind, text: l.text[l.pos:end], pos: l.pos})
	l.pos = end
}

func (l *awkLexer) unread(expected string) error { return unread("awk", l.text, l.pos, expected) }

// last is the token before, a newline at the beginning.
func (l *awkLexer) last() awkToken {
	if len(l.tokens) == 0 {
		return awkToken{kind: awkNewline, text: "\n"}
	}
	return l.tokens[len(l.tokens)-1]
}

func (l *awkLexer) comment() error {
	comment, _, _ := strings.Cut(l.text[l.pos:], "\n")
	if strings.HasSuffix(comment, `\`) {
		return refuse("awk: a comment ends in a backslash; leave the backslash out")
	}
	l.pos += len(comment)
	return nil
}

func (l *awkLexer) quoted() error {
	for i := l.pos + 1; i < len(l.text); i++ {
		switch l.text[i] {
		case '"':
			l.pos++
			l.add(awkString, i)
			l.pos++
			return nil
		case '\\':
			i++
			if i < len(l.text) && l.text[i] == '\n' {
				return l.unread("a string on one line")
			}
		case '\n':
			return l.unread("a string on one line")
		}
	}
	return l.unread("a string with its closing quote")
}

func (l *awkLexer) number() error {
	rest := l.text[l.pos:]
	digits := func(i int) int { return len(rest) - len(strings.TrimLeft(rest[i:], "0123456789")) }
	end := digits(0)
	if strings.HasPrefix(rest[end:], ".") {
		end = digits(end + 1)
	}
	if end == 1 && rest[0] == '.' {
		return l.unread("a number")
	}
	if exponent := strings.TrimLeft(rest[end:], "eE"); len(exponent) == len(rest[end:])-1 {
		sign := end + 1
		if strings.IndexAny(rest[sign:], "+-") == 0 {
			sign++
		}
		if after := digits(sign); after > sign {
			end = after
		}
	}
	if end < len(rest) && isWord(rest[end]) {
		return l.unread("a blank or an operator after the number")
	}
	l.add(awkNumber, l.pos+end)
	return nil
}

func (l *awkLexer) name() error {
	end := l.pos
	for end < len(l.text) && isWord(l.text[end]) {
		end++
	}
	if strings.HasPrefix(l.text[end:], "::") {
		return l.unread("a name without a namespace")
	}
	l.add(awkName, end)
	return nil
}

func (l *awkLexer) operator() error {
	const operators = "**= ** ++ -- += -= *= %= ^= == <= >= != !~ && || >> " +
		"{ } ( ) [ ] ; , + - * % ^ ! < > ? : = $ ~ |& |"
	for operator := range strings.FieldsSeq(operators) {
		if !strings.HasPrefix(l.text[l.pos:], operator) {
			continue
		}
		head := l.last().is("if", "while", "for", "switch")
		l.add(awkOperator, l.pos+len(operator))
		switch {
		case operator == "(":
			l.heads = append(l.heads, head)
		case operator == ")" && len(l.heads) > 0:
			l.tokens[len(l.tokens)-1].control = l.heads[len(l.heads)-1]
			l.heads = l.heads[:len(l.heads)-1]
		}
		return nil
	}
	return l.unread("an awk operator")
}

// slash reads a division, or a regular expression with its slashes.
func (l *awkLexer) slash() error {
	before := l.last()
	switch {
	case before.kind == awkRegexp || before.control || before.is("++", "--", "$", "in", "getline"):
		return l.unread("no slash there, which some awk take for a division and some for a pattern (use parentheses)")
	case before.kind == awkName && (awkBuiltin(before.text) || awkKeyword(before.text)) &&
		!before.is("print", "printf", "return", "exit", "else", "do", "case"):
		return l.unread("no slash after " + before.text + " (use parentheses)")
	case before.kind == awkName && !awkKeyword(before.text), before.kind != awkName && before.endsOperand():
		end := l.pos + 1
		if strings.HasPrefix(l.text[end:], "=") {
			end++
		}
		l.add(awkOperator, end)
		return nil
	}
	length := awkRegexpLength(l.text[l.pos+1:])
	if length < 0 {
		return l.unread("a pattern that every awk ends at the same slash (write a slash in it as \\/)")
	}
	l.pos++
	l.add(awkRegexp, l.pos+length)
	l.pos++
	return nil
}

// awkKeyword tells whether name has a meaning in the grammar of some awk.
func awkKeyword(name string) bool {
	switch name {
	case "BEGIN", "END", "BEGINFILE", "ENDFILE", "break", "case", "continue", "default", "delete", "do", "else", "exit",
		"for", "func", "function", "getline", "if", "in", "next", "nextfile", "print", "printf", "return", "switch", "while":
		return true
	}
	return false
}

// awkBuiltin tells whether name is a built-in function that only computes, or closes or flushes what is open.
func awkBuiltin(name string) bool {
	switch name {
	case "and", "asort", "asorti", "atan2", "close", "compl", "cos", "exp", "fflush", "gensub", "gsub", "index", "int",
		"isarray", "length", "log", "lshift", "match", "mkbool", "mktime", "or", "patsplit", "rand", "rshift", "sin",
		"split", "sprintf", "sqrt", "srand", "strftime", "strtonum", "sub", "substr", "systime", "tolower", "toupper",
		"typeof", "xor":
		return true
	}
	return false
}

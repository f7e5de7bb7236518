package script

import "strings"

type jqKind int

const (
	jqWord     jqKind = iota // names and keywords
	jqField                  // .name, text without the dot
	jqNumber                 //
	jqString                 // text as written, without the quotes; inner holds its \( … )
	jqFormat                 // @name, text without the @
	jqOperator               // operators and brackets, $ and .
)

// jqToken is one token of a jq filter. Blanks and comments are none.
type jqToken struct {
	kind  jqKind
	text  string
	pos   int
	inner [][]jqToken
}

func (t jqToken) is(texts ...string) bool {
	if t.kind != jqOperator && t.kind != jqWord {
		return false
	}
	for _, text := range texts {
		if t.text == text {
			return true
		}
	}
	return false
}

// jqLexer cuts a filter into tokens.
type jqLexer struct {
	text  string
	pos   int
	depth int // of strings within strings
}

func jqTokens(filter string) ([]jqToken, error) {
	l := jqLexer{text: filter}
	tokens, err := l.tokens(false)
	if err == nil && l.pos < len(l.text) {
		err = l.unread("no ) there")
	}
	return tokens, err
}

func (l *jqLexer) unread(expected string) error { return unread("jq", l.text, l.pos, expected) }

// tokens reads up to the end of the text, or within a string up to the parenthesis that ends the interpolation.
func (l *jqLexer) tokens(within bool) (tokens []jqToken, err error) {
	open := 0
	for l.pos < len(l.text) {
		switch c := l.text[l.pos]; {
		case c == ' ' || c == '\t' || c == '\n':
			l.pos++
		case c == '#':
			comment, _, _ := strings.Cut(l.text[l.pos:], "\n")
			if strings.HasSuffix(comment, `\`) {
				return nil, refuse("jq: a comment ends in a backslash; leave the backslash out")
			}
			l.pos += len(comment)
		case c == ')' && open == 0:
			return tokens, nil
		default:
			t, err := l.token()
			if err != nil {
				return nil, err
			}
			if t.is("(") {
				open++
			} else if t.is(")") {
				open--
			}
			tokens = append(tokens, t)
		}
	}
	if within {
		return nil, l.unread("a ) that ends the \\( in a string")
	}
	return tokens, nil
}

func (l *jqLexer) token() (jqToken, error) {
	rest, c := l.text[l.pos:], l.text[l.pos]
	switch following := rest[1:]; {
	case c == '"':
		return l.quoted()
	case isDigit(c) || c == '.' && following != "" && isDigit(following[0]):
		return l.take(jqNumber, 0, jqNumberLength(rest)), nil
	case c == '.' && following != "" && isWord(following[0]):
		return l.take(jqField, 1, wordLength(following)), nil
	case c == '@' && wordLength(following) > 0:
		return l.take(jqFormat, 1, wordLength(following)), nil
	case isWord(c):
		length := wordLength(rest)
		if strings.HasPrefix(rest[length:], "::") {
			return jqToken{}, l.unread("a name without a module")
		}
		return l.take(jqWord, 0, length), nil
	}
	const operators = "?// //= |= += -= *= /= %= == != <= >= // .. . [ ] ( ) { } | , : ; = < > + - * / % $ ?"
	for operator := range strings.FieldsSeq(operators) {
		if strings.HasPrefix(rest, operator) {
			return l.take(jqOperator, 0, len(operator)), nil
		}
	}
	return jqToken{}, l.unread("a jq operator")
}

// take is the token of the given length after skipped bytes.
func (l *jqLexer) take(kind jqKind, skipped, length int) jqToken {
	t := jqToken{kind: kind, text: l.text[l.pos+skipped : l.pos+skipped+length], pos: l.pos}
	l.pos += skipped + length
	return t
}

func (l *jqLexer) quoted() (jqToken, error) {
	const maxDepth = 20
	if l.depth++; l.depth > maxDepth {
		return jqToken{}, l.unread("fewer strings within strings")
	}
	defer func() { l.depth-- }()
	t := jqToken{kind: jqString, pos: l.pos}
	for l.pos++; l.pos < len(l.text); l.pos++ {
		switch {
		case l.text[l.pos] == '"':
			t.text = l.text[t.pos+1 : l.pos]
			l.pos++
			return t, nil
		case strings.HasPrefix(l.text[l.pos:], `\(`):
			l.pos += 2
			inner, err := l.tokens(true)
			if err != nil {
				return jqToken{}, err
			}
			t.inner = append(t.inner, inner)
		case l.text[l.pos] == '\\':
			l.pos++
		}
	}
	return jqToken{}, unread("jq", l.text, t.pos, "a string with its closing quote")
}

func wordLength(text string) int {
	length := 0
	for length < len(text) && isWord(text[length]) {
		length++
	}
	return length
}

// jqNumberLength is the length of the number that text begins with.
func jqNumberLength(text string) int {
	digits := func(from int) int { return len(text) - len(strings.TrimLeft(text[from:], "0123456789")) }
	length := digits(0)
	if strings.HasPrefix(text[length:], ".") {
		length = digits(length + 1)
	}
	if strings.IndexAny(text[length:], "eE") == 0 {
		sign := length + 1
		if strings.IndexAny(text[sign:], "+-") == 0 {
			sign++
		}
		if end := digits(sign); end > sign {
			return end
		}
	}
	return length
}

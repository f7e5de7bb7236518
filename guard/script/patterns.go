package script

import "strings"

// Where a regular expression ends is read in several ways: some programs look for the delimiter only outside of […], and what
// such a bracket holds depends on the program too.

// sedReading is one way in which a sed looks for a closing delimiter.
type sedReading int

const (
	sedPlain    sedReading = iota // the first one without a backslash
	sedBrackets                   // not inside […], which ends at the first ] (BusyBox)
	sedClasses                    // not inside […], which may hold [:name:] (GNU)
)

// sedEnd is where delimiter ends text, -1 where it does not. A newline needs a backslash, outside of brackets.
func sedEnd(text string, delimiter byte, reading sedReading) int {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == delimiter:
			return i
		case c == '\n':
			return -1
		case c == '\\':
			i++
		case c == '[' && reading != sedPlain:
			length := bracketLength(text[i:], reading == sedClasses, false)
			if length < 0 || strings.Contains(text[i:i+length], "\n") {
				return -1
			}
			i += length - 1
		}
	}
	return -1
}

// bracketLength is the length of the bracket expression that text begins with, -1 where it does not end. With classes it
// may hold [:name:], [.x.] and [=x=]; with escapes a backslash takes the next character's meaning.
func bracketLength(text string, classes, escapes bool) int {
	i := 1
	if strings.HasPrefix(text[i:], "^") {
		i++
	}
	for first := i; i < len(text); i++ {
		switch {
		case text[i] == ']' && i > first:
			return i + 1
		case text[i] == '\\' && escapes:
			i++
		case text[i] == '[' && classes && i+1 < len(text) && strings.IndexByte(":.=", text[i+1]) >= 0:
			end := strings.Index(text[i+2:], text[i+1:i+2]+"]")
			if end < 0 || strings.ContainsAny(text[i+2:i+2+end], ":.=[]\\") {
				return -1
			}
			i += end + 3
		}
	}
	return -1
}

// awkRegexpLength is the length of the regular expression that text begins with, up to its closing slash; -1 where there
// is none, or where implementations disagree about it: some end it at the first slash without a backslash, some
// not inside […], and what a bracket holds is read in several ways.
func awkRegexpLength(text string) int {
	const maxSlashes = 20 // inside of brackets; each costs a look at all before it
	slashes := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n':
			return -1
		case '\\':
			i++
			if i < len(text) && text[i] == '\n' {
				return -1
			}
		case '/':
			inside := 0
			for _, classes := range []bool{false, true} {
				for _, escapes := range []bool{false, true} {
					if insideBrackets(text[:i], classes, escapes) {
						inside++
					}
				}
			}
			switch {
			case inside == 0:
				return i
			case inside < 4 || slashes == maxSlashes || !plainlyOpen(text[:i]):
				return -1
			}
			slashes++
		}
	}
	return -1
}

// insideBrackets tells whether a bracket expression of text is still open at its end.
func insideBrackets(text string, classes, escapes bool) bool {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '[':
			length := bracketLength(text[i:], classes, escapes)
			if length < 0 {
				return true
			}
			i += length - 1
		}
	}
	return false
}

// plainlyOpen tells whether text is no regular expression for anybody because a bracket in it is open, so that an awk
// which ends it here stops with an error before it runs anything. Escapes that could close the bracket are not plain.
func plainlyOpen(text string) bool {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
			if i == len(text) || isWord(text[i]) || text[i] == '\\' || text[i] <= ' ' || text[i] >= 0x7f {
				return false
			}
		case ']':
			return false
		case '[':
			content, _, closed := strings.Cut(strings.TrimPrefix(text[i+1:], "^"), "]")
			if closed && content == "" || strings.ContainsAny(content, `[\`) {
				return false
			}
			if !closed {
				return true
			}
			i = len(text) - len(strings.TrimPrefix(text[i+1:], "^")) + len(content)
		}
	}
	return false
}

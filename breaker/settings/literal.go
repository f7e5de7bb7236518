package settings

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// decode reads a JSON string literal: its text, and for each byte of the text, and its end, where in the literal that stands. What
// is no UTF-8 is left as it is.
func decode(literal []byte) (text string, places []int) {
	b := make([]byte, 0, len(literal))
	for at := 1; at < len(literal)-1; {
		from := len(b)
		n := 1
		if literal[at] == '\\' {
			b, n = appendEscape(b, literal[at:])
		} else {
			b = append(b, literal[at])
		}
		for range b[from:] {
			places = append(places, at)
		}
		at += n
	}
	return string(b), append(places, len(literal)-1)
}

// appendEscape appends what an escape stands for, and says how long that is. A surrogate that has no partner stands for U+FFFD.
func appendEscape(b, escape []byte) ([]byte, int) {
	switch c := escape[1]; c {
	case 'b':
		return append(b, '\b'), 2
	case 'f':
		return append(b, '\f'), 2
	case 'n':
		return append(b, '\n'), 2
	case 'r':
		return append(b, '\r'), 2
	case 't':
		return append(b, '\t'), 2
	case 'u':
		r := codeUnit(escape)
		if pair := utf16.DecodeRune(r, codeUnit(escape[6:])); pair != utf8.RuneError {
			return utf8.AppendRune(b, pair), 12
		}
		return utf8.AppendRune(b, r), 6
	default:
		return append(b, c), 2
	}
}

// codeUnit reads \uXXXX; what begins otherwise is -1.
func codeUnit(escape []byte) rune {
	if len(escape) < 6 || escape[0] != '\\' || escape[1] != 'u' {
		return -1
	}
	unit, err := strconv.ParseUint(string(escape[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(unit)
}

// appendText appends a text as it stands in a JSON string literal.
func appendText(literal []byte, text string) []byte {
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			literal = append(literal, '\\', c)
		case c < ' ':
			literal = append(literal, `\u00`...)
			literal = append(literal, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default:
			literal = append(literal, c)
		}
	}
	return literal
}

// literalOf is a text as JSON string.
func literalOf(text string) []byte {
	return append(appendText([]byte{'"'}, text), '"')
}

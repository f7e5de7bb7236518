// Package script reads the program text that commands take inside an argument (SQL, Redis commands, Go templates) and says what that
// text does beyond reading and printing.
//
// Its functions are pure. What they cannot read in full is a [Refusal]: a construct that the real program would run and
// that a reader here does not know is never taken for harmless. Where a client and its server, or their versions, disagree
// about a text, it is granted only if it is harmless for all of them.
package script

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Refusal says why text is not granted.
type Refusal struct {
	Forbidden bool   // it does what no tier may ever do (drops, deletes, shows secrets); otherwise unknown or unreadable
	Reason    string // what is wrong and what to do instead
}

func (r *Refusal) Error() string { return r.Reason }

// refuse is text that is not granted, but not on the never-allowed list either.
func refuse(reason string) error { return &Refusal{Reason: reason} }

// forbid is text that no tier may ever run.
func forbid(reason string) error { return &Refusal{Forbidden: true, Reason: reason} }

// maxText is the longest program text that is read, in bytes.
const maxText = 64 << 10

// checkText refuses what the readers of language cannot take as text: too long, not UTF-8, or with characters that end a
// line for one implementation and not for another.
func checkText(language, text string) error {
	switch {
	case len(text) > maxText:
		return refuse(fmt.Sprintf("%s: longer than %d KiB; use a shorter program", language, maxText>>10))
	case !utf8.ValidString(text):
		return refuse(language + ": not valid UTF-8; write such bytes as escapes")
	case strings.ContainsAny(text, "\x00\v\f\r"):
		return refuse(language + `: it holds a control character (carriage return, form feed, …); write it as an escape such as \r`)
	}
	return nil
}

// unread refuses the text from pos on: it is not what was expected there.
func unread(language, text string, pos int, expected string) error {
	return refuse(fmt.Sprintf("%s: cannot read %s: expected %s; write it more plainly", language, excerpt(text, pos), expected))
}

// excerpt quotes the text from pos on, shortened.
func excerpt(text string, pos int) string {
	const longest = 24
	rest := text[min(pos, len(text)):]
	if rest == "" {
		return "the end of the text"
	}
	if len(rest) <= longest {
		return fmt.Sprintf("%q", rest)
	}
	cut := longest
	for !utf8.RuneStart(rest[cut]) {
		cut--
	}
	return fmt.Sprintf("%q…", rest[:cut])
}

// isWord reports whether c belongs to a name or number.
func isWord(c byte) bool {
	return isDigit(c) || c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// plainWord reports whether a text is letters, digits and underscores alone.
func plainWord(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf || !isWord(byte(r)) }) < 0
}

// Package script parses the program text that commands take as an argument (SQL, Redis commands, Go templates), and decides whether it
// does more than read and print.
//
// Its functions are pure. Text that they cannot parse completely is a [Refusal]: no unknown construct is assumed to be harmless. If a
// client and its server, or their versions, interpret a text differently, it is granted only if all interpretations are harmless.
package script

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Refusal is the reason why text is not granted.
type Refusal struct {
	Forbidden bool   // it does what no tier may ever do (drops, deletes, shows secrets); otherwise unknown or unreadable
	Reason    string // what is wrong and what to do instead
}

func (r *Refusal) Error() string { return r.Reason }

// refuse returns the refusal of text that is not granted, but is not on the never-allowed list.
func refuse(reason string) error { return &Refusal{Reason: reason} }

// forbid returns the refusal of text that no tier may run.
func forbid(reason string) error { return &Refusal{Forbidden: true, Reason: reason} }

// maxText is the longest program text that is parsed, in bytes.
const maxText = 64 << 10

// checkText refuses text that cannot be parsed reliably: too long, not UTF-8, or with characters that end a line in some implementations
// only.
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

// unread refuses a text because of what begins at pos.
func unread(language, text string, pos int, expected string) error {
	return refuse(fmt.Sprintf("%s: cannot read %s: expected %s; write it more plainly", language, excerpt(text, pos), expected))
}

// excerpt quotes the start of the text at pos.
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

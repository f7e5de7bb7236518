package text

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Steers reports whether a character can control a terminal, reorder a line or hide in it: control and format characters, less the one
// that joins the parts of an emoji, and line separators.
func Steers(r rune) bool {
	return r < 0x20 || r >= 0x7f && r != 0x200d && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

func hidden(r rune) bool { return r != '\n' && r != '\t' && Steers(r) }

func visible(r rune) rune {
	if hidden(r) {
		return utf8.RuneError
	}
	return r
}

// Printable replaces each character that can control a terminal, and each invalid UTF-8 byte, by U+FFFD. Tabs and newlines stay.
// Everything that models, containers and services wrote goes through it before people see it, on a terminal or a page.
func Printable(s string) string { return strings.Map(visible, s) }

// PrintableBytes is Printable for bytes. It returns b itself if there is nothing to replace.
func PrintableBytes(b []byte) []byte {
	if utf8.Valid(b) && !bytes.ContainsFunc(b, hidden) {
		return b
	}
	return bytes.Map(visible, b)
}

// PrintableJSON escapes the characters in a JSON document that can control a terminal. Its meaning does not change, because outside
// strings the only such characters are white space.
func PrintableJSON(document string) string {
	if !strings.ContainsFunc(document, func(r rune) bool { return r >= ' ' && Steers(r) }) {
		return document
	}
	var b strings.Builder
	for _, r := range document {
		if r >= ' ' && Steers(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// escapeSequence matches the control sequences of ECMA-48: CSI with its parameters, strings such as a window's title, and short ones. Of
// an unterminated sequence only the start matches, so that it cannot hide what follows.
var escapeSequence = regexp.MustCompile(`(?:\x1b\[|\x{9b})(?:[0-?]*[ -/]*[@-~])?|\x1b[\]PX^_](?:[^\x07\x1b\n]*(?:\x07|\x1b\\))?|\x1b[ -/]*[0-~]?`)

// Clean removes terminal escape sequences, control characters, and marks of the writing direction. Newlines stay; a tab or a line
// separator becomes a space, and an invalid UTF-8 byte U+FFFD.
func Clean(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if strings.ContainsAny(s, "\x1b\u009b") {
		s = escapeSequence.ReplaceAllString(s, "")
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\u2028', r == '\u2029':
			return ' '
		case hidden(r):
			return -1
		}
		return r
	}, s)
}

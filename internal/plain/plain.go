// Package plain makes foreign text visible: it knows which characters steer a terminal or reorder what stands on a line, and puts another
// in their place. Whatever people read of what models, containers and services wrote goes through it, on a terminal or on a page.
package plain

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Steers is about control characters, line separators and the marks that change the direction of writing.
func Steers(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0, r == 0x61c, r == 0x200e, r == 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

// hidden is about what must not stand in a text of several lines.
func hidden(r rune) bool { return r != '\n' && r != '\t' && Steers(r) }

// Text puts U+FFFD in the place of each character that steers, and of each byte that is no UTF-8. Tabs and newlines stay.
func Text(text string) string {
	return strings.Map(visible, text)
}

// Bytes does for bytes what Text does: text itself, unchanged and without an allocation, where there is nothing to do.
func Bytes(text []byte) []byte {
	if !anyHidden(text) {
		return text
	}
	return bytes.Map(visible, text)
}

func visible(r rune) rune {
	if hidden(r) {
		return utf8.RuneError
	}
	return r
}

// anyHidden passes over ASCII a byte at a time, which most of a page is.
func anyHidden(text []byte) bool {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c < 0x20 && c != '\n' && c != '\t' || c == 0x7f {
				return true
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 || hidden(r) {
			return true
		}
		i += size
	}
	return false
}

// JSON does for a document of JSON what Text does for text, and loses nothing: outside of strings JSON has no such character but white
// space, and within them they are written as escapes.
func JSON(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= ' ' && Steers(r) }) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if r >= ' ' && Steers(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

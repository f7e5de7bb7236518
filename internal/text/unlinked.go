package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// harmless replaces what starts a link, and the quotation marks that messages put around an agent's words.
var harmless = strings.NewReplacer("://", "[:]//", `:\/`, `[:]\/`, "“", `"`, "”", `"`)

// Unlinked returns foreign words so that no service makes a link of them, and that they do not end their quotation: next to a question, a
// link is what people tap. What steers a terminal goes first: a message loses it later, and what it separates here would be joined there.
func Unlinked(s string) string {
	s = harmless.Replace(Clean(s))
	var b strings.Builder
	dots, end := 0, 0 // of the numbers that r is among: each text is read once, however long it is
	for at, r := range s {
		if at >= end && number(r) {
			numbers := s[at : len(s)-len(strings.TrimLeftFunc(s[at:], number))]
			dots, end = strings.Count(numbers, "."), at+len(numbers)
		}
		if strings.ContainsRune(allDots, r) && joins(s[:at], r, s[at+utf8.RuneLen(r):], dots) {
			b.WriteString("[" + string(r) + "]")
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// allDots has the dots of other scripts, too, which browsers read as the first.
const allDots = ".\u3002\uff0e\uff61\u2024"

// joins reports whether a dot may join the labels of a host's name, or the numbers of an address. dots counts those of the numbers around
// it. Markup next to it counts for nothing, because it may be taken away.
func joins(before string, r rune, after string, dots int) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, `)"'`))
	switch {
	case r == '.' && last == '[' && next == ']': // this function's own
		return false
	case r == '.' && digit(last) && digit(next): // four numbers are an address, fewer a version or an amount
		return dots > 2
	case r == '.':
		return before != "" && !unicode.IsSpace(last) && last != '/' && next != utf8.RuneError && !unicode.IsSpace(next) && next != '.'
	}
	return digit(next) || next < utf8.RuneSelf && unicode.IsLetter(next)
}

func number(r rune) bool { return digit(r) || r == '.' }

func digit(r rune) bool { return r >= '0' && r <= '9' }

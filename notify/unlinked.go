package notify

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/claudeops/claudeops/internal/text"
)

// harmless replaces what starts a link, and the quotation marks that messages put around an agent's words.
var harmless = strings.NewReplacer("://", "[:]//", `:\/`, `[:]\/`, "“", `"`, "”", `"`)

// Unlinked returns foreign words so that no service makes a link of them, and that they do not end their quotation: next to a question, a
// link is what people tap. What steers a terminal goes first: a message loses it later, and what it separates here would be joined there.
func Unlinked(s string) string {
	s = harmless.Replace(text.Clean(s))
	var b strings.Builder
	for at, r := range s {
		if joins(s[:at], r, s[at+utf8.RuneLen(r):]) {
			b.WriteString("[" + string(r) + "]")
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// joins reports whether a rune is a dot that may join the labels of a host's name, or the numbers of an address. Markup next to it counts
// for nothing, because it may be taken away.
func joins(before string, r rune, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, `)"'`))
	switch {
	case r == '.' && digit(last) && digit(next): // four numbers are an address, fewer a version or an amount
		number := func(r rune) bool { return digit(r) || r == '.' }
		start, end := strings.TrimRightFunc(before, number), strings.TrimLeftFunc(after, number)
		return strings.Count(before[len(start):]+after[:len(after)-len(end)], ".") > 1
	case r == '.':
		return before != "" && !unicode.IsSpace(last) && last != '/' && next != utf8.RuneError && !unicode.IsSpace(next) && next != '.'
	case strings.ContainsRune("\u3002\uff0e\uff61\u2024", r): // dots of other scripts, which browsers read as this one
		return digit(next) || next < utf8.RuneSelf && unicode.IsLetter(next)
	}
	return false
}

func digit(r rune) bool { return r >= '0' && r <= '9' }

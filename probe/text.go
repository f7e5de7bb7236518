package probe

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/claudeops/claudeops/internal/text"
)

const (
	// maxError is how long the error of a result is at most, in runes.
	maxError = 300
	// maxForeign is how much of a text is read to make an error of it, in bytes.
	maxForeign = 64 << 10
)

// clean makes a text fit for the error of a result: one line of at most maxError runes that a terminal shows as it is, without secrets.
func clean(foreign string, s secrets) string {
	foreign = excerpts(s.hide(foreign))
	foreign = s.hide(printable(foreign[:min(len(foreign), maxForeign)])) // again, for one that had something unprintable within
	return text.Shorten(foreign, maxError)
}

// The marks around a text of which a result shows the beginning, and what parts its length from it.
const (
	excerptBegins = "\x0e"
	excerptLength = ":"
	excerptEnds   = "\x0f"
)

// Excerpt is a foreign text within the error of a Finding, of which the result shows most runes. Only the result cuts it, once the
// secrets are out of it: half of one would not be known as such.
func Excerpt(text string, most int) string {
	text = strings.NewReplacer(excerptBegins, "", excerptEnds, "").Replace(text)
	if len(text) <= most {
		return text
	}
	return excerptBegins + strconv.Itoa(most) + excerptLength + text + excerptEnds
}

// excerpts cuts what Excerpt has marked.
func excerpts(foreign string) string {
	var b strings.Builder
	for {
		before, marked, found := strings.Cut(foreign, excerptBegins)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		length, rest, _ := strings.Cut(marked, excerptLength)
		whole, after, ended := strings.Cut(rest, excerptEnds)
		most, err := strconv.Atoi(length)
		if err != nil || !ended {
			foreign = marked // somebody else's mark
			continue
		}
		b.WriteString(text.Shorten(whole, most))
		foreign = after
	}
}

// printable takes out of a text what is not shown: the codes that steer terminals, control characters, what is not UTF-8, and all
// white space but single spaces.
func printable(text string) string {
	var b strings.Builder
	space := false
	for text != "" {
		if n := escapeSequence(text); n > 0 {
			text = text[n:]
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		text = text[size:]
		switch {
		case unicode.IsSpace(r):
			space = true
			continue
		case r == utf8.RuneError || !unicode.IsGraphic(r):
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
	}
	return b.String()
}

// escapeSequence is how long the ECMA-48 control sequence is that text begins with; 0 if it begins with none. One that is not ended
// is only its beginning, so that it cannot hide the rest.
func escapeSequence(text string) int {
	var kind byte
	switch {
	case len(text) >= 2 && text[0] == 0x1b:
		kind = text[1]
	case strings.HasPrefix(text, "\u009b"):
		kind = '['
	default:
		return 0
	}
	switch kind {
	case '[': // parameters, then a letter or the like
		for i := 2; i < len(text) && text[i] >= 0x20 && text[i] < 0x7f; i++ {
			if text[i] >= 0x40 {
				return i + 1
			}
		}
	case ']', 'P', 'X', '^', '_': // a string, up to BEL or ESC \
		switch end := 2 + strings.IndexAny(text[2:], "\a\x1b\n"); {
		case end < 2 || text[end] == '\n':
		case text[end] == '\a':
			return end + 1
		case strings.HasPrefix(text[end:], "\x1b\\"):
			return end + 2
		default: // given up for another sequence
			return end
		}
	}
	return 2
}

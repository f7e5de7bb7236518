package notify

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxTitle is how long a title may be, in characters; phones show less.
const MaxTitle = 150

// Cut shortens a text to at most that many characters, the last of which then says so.
func Cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// Plain returns the message without what is no text: control characters, a terminal's colours, and what turns the direction of writing.
func (m Message) Plain() Message {
	m.Title, m.Body = Title(m.Title), strings.Trim(clean(m.Body), "\n")
	return m
}

// Title makes one line of a text, of at most 150 characters.
func Title(text string) string { return bounded(text, MaxTitle) }

// bounded is one line of a text that is clean, of at most so many characters.
func bounded(text string, most int) string {
	text = strings.Join(strings.Fields(clean(text)), " ")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:most-1])) + "…"
}

// clean removes what is no text, and leaves line breaks. A tab becomes a space.
func clean(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for text = strings.ToValidUTF8(text, "�"); text != ""; {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == '\x1b', r == '\u009b':
			text = text[escape(text):]
			continue
		case r == '\t', r == '\u2028', r == '\u2029':
			b.WriteByte(' ')
		case r == '\n', !unicode.IsControl(r) && !unicode.Is(unicode.Bidi_Control, r):
			b.WriteRune(r)
		}
		text = text[size:]
	}
	return b.String()
}

// escape is the length of the escape sequence of a terminal with which a text begins. One that does not end takes its line at most.
func escape(text string) int {
	rest := strings.TrimPrefix(text, "\u009b")
	isControl := len(rest) < len(text)
	if !isControl {
		rest = text[1:]
	}
	if after, found := strings.CutPrefix(rest, "["); found && !isControl {
		rest, isControl = after, true
	}
	if !isControl && rest != "" && strings.IndexByte("]PX^_", rest[0]) >= 0 { // such as the title of a window
		end := strings.IndexAny(rest, "\a\x1b\n")
		switch {
		case end < 0:
			return len(text)
		case rest[end] == '\a':
			end++
		case strings.HasPrefix(rest[end:], "\x1b\\"):
			end += 2
		}
		return len(text) - len(rest) + end
	}
	last := byte('0') // from which on a character ends the sequence
	if isControl {
		last = '@'
	}
	for i := range len(rest) {
		switch c := rest[i]; {
		case c >= last && c <= '~':
			return len(text) - len(rest) + i + 1
		case c < ' ' || c > '~':
			return len(text) - len(rest) + i
		}
	}
	return len(text)
}

// maxLine is how long an error may be, in characters.
const maxLine = 500

// Line is one line of a text, for errors: of bounded length, without control characters.
func Line(text string) string { return bounded(text, maxLine) }

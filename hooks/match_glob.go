package hooks

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// globPart is what stands between two stars of a pattern.
type globPart struct {
	literal  string        // what it begins with that stands for itself
	elements []globElement // all of it, a character each
	plain    bool          // literal is all of it
}

// globElement means one character: one of its ranges, or with not one of none of them.
type globElement struct {
	not    bool
	ranges [][2]rune
}

// globParts takes a pattern apart at its stars.
func globParts(pattern string) []globPart {
	parts := []globPart{{plain: true}}
	for pattern != "" {
		part := &parts[len(parts)-1]
		if pattern[0] == '*' {
			parts = append(parts, globPart{plain: true})
			pattern = pattern[1:]
			continue
		}
		e, size := globClass(pattern)
		if size > 0 {
			part.plain = false
		} else {
			var r rune
			r, size = character(pattern)
			e = globElement{ranges: [][2]rune{{r, r}}}
		}
		if part.plain {
			part.literal += pattern[:size]
		}
		part.elements = append(part.elements, e)
		pattern = pattern[size:]
	}
	return parts
}

// globClass reads the ? or the class that pattern begins with; its length is 0 where there is none, and where nothing closes the
// class. A ] that comes first, and a - that comes first or last, are members.
func globClass(pattern string) (class globElement, length int) {
	switch pattern[0] {
	case '?':
		return globElement{not: true}, 1
	case '[':
	default:
		return globElement{}, 0
	}
	rest := pattern[1:]
	if strings.HasPrefix(rest, "!") || strings.HasPrefix(rest, "^") {
		class.not = true
		rest = rest[1:]
	}
	for first := true; rest != ""; first = false {
		if rest[0] == ']' && !first {
			return class, len(pattern) - len(rest) + 1
		}
		low, size := character(rest)
		rest = rest[size:]
		high := low
		if len(rest) > 1 && rest[0] == '-' && rest[1] != ']' {
			high, size = character(rest[1:])
			rest = rest[1+size:]
		}
		class.ranges = append(class.ranges, [2]rune{low, high})
	}
	return globElement{}, 0
}

func (e globElement) means(r rune) bool {
	for _, in := range e.ranges {
		if in[0] <= r && r <= in[1] {
			return !e.not
		}
	}
	return e.not
}

// character is the first one of a text. A byte that is no UTF-8 is one too, and equal to nothing but itself.
func character(text string) (r rune, size int) {
	if r, size = utf8.DecodeRuneInString(text); r == utf8.RuneError && size == 1 {
		return unicode.MaxRune + 1 + rune(text[0]), 1
	}
	return r, size
}

// CasePattern is a pattern of Matches as a shell's case takes it, for the same commands. (A shell that does not know UTF-8 takes one
// byte for a character.)
func CasePattern(pattern string) string {
	if pattern == "" {
		return "''"
	}
	literal := "*" + shellQuoted(pattern) + "*"
	var glob strings.Builder
	for _, part := range globParts(pattern) {
		glob.WriteByte('*')
		text := ""
		for _, e := range part.elements {
			if r, alone := e.alone(); alone {
				text += spelled(r)
				continue
			}
			class := e.caseClass()
			if class == "" {
				return literal // nothing is its glob
			}
			glob.WriteString(shellQuoted(text) + class)
			text = ""
		}
		glob.WriteString(shellQuoted(text))
	}
	glob.WriteByte('*')
	if !strings.Contains(pattern, "[") || glob.String() == literal {
		return glob.String()
	}
	return literal + " | " + glob.String()
}

// alone is the character that an element means; false where it means several or none.
func (e globElement) alone() (r rune, alone bool) {
	if e.not || len(e.ranges) != 1 {
		return 0, false
	}
	return e.ranges[0][0], e.ranges[0][0] == e.ranges[0][1]
}

// caseClass is an element as a class; empty where no character is meant. Of ASCII the members are listed: what else stands in a
// range is a matter of the shell's language.
func (e globElement) caseClass() string {
	var members, ranges strings.Builder
	for r := rune(1); r < utf8.RuneSelf; r++ {
		if e.means(r) != e.not {
			members.WriteRune(r)
		}
	}
	for _, in := range e.ranges {
		if low := max(in[0], utf8.RuneSelf); low < in[1] {
			ranges.WriteString(spelled(low) + "-" + spelled(in[1]))
		} else if low == in[1] {
			ranges.WriteString(spelled(low))
		}
	}
	class := shellQuoted(members.String()) + ranges.String()
	switch {
	case e.not && class == "":
		return "?"
	case e.not:
		return "[!" + class + "]"
	case class == "":
		return ""
	}
	return "[" + class + "]"
}

// spelled is the text of a character.
func spelled(r rune) string {
	if r > unicode.MaxRune {
		return string([]byte{byte(r - unicode.MaxRune - 1)})
	}
	return string(r)
}

// shellQuoted is a text that stands for itself in a shell; nothing at all where it is empty.
func shellQuoted(text string) string {
	if text == "" {
		return ""
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

package hooks

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Matches reports whether a pattern of the settings matches a hook: the pattern is a substring of the hook's command, as in the examples
// of ANTI-LOOP, or a glob that matches such a substring. In a glob * matches any text including slashes, ? matches one character, and
// [ab], [a-z] and [!x] match one character in, or not in, the class. A [ without a closing bracket and all other characters, including
// backslashes, are literal. Invalid UTF-8 bytes are U+FFFD, as in the state file. The empty pattern matches no hook.
func Matches(pattern, hook string) bool {
	switch {
	case pattern == "":
		return false
	case strings.Contains(hook, pattern): // a command may contain all of these characters
		return true
	case !strings.ContainsAny(pattern, "*?["):
		return false
	}
	var expression strings.Builder
	expression.WriteString("(?s)")
	for _, e := range globOf(pattern) {
		switch {
		case e.star:
			expression.WriteString(".*")
		case len(e.ranges) == 0 && e.not:
			expression.WriteString(".")
		case len(e.ranges) == 0:
			return false // a class that contains no character
		default:
			expression.WriteString("[")
			if e.not {
				expression.WriteString("^")
			}
			for _, in := range e.ranges {
				fmt.Fprintf(&expression, `\x{%x}-\x{%x}`, in[0], in[1])
			}
			expression.WriteString("]")
		}
	}
	return regexp.MustCompile(expression.String()).MatchString(hook)
}

// globElement matches any text (star), or one character that is in its ranges, or in none of them with not.
type globElement struct {
	star, not bool
	ranges    [][2]rune
}

// globOf parses a pattern.
func globOf(pattern string) (elements []globElement) {
	for pattern != "" {
		r, size := utf8.DecodeRuneInString(pattern)
		e := globElement{ranges: [][2]rune{{r, r}}}
		switch r {
		case '*':
			e = globElement{star: true}
		case '?':
			e = globElement{not: true}
		case '[':
			if class, length := globClass(pattern); length > 0 {
				e, size = class, length
			}
		}
		elements = append(elements, e)
		pattern = pattern[size:]
	}
	return elements
}

// globClass parses the class that pattern begins with; its length is 0 if the class is not closed. A leading ], and a leading or trailing
// -, are members. A range in reverse order contains no character.
func globClass(pattern string) (class globElement, length int) {
	rest := pattern[1:]
	if strings.HasPrefix(rest, "!") || strings.HasPrefix(rest, "^") {
		class.not = true
		rest = rest[1:]
	}
	for first := true; rest != ""; first = false {
		if rest[0] == ']' && !first {
			return class, len(pattern) - len(rest) + 1
		}
		low, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
		high := low
		if len(rest) > 1 && rest[0] == '-' && rest[1] != ']' {
			high, size = utf8.DecodeRuneInString(rest[1:])
			rest = rest[1+size:]
		}
		if low <= high {
			class.ranges = append(class.ranges, [2]rune{low, high})
		}
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

// CasePattern converts a pattern of Matches to a pattern for a shell's case that matches the same commands. (A shell without UTF-8
// support reads each byte as a character.)
func CasePattern(pattern string) string {
	if pattern == "" {
		return "''"
	}
	literal := "*" + shellQuoted(pattern) + "*"
	glob, text := "*", ""
	for _, e := range globOf(pattern) {
		if !e.star && !e.not && len(e.ranges) == 1 && e.ranges[0][0] == e.ranges[0][1] {
			text += string(e.ranges[0][0])
			continue
		}
		glob += shellQuoted(text)
		text = ""
		class := e.caseClass()
		if class == "" {
			return literal // the glob matches nothing
		}
		glob += class
	}
	glob += shellQuoted(text) + "*"
	if !strings.Contains(pattern, "[") || glob == literal {
		return glob
	}
	return literal + " | " + glob
}

// caseClass returns an element as a class; empty if it matches no character. ASCII members are listed one by one, because the meaning of
// a range depends on the shell's locale.
func (e globElement) caseClass() string {
	if e.star {
		return "*"
	}
	var members, ranges strings.Builder
	for r := rune(1); r < utf8.RuneSelf; r++ {
		if e.means(r) != e.not {
			members.WriteRune(r)
		}
	}
	for _, in := range e.ranges {
		if low := max(in[0], utf8.RuneSelf); low < in[1] {
			ranges.WriteString(string(low) + "-" + string(in[1]))
		} else if low == in[1] {
			ranges.WriteString(string(low))
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

// shellQuoted quotes a text for a shell; the empty text stays empty.
func shellQuoted(text string) string {
	if text == "" {
		return ""
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

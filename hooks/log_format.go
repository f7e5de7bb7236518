package hooks

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// defaultLogFormat is the document's.
const defaultLogFormat = "%(asctime)s | %(levelname)s | %(hook_cmd)s | %(message)s"

// maxLogWidth bounds the width of a placeholder.
const maxLogWidth = 200

// logPart is a part of a line's format: text as it stands, or the name of what comes in its place.
type logPart struct {
	text, name string
	left       bool // blanks are filled in behind it
	width      int  // at least so many characters
	precision  int  // at most so many characters; -1 for all
}

func placeholders() []string {
	return []string{"%(asctime)s", "%(levelname)s", "%(hook_cmd)s", "%(message)s", "%(process)d"}
}

// parseFormat takes a format of Python's logging apart; ok is false where it is none, or names what we do not have.
func parseFormat(format string) (parts []logPart, ok bool) {
	for format != "" {
		text, rest, found := strings.Cut(format, "%")
		if visible(text) != text {
			return nil, false
		}
		if text != "" {
			parts = append(parts, logPart{text: text})
		}
		if !found {
			return parts, true
		}
		if after, percent := strings.CutPrefix(rest, "%"); percent {
			parts = append(parts, logPart{text: "%"})
			format = after
			continue
		}
		p, rest, ok := parsePlaceholder(rest)
		if !ok {
			return nil, false
		}
		parts = append(parts, p)
		format = rest
	}
	return parts, len(parts) > 0
}

// parsePlaceholder takes what stands behind a %, such as (levelname)-8s, from the beginning of format.
func parsePlaceholder(format string) (p logPart, rest string, ok bool) {
	name, rest, closed := strings.Cut(strings.TrimPrefix(format, "("), ")")
	if !closed || !strings.HasPrefix(format, "(") {
		return p, "", false
	}
	p = logPart{name: name, precision: -1}
	rest, p.left = strings.CutPrefix(rest, "-")
	if p.width, rest, ok = digits(rest); !ok {
		return p, "", false
	}
	if after, dot := strings.CutPrefix(rest, "."); dot {
		if p.precision, rest, ok = digits(after); !ok {
			return p, "", false
		}
	}
	for _, known := range placeholders() {
		head, verb := known[:len(known)-1], known[len(known)-1:]
		after, has := strings.CutPrefix(rest, verb)
		if !has && verb == "d" {
			after, has = strings.CutPrefix(rest, "s") // as in Python, a number may be written as text
		}
		if has && head == "%("+name+")" {
			return p, after, true
		}
	}
	return p, "", false
}

// digits takes a number from the beginning of text, 0 where there is none.
func digits(text string) (n int, rest string, ok bool) {
	rest = strings.TrimLeft(text, "0123456789")
	if number := text[:len(text)-len(rest)]; number != "" {
		var err error
		if n, err = strconv.Atoi(number); err != nil || n > maxLogWidth {
			return 0, "", false
		}
	}
	return n, rest, true
}

// fit gives a text the width of its place.
func (p logPart) fit(text string) string {
	if p.precision >= 0 && utf8.RuneCountInString(text) > p.precision {
		text = string([]rune(text)[:p.precision])
	}
	blanks := strings.Repeat(" ", max(0, p.width-utf8.RuneCountInString(text)))
	if p.left {
		return text + blanks
	}
	return blanks + text
}

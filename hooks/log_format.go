package hooks

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// defaultLogFormat is the document's.
const defaultLogFormat = "%(asctime)s | %(levelname)s | %(hook_cmd)s | %(message)s"

// maxLogWidth bounds the width of a placeholder.
const maxLogWidth = 200

var placeholders = []string{"%(asctime)s", "%(levelname)s", "%(hook_cmd)s", "%(message)s", "%(process)d"}

// placeholder is one of Python's logging: a name, "-" for blanks behind the text, a least width, a most width. Any other % is wrong.
// Zeros before the width mean nothing: Go would fill text up with them.
var placeholder = regexp.MustCompile(`%(?:%|\(([a-z_]+)\)(-?)0*([0-9]*(?:\.[0-9]+)?)([sd])|)`)

// logPart is a part of a line: text, which is written as it is, then the value of that name in Go's form; without a name there is none.
type logPart struct{ text, name, form string }

// parseFormat takes a format of Python's logging apart; ok is false where it is none, or names what we do not have.
func parseFormat(format string) (parts []logPart, ok bool) {
	at := 0
	for _, m := range placeholder.FindAllStringSubmatchIndex(format, -1) {
		part := logPart{text: format[at:m[0]]}
		at = m[1]
		switch format[m[0]:at] {
		case "%%":
			part.text += "%"
		case "%":
			return nil, false
		default:
			part.name, part.form = format[m[2]:m[3]], "%"+format[m[4]:m[5]]+format[m[6]:m[7]]+"s"
			verb := format[m[8]:m[9]]
			known := slices.Contains(placeholders, "%("+part.name+")"+verb) || part.name == "process" // a number may be written as text
			for width := range strings.SplitSeq(format[m[6]:m[7]], ".") {
				n, err := strconv.Atoi("0" + width)
				known = known && err == nil && n <= maxLogWidth
			}
			if !known {
				return nil, false
			}
		}
		parts = append(parts, part)
	}
	if at < len(format) {
		parts = append(parts, logPart{text: format[at:]})
	}
	for _, part := range parts {
		if visible(part.text) != part.text {
			return nil, false
		}
	}
	return parts, len(parts) > 0
}

// logLine is one line of the log in a format.
func logLine(parts []logPart, values map[string]string) string {
	var b strings.Builder
	for _, part := range parts {
		b.WriteString(part.text)
		if part.name != "" {
			fmt.Fprintf(&b, part.form, values[part.name])
		}
	}
	return b.String() + "\n"
}

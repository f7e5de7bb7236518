package hooks

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// defaultLogFormat is the format in ANTI-LOOP.
const defaultLogFormat = "%(asctime)s | %(levelname)s | %(hook_cmd)s | %(message)s"

// maxLogWidth limits the width of a placeholder.
const maxLogWidth = 200

var placeholders = []string{"%(asctime)s", "%(levelname)s", "%(hook_cmd)s", "%(message)s", "%(process)d"}

// placeholder matches one of Python's logging placeholders: a name, "-" to left-align, a minimum and a maximum width. Any other % is
// invalid. Leading zeros of the width are dropped, because Go would pad text with them.
var placeholder = regexp.MustCompile(`%(?:%|\(([a-z_]+)\)(-?)0*([0-9]*(?:\.[0-9]+)?)([sd])|)`)

// logPart is a part of a line: literal text, then the named value in Go's format; an empty name means no value.
type logPart struct{ text, name, form string }

// parseFormat parses a format of Python's logging; ok is false if it is invalid, or names an unsupported field.
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
			known := slices.Contains(placeholders, "%("+part.name+")"+verb) || part.name == "process" // numbers may be formatted as text
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

// logLine formats one line of the log.
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

package broker

import (
	"bytes"
	"io"
	"slices"
	"strings"
)

// maxLine is where a longer line is cut in several, in bytes.
const maxLine = 8 << 10

// lastLines keeps the last lines that contain a text.
type lastLines struct {
	most     int
	contains string
	lines    []string
	begun    []byte // a line without its end
}

func (l *lastLines) Write(p []byte) (int, error) {
	l.begun = append(l.begun, p...)
	for {
		line, rest, whole := bytes.Cut(l.begun, []byte("\n"))
		if !whole && len(line) < maxLine {
			return len(p), nil
		}
		l.add(line)
		l.begun = rest
	}
}

func (l *lastLines) add(line []byte) {
	if !bytes.Contains(line, []byte(l.contains)) {
		return
	}
	if l.lines = append(l.lines, string(bytes.TrimRight(line, "\r"))); len(l.lines) >= 2*l.most {
		l.lines = slices.Clone(l.lines[l.most:])
	}
}

// print prints them.
func (l *lastLines) print(to io.Writer) error {
	if len(l.begun) > 0 {
		l.add(l.begun)
	}
	lines := l.lines[max(0, len(l.lines)-l.most):]
	if len(lines) == 0 {
		lines = []string{"(no such line)"}
	}
	_, err := io.WriteString(to, strings.Join(lines, "\n")+"\n")
	return err
}

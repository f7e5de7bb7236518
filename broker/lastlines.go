package broker

import (
	"bytes"
	"io"
	"slices"
	"strings"
)

// maxLine is where a longer line is cut in several, in bytes.
const maxLine = 8 << 10

// lead is how many lines are read before those that are shown: a longer private key is not written. Of a log that is cut, they may begin
// within one, where nothing tells that it is one.
const lead = 200

// lastLines keeps the last lines that contain a text.
type lastLines struct {
	most     int
	contains string
	read     int      // lines
	early    []string // of the first lead
	lines    []string // of the others
	begun    []byte   // a line without its end
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
	l.read++
	if !bytes.Contains(line, []byte(l.contains)) {
		return
	}
	text := string(bytes.TrimRight(line, "\r"))
	if l.read <= lead {
		l.early = append(l.early, text)
	} else if l.lines = append(l.lines, text); len(l.lines) >= 2*l.most {
		l.lines = slices.Clone(l.lines[l.most:])
	}
}

// last returns them. Of a log that is cut, the first lead lines do not count.
func (l *lastLines) last(cut bool) []string {
	if len(l.begun) > 0 {
		l.add(l.begun)
		l.begun = nil
	}
	lines := l.lines
	if !cut {
		lines = slices.Concat(l.early, lines)
	}
	return lines[max(0, len(lines)-l.most):]
}

// printLines prints lines.
func printLines(to io.Writer, lines []string) error {
	if len(lines) == 0 {
		lines = []string{"(no such line)"}
	}
	_, err := io.WriteString(to, strings.Join(lines, "\n")+"\n")
	return err
}

// newlines counts the ends of lines that are written to it.
type newlines int

func (n *newlines) Write(p []byte) (int, error) {
	*n += newlines(bytes.Count(p, []byte("\n")))
	return len(p), nil
}

// reader reads by a function.
type reader func(p []byte) (int, error)

func (r reader) Read(p []byte) (int, error) { return r(p) }

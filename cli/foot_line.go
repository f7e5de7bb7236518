package cli

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// footLine is a line at the foot of a terminal that is written over again and again; elsewhere it is nothing. What cannot be written
// to a terminal is not missed.
type footLine struct {
	terminal *os.File // nil where there is none
	shown    bool
}

func footOf(w io.Writer) footLine {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return footLine{terminal: f}
	}
	return footLine{}
}

func (l *footLine) draw(text string) {
	if l.terminal == nil {
		return
	}
	columns, _, err := term.GetSize(int(l.terminal.Fd()))
	if err != nil {
		columns = 0 // not known
	}
	l.shown = true
	_, _ = fmt.Fprint(l.terminal, "\r\x1b[K"+fitting(text, columns))
}

func (l *footLine) clear() {
	if l.shown {
		_, _ = fmt.Fprint(l.terminal, "\r\x1b[K")
		l.shown = false
	}
}

// fitting makes text one line that leaves the last column free: of one that wraps, the next would cover the end only.
func fitting(text string, columns int) string {
	line := []rune(oneLine(text))
	if columns > 1 && len(line) >= columns {
		line = append(line[:columns-2], '…')
	}
	return string(line)
}

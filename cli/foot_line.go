package cli

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/claudeops/claudeops/internal/text"
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

// fitting is one line that leaves the last column free: a line that wraps would not be covered by the next.
func fitting(progress string, columns int) string {
	if progress = text.Line(progress); columns > 1 {
		progress = text.Shorten(progress, columns-1)
	}
	return progress
}

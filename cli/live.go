package cli

import (
	"io"
	"os"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/term"
)

// live is a block of lines at the bottom of a terminal, redrawn in place by Bubble Tea. It does not read from the terminal or change its
// mode, so keys and Ctrl-C work as usual.
type live struct {
	program *tea.Program
	to      io.Writer
	ended   chan struct{}
}

// newLive draws the result of block for the terminal's columns and rows, each second and on request. It is nil if w is not a suitable
// terminal.
func newLive(w io.Writer, block func(columns, rows int) string) *live {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	const framesPerSecond = 20
	l := &live{to: w, ended: make(chan struct{})}
	l.program = tea.NewProgram(foot{block: block}, tea.WithInput(nil), tea.WithOutput(f), tea.WithoutSignalHandler(), tea.WithFPS(framesPerSecond))
	go func() {
		defer close(l.ended)
		_, _ = l.program.Run() // a closed terminal is not an error
	}()
	return l
}

// redraw redraws the block. The caller must hold no lock that block waits for.
func (l *live) redraw() { l.program.Send(drawNow{}) }

// above writes whole lines above the block.
func (l *live) above(lines []byte) (int, error) {
	select {
	case <-l.ended:
		return l.to.Write(lines)
	default:
		l.program.Send(tea.Println(strings.TrimSuffix(string(lines), "\n"))())
		return len(lines), nil
	}
}

// end removes the block or, if kept is set, leaves it.
func (l *live) end(kept bool) {
	l.program.Send(lastDraw{kept})
	<-l.ended
}

// foot is the Bubble Tea model of the block.
type foot struct {
	block         func(columns, rows int) string
	columns, rows int
	last          *lastDraw
}

// Its messages.
type (
	drawNow  struct{}
	second   struct{}
	lastDraw struct{ kept bool }
)

func everySecond() tea.Cmd {
	return tea.Every(time.Second, func(time.Time) tea.Msg { return second{} })
}

func (f foot) Init() tea.Cmd { return everySecond() }

func (f foot) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		f.columns, f.rows = msg.Width, msg.Height
	case second:
		return f, everySecond()
	case lastDraw:
		f.last = &msg
		return f, tea.Sequence(tea.ClearScreen, tea.Quit) // the terminal may have echoed keys into it
	}
	return f, nil
}

func (f foot) View() tea.View {
	view := tea.View{DisableBracketedPasteMode: true}
	if f.columns > 0 && (f.last == nil || f.last.kept) {
		view.Content = f.block(f.columns, f.rows)
	}
	// Keep the cursor visible, below the block: nothing would restore it if a second Ctrl-C ends the process. Bubble Tea keeps the
	// terminal's own shape for -1.
	view.Cursor = &tea.Cursor{Position: tea.Position{Y: min(strings.Count(view.Content, "\n"), max(f.rows-1, 0))}, Shape: -1}
	return view
}

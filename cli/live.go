package cli

import (
	"io"
	"os"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/term"
)

// live is a block of lines at the foot of a terminal that Bubble Tea draws anew in its place. It reads nothing from the terminal and changes no
// mode of it: keys and Ctrl-C do what they do without it.
type live struct {
	program *tea.Program
	to      io.Writer
	ended   chan struct{}
}

// newLive draws what block says for a terminal of so many columns and rows: each second, and when it is told to. It is nil where w is no
// terminal that can do that.
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
		_, _ = l.program.Run() // a terminal that is gone is not missed
	}()
	return l
}

// redraw draws the block as it is now. Nothing that the block waits for may be locked.
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

// end takes the block away or, where it is to be kept, leaves it as it is.
func (l *live) end(kept bool) {
	l.program.Send(lastDraw{kept})
	<-l.ended
}

// foot is the block as Bubble Tea knows it.
type foot struct {
	block         func(columns, rows int) string
	columns, rows int
	last          *lastDraw
}

// What it is told.
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
	// The cursor stays in sight, below the block: nothing shows it again where a second Ctrl-C ends the process. Its shape is the terminal's own,
	// which is what Bubble Tea makes of -1.
	view.Cursor = &tea.Cursor{Position: tea.Position{Y: min(strings.Count(view.Content, "\n"), max(f.rows-1, 0))}, Shape: -1}
	return view
}

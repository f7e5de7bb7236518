package cli

import (
	"context"
	"errors"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// minWatchInterval is the shortest interval of watching.
const minWatchInterval = 100 * time.Millisecond

// view is the output of a watching command at one moment.
type view struct {
	value any                      // for --json
	key   string                   // changes when there is something new to show
	text  func(columns int) string // ends with a newline
	fault string                   // why nothing could be read
}

// watch shows the result of look repeatedly until ctx ends: in place on a terminal, elsewhere completely after each change. An error of
// look is shown instead of its result. Ending it with Ctrl-C is not an error.
func (a *app) watch(ctx context.Context, interval time.Duration, look func(context.Context) (view, error)) error {
	w := &watcher{app: a}
	if !a.json {
		w.screen = newLive(a.Out, w.draw)
	}
	err := w.run(ctx, max(interval, minWatchInterval), look)
	if w.screen != nil {
		w.show(func() { w.ended = true })
		w.screen.end(true)
	}
	var signal SignalError
	if errors.As(context.Cause(ctx), &signal) && signal.Signal == syscall.SIGINT {
		return nil
	}
	return err
}

// watcher is the display of a watching command.
type watcher struct {
	*app
	screen *live // nil if there is no terminal

	mu    sync.Mutex
	view  view
	ended bool
}

func (w *watcher) run(ctx context.Context, interval time.Duration, look func(context.Context) (view, error)) error {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		v, err := look(ctx)
		if ctx.Err() != nil {
			return &exitError{code: exitFault}
		}
		if err != nil {
			now := w.local(w.Now()) + "\n"
			v = view{key: "fault: " + err.Error(), fault: err.Error(), text: func(columns int) string {
				return now + w.paint(w.colours(), red, ansi.Wrap(err.Error(), columns, "")) + "\n"
			}}
		}
		if err := w.renew(v); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return &exitError{code: exitFault}
		case <-ticker.C:
		}
	}
}

// renew shows a view. Without a terminal, it prints nothing while nothing changes.
func (w *watcher) renew(v view) error {
	before := w.view.key
	w.show(func() { w.view = v })
	switch {
	case w.screen != nil || v.key == before:
		return nil
	case w.json && v.value != nil:
		return w.printJSON(v.value)
	case w.json && v.fault != "":
		w.printError(errors.New(v.fault))
	case before != "":
		return w.steer("\n" + v.text(w.columns()))
	default:
		return w.steer(v.text(w.columns()))
	}
	return nil
}

// show changes the display.
func (w *watcher) show(change func()) {
	w.mu.Lock()
	change()
	w.mu.Unlock()
	if w.screen != nil {
		w.screen.redraw()
	}
}

// draw returns the view for a terminal, cut to its height.
func (w *watcher) draw(columns, rows int) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.view.text == nil {
		return ""
	}
	lines := strings.Split(strings.TrimSuffix(w.view.text(columns), "\n"), "\n")
	if most := rows - 3; most > 0 && len(lines) > most {
		lines = append(lines[:most-1], "…")
	}
	if !w.ended {
		lines = append(lines, "", w.paint(w.colours(), faint, "Ctrl-C ends"))
	}
	return strings.Join(lines, "\n") + "\n"
}

package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/internal/flags"
)

// minWatchInterval is how often the view is renewed at most.
const minWatchInterval = 100 * time.Millisecond

func (a *app) hooksWatchCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "watch",
		Short: "Show the health of hooks and keep it up to date, until interrupted",
		Long: `watch shows what health shows and keeps it up to date: on a terminal in place, elsewhere the whole of it again after each change.
Ctrl-C ends it, with exit code 0.`,
	}
	var interval time.Duration
	flags.Var(c.Flags(), &interval, "interval", "2s", "look again after this `TIME`", flags.Time)
	c.RunE = func(c *cobra.Command, _ []string) error {
		err := a.watch(c.Context(), max(interval, minWatchInterval))
		var signal SignalError
		if errors.As(context.Cause(c.Context()), &signal) && signal.Signal == syscall.SIGINT {
			return nil
		}
		return err
	}
	return c
}

func (a *app) watch(ctx context.Context, interval time.Duration) error {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	view := view{app: a, live: a.terminal()}
	for {
		// The settings are read anew each time, as each hook reads them.
		health, _, err := a.circuits(a.hookFlags).report(ctx)
		if ctx.Err() != nil {
			return &exitError{code: exitFault}
		}
		if err := view.show(health, err); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return &exitError{code: exitFault}
		case <-ticker.C:
		}
	}
}

// view is what watch shows.
type view struct {
	app  *app
	live bool   // on a terminal, in place
	last string // what was shown, less what time alone changes
}

// show shows a health, or why there is none. Elsewhere than on a terminal it is quiet while nothing changes.
func (v *view) show(health hooks.Health, fault error) error {
	state, err := stateOf(health)
	if fault != nil {
		state, err = "fault: "+fault.Error(), nil
	}
	if err != nil || state == v.last && !v.live {
		return err
	}
	first := v.last == ""
	v.last = state
	if fault == nil && v.app.json {
		return v.app.printJSON(health)
	}
	var text string
	if fault == nil {
		if text, err = v.app.healthText(health, v.app.colours()); err != nil {
			return err
		}
	} else {
		text = v.app.paint(v.app.colours(), red, fault.Error()) + "\n"
	}
	now := v.app.local(v.app.Now())
	switch {
	case v.live:
		text = onScreen(v.app.paint(v.app.colours(), faint, now+"  Ctrl-C ends")+"\n\n"+text, v.rows())
	case first:
		text = now + "\n" + text
	default:
		text = "\n" + now + "\n" + text
	}
	_, err = io.WriteString(v.app.Out, text)
	return err
}

// stateOf is what of a health is worth showing again when it differs.
func stateOf(health hooks.Health) (string, error) {
	health.Now, health.Stats.LastUpdated = time.Time{}, nil
	text, err := json.Marshal(health, json.Deterministic(true))
	return string(text), err
}

// rows is how high the terminal is; 0 is not known.
func (v *view) rows() int {
	if f, ok := v.app.Out.(*os.File); ok {
		if _, height, err := term.GetSize(int(f.Fd())); err == nil {
			return height
		}
	}
	return 0
}

// onScreen draws a text over the one before: each line erases what is left of its old one, and the rest of the screen goes. What is
// higher than the screen is cut, and the terminal is set to cut what is wider, because either would scroll.
func onScreen(text string, rows int) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if rows > 1 && len(lines) >= rows {
		lines = append(lines[:rows-2], "…")
	}
	return "\x1b[?7l\x1b[H" + strings.Join(lines, "\x1b[K\n") + "\x1b[K\n\x1b[J\x1b[?7h"
}

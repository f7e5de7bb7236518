package cli

import (
	"context"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/internal/flags"
)

func (a *app) hooksWatchCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "watch",
		Short: "Show the health of hooks and keep it up to date, until interrupted",
		Long: `watch shows what health shows and keeps it up to date: on a terminal in place, elsewhere the whole of it again after each change.
Ctrl-C ends it, with exit code 0.`,
	}
	var interval time.Duration
	flags.Var(c.Flags(), &interval, "interval", "2s", "look again after this `TIME`", flags.Time)
	c.RunE = func(c *cobra.Command, _ []string) error { return a.watch(c.Context(), interval, a.lookAtHooks) }
	return c
}

// lookAtHooks rereads the settings each time, as every hook does.
func (a *app) lookAtHooks(ctx context.Context) (v view, err error) {
	health, _, err := a.circuits(a.hookFlags).report(ctx)
	if err != nil {
		return v, err
	}
	text, err := a.healthText(health, a.colours())
	if err != nil {
		return v, err
	}
	text = a.local(a.Now()) + "\n" + text
	key, err := keyOf(health)
	return view{value: health, key: key, text: func(int) string { return text }}, err
}

// keyOf returns the part of the health whose change is worth showing.
func keyOf(health hooks.Health) (string, error) {
	health.Now, health.Stats.LastUpdated = time.Time{}, nil
	text, err := json.Marshal(health, json.Deterministic(true))
	return string(text), err
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

func (a *app) hooksResetCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "reset (NAME | --all)",
		Short: "Forget what is known of a hook, or of all: its circuit is closed again",
		Long: `reset forgets what is known of a hook: its counters, its circuit, the sessions for which alone it was switched off. A hook that
was disabled by hand stays so until it is enabled. Any other is not listed again until it runs: an entry that came of trying is dropped so.`,
	}
	all := c.Flags().Bool("all", false, "reset every hook, and the counts of all together")
	c.Args = func(c *cobra.Command, args []string) error {
		if *all && len(args) > 0 {
			return errors.New("NAME or --all, not both")
		}
		if *all {
			return nil
		}
		if len(args) == 0 {
			return errors.New("missing: NAME or --all")
		}
		return takes("NAME")(c, args)
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if *all {
			return a.resetAllHooks(c.Context())
		}
		return a.resetHook(c.Context(), args[0])
	}
	return c
}

func (a *app) resetAllHooks(ctx context.Context) error {
	c := a.circuits(a.hookFlags)
	if _, err := c.health(ctx); err != nil {
		return err
	}
	n, err := c.file.ResetAll(ctx)
	if err != nil {
		return err
	}
	c.log.Info(noHook, "all hooks were reset by hand")
	c.updateMetrics(ctx, a.Now(), true)
	if a.json {
		return a.printJSON(map[string]int{"reset": n})
	}
	return a.print(many(int64(n), "hook") + " reset\n")
}

func (a *app) resetHook(ctx context.Context, name string) error {
	c := a.circuits(a.hookFlags)
	h, known, err := a.findAnyHook(ctx, c, name)
	switch {
	case err != nil:
		return err
	case !known && a.json:
		return a.printJSON(h)
	case !known:
		return a.print("nothing is known of " + h.Name + "\n" + notRunYet(h))
	}
	found, err := c.reset(ctx, h.Command, a.Now(), "reset by hand")
	if err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("%s: it was forgotten meanwhile", h.Name)
	}
	if a.json {
		return a.printHook(ctx, c, h.Command)
	}
	text := h.Name + " is reset\n"
	if h.DisabledByHand != nil {
		text += "it stays disabled, as it was by hand; `" + a.hooks("enable "+shellWord(h.Name)) + "` enables it\n"
	}
	return a.print(text)
}

// reset forgets what is known of a hook, if anything is; log and metrics say how that came.
func (c circuits) reset(ctx context.Context, command string, now time.Time, how string) (found bool, err error) {
	if found, err = c.file.ResetHook(ctx, command); err != nil || !found {
		return false, err
	}
	c.log.Info(command, how)
	c.updateMetrics(ctx, now, true)
	return true, nil
}

package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/hooks"
)

func (a *app) hooksEnableCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "enable NAME",
		Short: "Enable a hook that was disabled by hand; with --force also one that failed",
		Long: `enable undoes disable. A circuit that opened because the hook failed closes by itself once the hook works again;
--force closes it at once, and should the hook still fail, it will have to fail as often as before until it is switched off.

Exit codes: 0 the hook runs again; 1 it does not, because its circuit is open and --force was not given.`,
		Args: takes("NAME"),
	}
	force := c.Flags().Bool("force", false, "close a circuit that opened because the hook failed")
	c.RunE = func(c *cobra.Command, args []string) error { return a.enableHook(c.Context(), args[0], *force) }
	return c
}

func (a *app) enableHook(ctx context.Context, name string, force bool) error {
	c := a.circuits(a.hookFlags)
	h, known, err := a.findAnyHook(ctx, c, name)
	if err != nil {
		return err
	}
	failed := h.State != hooks.Closed || len(h.Loops) > 0
	forced := a.hooks("enable " + shellWord(h.Name) + " --force")
	switch {
	case failed && !force && h.DisabledByHand != nil:
		return fmt.Errorf("%s is disabled by hand, but had been switched off before, because it failed (%s); `%s` undoes both",
			h.Name, lastError(h), forced)
	case failed && !force:
		return fmt.Errorf("%s was switched off because it failed (%s), and is tried again by itself; `%s` closes its circuit now",
			h.Name, lastError(h), forced)
	case !failed && h.DisabledByHand == nil:
		if a.json {
			return a.printJSON(h)
		}
		text := h.Name + " was not disabled\n"
		if !known {
			text += notRunYet(h)
		}
		return a.print(text)
	}
	changes, err := c.file.Enable(ctx, h.Command)
	if err != nil {
		return err
	}
	if !a.json {
		if err := a.print(h.Name + " is enabled\n"); err != nil {
			return err
		}
	}
	c.changed(ctx, changes)
	return a.changedByHand(ctx, c, h.Command, "enabled by hand")
}

// lastError is what switched a hook off.
func lastError(h hooks.HookHealth) string {
	if h.State == hooks.Closed && len(h.Loops) > 0 {
		return "in a session: " + h.Loops[0].LastError
	}
	return h.LastError
}

package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/hooks"
)

func (a *app) hooksDisableCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "disable NAME",
		Short: "Switch a hook off until it is enabled",
		Long: `disable switches a hook off until it is enabled. For one session alone, start the agent program with CLAUDE_HOOKS_SKIP=NAME,NAME:
these are short names or patterns, and skip every hook that they fit.
A hook that the settings exclude from the circuit breaker always executes, and cannot be disabled. One that has not run yet may be
named too, by its whole command as it stands in the settings.`,
		Args: takes("NAME"),
		RunE: func(c *cobra.Command, args []string) error { return a.disableHook(c.Context(), args[0]) },
	}
}

func (a *app) disableHook(ctx context.Context, name string) error {
	c := a.circuits(a.hookFlags)
	h, known, err := a.findAnyHook(ctx, c, name)
	if err != nil {
		return err
	}
	if h.Excluded {
		return fmt.Errorf("%s is excluded from the circuit breaker and always executes; take it out of what excludes it, which `%s` shows, "+
			"or out of the agent program's settings", h.Name, a.hooks("config"))
	}
	if err := c.file.Disable(ctx, h.Command); err != nil {
		return err
	}
	if !known {
		a.noteNowhere(h)
	}
	if !a.json {
		text := h.Name + " is disabled until `" + a.hooks("enable "+shellWord(h.Name)) + "`" + disabledInVain(c, h) + "\n"
		if !known {
			text += notRunYet(h)
		}
		if err := a.print(text); err != nil {
			return err
		}
	}
	return a.changedByHand(ctx, c, h.Command, "disabled by hand")
}

// disabledInVain says why a hook runs although it is disabled; empty where it does not.
func disabledInVain(c circuits, h hooks.HookHealth) string {
	switch {
	case !c.config.Enabled:
		return "; it runs all the same while the circuit breaker is off"
	case c.config.Policy(h.Command).Observe:
		return "; it runs all the same while it is observed only"
	}
	return ""
}

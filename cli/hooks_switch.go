package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/internal/text"
)

func (a *app) hooksDisableCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "disable NAME",
		Short: "Switch a hook off until it is enabled",
		Long: `disable switches a hook off until it is enabled. For one session alone, start the agent program with CLAUDE_HOOKS_SKIP=NAME,NAME:
these are short names or patterns, and skip every hook that they fit.
A hook that the settings exclude from the circuit breaker always executes, and cannot be disabled. One that has not run yet may be
named too, by its whole command as it is in the settings.`,
		RunE: func(c *cobra.Command, args []string) error {
			b := a.circuits(a.hookFlags)
			h, known, err := a.findAnyHook(c.Context(), b, args[0])
			if err != nil {
				return err
			}
			if h.Excluded {
				return fmt.Errorf("%s is excluded from the circuit breaker and always executes; take it out of what excludes it, which `%s` shows, "+
					"or out of the agent program's settings", h.Name, a.hooks("config"))
			}
			if err := b.file.Disable(c.Context(), h.Command); err != nil {
				return err
			}
			said := h.Name + " is disabled until `" + a.hooks("enable "+text.ShellWord(h.Name)) + "`" + disabledInVain(b, h) + "\n"
			if !known {
				a.noteNowhere(h)
				said += notRunYet(h)
			}
			return a.switched(c.Context(), b, h.Command, "disabled by hand", said)
		},
	}
}

// disabledInVain returns why a hook runs although it is disabled; empty if it does not.
func disabledInVain(c circuits, h hooks.HookHealth) string {
	switch {
	case !c.config.Enabled:
		return "; it runs all the same while the circuit breaker is off"
	case c.config.Policy(h.Command).Observe:
		return "; it runs all the same while it is observed only"
	}
	return ""
}

func (a *app) hooksEnableCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "enable NAME",
		Short: "Enable a hook that was disabled by hand; with --force also one that failed",
		Long: `enable undoes disable. A circuit that opened because the hook failed closes by itself once the hook works again;
--force closes it at once, and should the hook still fail, it will have to fail as often as before until it is switched off.

Exit codes: 0 the hook runs again; 1 it does not, because its circuit is open and --force was not given.`,
	}
	force := c.Flags().Bool("force", false, "close a circuit that opened because the hook failed")
	c.RunE = func(c *cobra.Command, args []string) error {
		b := a.circuits(a.hookFlags)
		h, known, err := a.findAnyHook(c.Context(), b, args[0])
		if err != nil {
			return err
		}
		failed := h.State != hooks.Closed || len(h.Loops) > 0
		forced := a.hooks("enable " + text.ShellWord(h.Name) + " --force")
		switch {
		case failed && !*force && h.DisabledByHand != nil:
			return fmt.Errorf("%s is disabled by hand, but had been switched off before, because it failed (%s); `%s` undoes both",
				h.Name, lastError(h), forced)
		case failed && !*force:
			return fmt.Errorf("%s was switched off because it failed (%s), and is tried again by itself; `%s` closes its circuit now",
				h.Name, lastError(h), forced)
		case !failed && h.DisabledByHand == nil && known:
			return a.answer(h, h.Name+" was not disabled\n")
		case !failed && h.DisabledByHand == nil:
			return a.answer(h, h.Name+" was not disabled\n"+notRunYet(h))
		}
		changes, err := b.file.Enable(c.Context(), h.Command)
		if err != nil {
			return err
		}
		b.changed(c.Context(), changes)
		return a.switched(c.Context(), b, h.Command, "enabled by hand", h.Name+" is enabled\n")
	}
	return c
}

// lastError returns the error that disabled a hook.
func lastError(h hooks.HookHealth) string {
	if h.State == hooks.Closed && len(h.Loops) > 0 {
		return "in a session: " + h.Loops[0].LastError
	}
	return h.LastError
}

func (a *app) hooksResetCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "reset [NAME]",
		Short: "Forget what is known of a hook, or of all: its circuit is closed again",
		Long: `reset forgets what is known of a hook: its counters, its circuit, the sessions for which alone it was switched off. A hook that
was disabled by hand stays so until it is enabled. Any other is not listed again until it runs.`,
	}
	all := c.Flags().Bool("all", false, "reset every hook, and the counts of all together")
	c.Args = func(_ *cobra.Command, args []string) error {
		switch {
		case *all && len(args) > 0:
			return errors.New("NAME or --all, not both")
		case !*all && len(args) == 0:
			return errors.New("missing: NAME or --all")
		}
		return nil
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
	if _, _, err := c.report(ctx); err != nil {
		return err
	}
	n, err := c.file.ResetAll(ctx)
	if err != nil {
		return err
	}
	c.log.Info(noHook, "all hooks were reset by hand")
	c.updateMetrics(ctx, a.Now(), true)
	return a.answer(map[string]int{"reset": n}, text.Count(n, "hook")+" reset\n")
}

func (a *app) resetHook(ctx context.Context, name string) error {
	c := a.circuits(a.hookFlags)
	h, known, err := a.findAnyHook(ctx, c, name)
	if err != nil {
		return err
	}
	if !known {
		return a.answer(h, "nothing is known of "+h.Name+"\n"+notRunYet(h))
	}
	found, err := c.reset(ctx, h.Command, a.Now(), "reset by hand")
	switch {
	case err != nil:
		return err
	case !found:
		return fmt.Errorf("%s: it was forgotten meanwhile", h.Name)
	case a.json:
		return a.printHook(ctx, c, h.Command)
	}
	said := h.Name + " is reset\n"
	if h.DisabledByHand != nil {
		said += "it stays disabled, as it was by hand; `" + a.hooks("enable "+text.ShellWord(h.Name)) + "` enables it\n"
	}
	return a.print(said)
}

// reset forgets the state of a hook, if there is any, and records how in log and metrics.
func (c circuits) reset(ctx context.Context, command string, now time.Time, how string) (found bool, err error) {
	if found, err = c.file.ResetHook(ctx, command); err != nil || !found {
		return false, err
	}
	c.log.Info(command, how)
	c.updateMetrics(ctx, now, true)
	return true, nil
}

package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/internal/text"
)

func (a *app) hooksHealthCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "health",
		Short: "Show which hooks are switched off, why, and until when",
		Long: `health shows which hooks are switched off, why, and until when. With --line it is one short line, for the status line of
Claude Code.

Exit codes: 0; with --check 1 if any hook is switched off, even in one session only.`,
		Args: takes(),
	}
	check := c.Flags().Bool("check", false, "exit with 1 where a hook is switched off")
	line := c.Flags().Bool("line", false, "print one short line")
	c.RunE = func(c *cobra.Command, _ []string) error {
		breakers := a.circuits(a.hookFlags)
		health, report, err := breakers.report(c.Context())
		if err != nil {
			return err
		}
		for _, note := range report.Notes {
			a.note(note)
		}
		switch {
		case a.json:
			err = a.printJSON(health)
		case *line:
			text := healthLine(health)
			if n := len(wrappedHooksOf(health)); n > 0 && health.Enabled {
				text = fmt.Sprintf("hooks: %d wrapped, none has run yet", n)
			}
			err = a.print(text + "\n")
		default:
			if err = a.printHealth(health); err == nil && health.Total == 0 {
				err = a.print(block(wrappedOnly()))
			}
		}
		if err == nil && *check && switchedOff(health) {
			err = &exitError{code: exitFault}
		}
		return err
	}
	return c
}

// wrappedHooksOf are the wrapped hooks, where none has run yet.
func wrappedHooksOf(health hooks.Health) []string {
	if health.Total > 0 {
		return nil
	}
	return wrappedHooks()
}

// note says something on standard error that is no fault of the command.
func (a *app) note(notice string) { a.printError(errors.New(text.Line(notice))) }

// block is text behind an empty line, and nothing where there is none.
func block(text string) string {
	if text == "" {
		return ""
	}
	return "\n" + text
}

// switchedOff reports whether any hook is, be it for one session alone.
func switchedOff(health hooks.Health) bool {
	return slices.ContainsFunc(health.Hooks, func(h hooks.HookHealth) bool {
		return h.Disabled || h.Spared == "" && len(h.Loops) > 0
	})
}

// lineNames is how many hooks a status line names, each with at most lineName characters.
const (
	lineNames = 2
	lineName  = 30
)

// healthLine is a health in a few words.
func healthLine(health hooks.Health) string {
	var off []string
	for _, h := range health.Hooks {
		if h.Disabled || h.Spared == "" && len(h.Loops) > 0 {
			off = append(off, text.Shorten(text.Line(h.Name), lineName))
		}
	}
	switch {
	case !health.Enabled:
		return "hooks: circuit breaker off"
	case len(off) == 0 && health.Observe:
		return fmt.Sprintf("hooks: %d observed", health.Total)
	case len(off) == 0:
		return fmt.Sprintf("hooks: %d active", health.Total)
	}
	names := strings.Join(off[:min(len(off), lineNames)], ", ")
	if more := len(off) - lineNames; more > 0 {
		names += fmt.Sprintf(" +%d", more)
	}
	return fmt.Sprintf("hooks: %d of %d off: %s", len(off), health.Total, names)
}

package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/breaker"
)

func (a *app) hooksHealthCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "health",
		Short: "Show which hooks are switched off, why, and until when",
		Long: `health shows which hooks are switched off, why, and until when. With --line it is one short line, for the status line of
Claude Code.

Exit codes: 0; with --check 1 where a hook is switched off, be it for one session alone.`,
		Args: takes(),
	}
	check := c.Flags().Bool("check", false, "exit with 1 where a hook is switched off")
	line := c.Flags().Bool("line", false, "print one short line")
	c.RunE = func(c *cobra.Command, _ []string) error {
		breakers := a.circuits(a.hookFlags)
		health, err := breakers.health(c.Context())
		if err != nil {
			return err
		}
		switch {
		case a.json:
			err = a.printJSON(health)
		case *line:
			err = a.print(healthLine(health) + "\n")
		default:
			err = a.printHealth(health)
		}
		if err == nil && *check && switchedOff(health) {
			err = &exitError{code: exitFault}
		}
		return err
	}
	return c
}

// switchedOff reports whether any hook is, be it for one session alone.
func switchedOff(health breaker.Health) bool {
	return slices.ContainsFunc(health.Hooks, func(h breaker.HookHealth) bool {
		return h.Disabled || h.Spared == "" && len(h.Loops) > 0
	})
}

// lineNames is how many hooks a status line names, each with at most lineName characters.
const (
	lineNames = 2
	lineName  = 30
)

// healthLine is a health in a few words.
func healthLine(health breaker.Health) string {
	var off []string
	for _, h := range health.Hooks {
		if h.Disabled || h.Spared == "" && len(h.Loops) > 0 {
			off = append(off, shortened(h.Name, lineName))
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

func shortened(text string, length int) string {
	runes := []rune(oneLine(text))
	if len(runes) > length {
		runes = append(runes[:length-1], '…')
	}
	return string(runes)
}

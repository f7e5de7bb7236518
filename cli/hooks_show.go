package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/hooks/settings"
	"github.com/claudeops/claudeops/internal/flags"
	"github.com/claudeops/claudeops/internal/text"
)

func (a *app) hooksHealthCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "health",
		Short: "Show which hooks are switched off, why, and until when",
		Long: `health shows which hooks are switched off, why, and until when. With --line it is one short line, for the status line of
Claude Code.

Exit codes: 0; with --check 1 if any hook is switched off, even in one session only.`,
	}
	check := c.Flags().Bool("check", false, "exit with 1 where a hook is switched off")
	line := c.Flags().Bool("line", false, "print one short line")
	c.RunE = func(c *cobra.Command, _ []string) error {
		health, report, err := a.circuits(a.hookFlags).report(c.Context())
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
			err = a.print(healthLine(health) + "\n")
		default:
			if err = a.printHealth(health); err == nil && health.Total == 0 {
				err = a.print(block(wrappedOnly()))
			}
		}
		return cmp.Or(err, failUnless(!*check || !slices.ContainsFunc(health.Hooks, switchedOff)))
	}
	return c
}

// note prints a note on standard error that is not an error of the command.
func (a *app) note(notice string) { a.printError(errors.New(hooks.OneLine(notice))) }

// block returns text after an empty line; empty if there is none.
func block(text string) string {
	if text == "" {
		return ""
	}
	return "\n" + text
}

// switchedOff reports whether a hook is disabled, even if only for one session.
func switchedOff(h hooks.HookHealth) bool { return h.Disabled || h.Spared == "" && len(h.Loops) > 0 }

// lineNames limits the hooks in a status line; lineName limits each name, in characters.
const (
	lineNames = 2
	lineName  = 30
)

// healthLine summarizes the health in one line.
func healthLine(health hooks.Health) string {
	var off []string
	for _, h := range health.Hooks {
		if switchedOff(h) {
			off = append(off, text.Shorten(text.Line(h.Name), lineName))
		}
	}
	switch wrapped := len(settings.WrappedAnywhere()); {
	case !health.Enabled:
		return "hooks: circuit breaker off"
	case health.Total == 0 && wrapped > 0:
		return fmt.Sprintf("hooks: %d wrapped, none has run yet", wrapped)
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

func (a *app) hooksListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the hooks that have run behind the circuit breaker",
		RunE: func(c *cobra.Command, _ []string) error {
			health, _, err := a.circuits(a.hookFlags).report(c.Context())
			if err != nil {
				return err
			}
			none := cmp.Or(strings.TrimSuffix(wrappedOnly(), "\n"), "no hook has run behind the circuit breaker yet")
			return show(a, health.Hooks, none, []string{"NAME", "STATE", "FAILURES", "RUNS", "SKIPPED", "LAST CALL", "EVENT"}, func(h hooks.HookHealth) []string {
				failures, last := number(&h.ConsecutiveFailures), "-"
				if !h.Excluded {
					failures = fmt.Sprintf("%d of %d", h.ConsecutiveFailures, h.FailureThreshold)
				}
				if h.LastCall != nil {
					last = a.local(*h.LastCall)
				}
				return []string{h.Name, stateWord(h), failures, number(&h.Executions), number(&h.Skips), last, dash(h.Event)}
			})
		},
	}
}

// stateWord describes the state of a hook's circuit, and what overrides it.
func stateWord(h hooks.HookHealth) string {
	word := string(h.State)
	switch {
	case h.Reason == hooks.DisabledByHand:
		word = "disabled"
	case h.Reason == hooks.ParentOpen:
		word = "parent_open"
	case h.Excluded:
		word = "excluded"
	}
	if h.Spared != "" {
		word += ", runs"
	}
	if len(h.Loops) > 0 {
		word += ", loop"
	}
	return word
}

func (a *app) hooksLogCommand() *cobra.Command {
	c := &cobra.Command{Use: "log [NAME]", Short: "Show the end of the circuit breaker's log, of one hook or of all"}
	var lines int64
	flags.VarP(c.Flags(), &lines, "lines", "n", "50", "show at most `N` lines, the last ones", flags.Count)
	c.RunE = func(c *cobra.Command, args []string) error {
		breakers, hook := a.circuits(a.hookFlags), ""
		if len(args) > 0 {
			h, err := a.findHook(c.Context(), breakers, args[0])
			if err != nil {
				return err
			}
			hook = h.Command
		}
		found, err := breakers.log.Tail(int(lines), hook)
		if err != nil {
			return err
		}
		if len(found) == 0 && !a.json {
			return a.print("nothing is logged in " + breakers.config.LogFile + "\n")
		}
		return a.answer(found, strings.Join(found, "\n")+"\n")
	}
	return c
}

func (a *app) hooksConfigCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "Print the circuit breaker's settings in force, and where each comes from",
		Long: `config prints every setting in force and where it comes from: the default, a line of guardrails.yaml, or a variable.

Exit codes: 0; 1 where a value is wrong, which is said on standard error. The breaker works all the same, with the default in its place.`,
		RunE: func(*cobra.Command, []string) error {
			config := a.circuits(a.hookFlags).config
			settings := config.Settings()
			for i, setting := range settings {
				if setting.Key == "state_file" && a.hookFlags.state != "" {
					settings[i].Value, settings[i].Source = a.hookFlags.state, "--state-file"
				}
			}
			err := show(a, settings, "", []string{"KEY", "VALUE", "FROM"}, func(s hooks.Setting) []string { return []string{s.Key, dash(s.Value), s.Source} })
			if err == nil && len(config.Faults) > 0 {
				err = errors.New(strings.Join(config.Faults, "\n"))
			}
			return err
		},
	}
}

func (a *app) hooksMetricsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "metrics",
		Short: "Print the state of all hooks as Prometheus reads it",
		Long: `metrics prints the state of all hooks in the text format of Prometheus. With metrics_file in the settings the same is
written to that file, for the textfile collector: at once when a circuit changes, otherwise when a hook is called and the file is
older than some seconds.`,
		RunE: func(c *cobra.Command, _ []string) error {
			health, report, err := a.circuits(a.hookFlags).report(c.Context())
			if err != nil {
				return err
			}
			return a.answer(health, string(hooks.Metrics(report)))
		},
	}
}

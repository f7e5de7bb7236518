package cli

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/hooks"
)

func (a *app) hooksListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the hooks that have run behind the circuit breaker",
		Args:  takes(),
		RunE: func(c *cobra.Command, _ []string) error {
			health, err := a.circuits(a.hookFlags).health(c.Context())
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(health.Hooks)
			}
			if len(health.Hooks) == 0 {
				return a.print(cmp.Or(wrappedOnly(), "no hook has run behind the circuit breaker yet\n"))
			}
			return a.printTable([]string{"NAME", "STATE", "FAILURES", "RUNS", "SKIPPED", "LAST CALL", "EVENT"}, func(row func(...string)) {
				for _, h := range health.Hooks {
					row(h.Name, stateWord(h), failureCount(h), number64(h.Executions), number64(h.Skips), a.lastCall(h), dash(h.Event))
				}
			})
		},
	}
}

// stateWord is what a hook's circuit is in, and what of it does not come from the circuit.
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

// failureCount is how many failures in a row there are, and how many open the circuit.
func failureCount(h hooks.HookHealth) string {
	if h.Excluded {
		return number64(h.ConsecutiveFailures)
	}
	return fmt.Sprintf("%d of %d", h.ConsecutiveFailures, h.FailureThreshold)
}

func (a *app) lastCall(h hooks.HookHealth) string {
	if h.LastCall == nil {
		return "-"
	}
	return a.local(*h.LastCall)
}

func number64(n int64) string { return strconv.FormatInt(n, 10) }

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

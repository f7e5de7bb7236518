package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// logLines is how many lines of the log are shown where nobody asks for more.
const logLines = 50

func (a *app) hooksLogCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "log [NAME]",
		Short: "Show the end of the circuit breaker's log, of one hook or of all",
		Args:  takes("[NAME]"),
	}
	lines := count(logLines)
	c.Flags().VarP(&lines, "lines", "n", "show at most `N` lines, the last ones")
	c.RunE = func(c *cobra.Command, args []string) error {
		breakers := a.circuits(a.hookFlags)
		hook := ""
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
		switch {
		case a.json:
			return a.printJSON(found)
		case len(found) == 0:
			return a.print("nothing is logged in " + breakers.config.LogFile + "\n")
		}
		return a.print(strings.Join(found, "\n") + "\n")
	}
	return c
}

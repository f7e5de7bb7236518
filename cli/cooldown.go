package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
)

func (a *app) cooldownCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "cooldown",
		Short: "Show and record restarts and redeployments, and what the limits still permit",
		Long: fmt.Sprintf(`cooldown shows and changes cooldown.json, which counts restarts and redeployments. A service may be restarted at most
%d times in %d h and redeployed at most %d time in %d h; no agent can go beyond that.`,
			statefile.Restart.Limit(), int(statefile.Restart.Window().Hours()),
			statefile.Redeployment.Limit(), int(statefile.Redeployment.Window().Hours())),
	}
	c.AddCommand(a.cooldownShowCommand(), a.cooldownCheckCommand(), a.cooldownRecordCommand(), a.cooldownResetCommand())
	return c
}

// The arguments of the cooldown commands, as help and errors name them.
const (
	argService = "SERVICE"
	argAction  = "restart|redeployment"
	argOutcome = "success|failure"
)

// serviceAndAction checks the first argument and the second, where they are there.
func serviceAndAction(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		if fault := check.ServiceNameFault(args[0]); fault != "" {
			return fmt.Errorf("%s: %s", argService, fault)
		}
	}
	if len(args) > 1 {
		if _, err := statefile.ParseAction(args[1]); err != nil {
			return err
		}
	}
	return nil
}

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
		Short: "Look at and keep the limits on restarts and redeployments",
		Long: fmt.Sprintf(`cooldown looks at and keeps cooldown.json: at most %d restarts in %d h and %d redeployment in %d h of a service,
over which no agent may go.`,
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

package cli

import (
	"errors"

	"github.com/spf13/cobra"
)

func init() { addCommand((*app).changeCommand) }

// changeCommand is a stub for people who type what agents do: for an agent, the broker runs the program behind it.
func (a *app) changeCommand() *cobra.Command {
	return &cobra.Command{
		Use:                "change -- ARGV...",
		Short:              "Change a file outside of the sandbox, for an agent",
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return &exitError{code: exitUsage, err: errors.New("change is for agents: in their bash it runs rm, truncate, chmod, chown or chgrp outside of the sandbox. " +
				"You need it only to try what they may: " + a.program + " sandbox --tier 2 --act '" + a.program + " change -- rm FILE'")}
		},
	}
}

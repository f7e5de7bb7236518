package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/cycle"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/sandbox"
)

func init() { addCommand((*app).sandboxCommand) }

func (a *app) sandboxCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "sandbox --tier N COMMAND",
		Short: "Run a command in the sandbox of a tier's agent",
		Long: `sandbox runs shell text as the bash tool of a tier's agent: in a sandbox, with the folders, the environment and the broker of a session.
Output and exit status are the command's; 126 is a refusal.

A restart or redeployment is reported and refused. With --act it is reserved, run and counted, in a session of its own, while no cycle runs.`,
		Example: "  claudeops sandbox --tier 1 'docker logs --tail 50 web 2>&1 | grep -i error'\n" +
			"  claudeops sandbox --tier 2 --act 'docker restart web'",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return errors.New("COMMAND is one argument: put quotes around it")
			}
			return nil
		},
	}
	tier := tierFlag(c, "tier", "the tier, `N`: 1, 2 or 3", 1, 2, 3)
	act := c.Flags().Bool("act", false, "run what is a restart or redeployment, and count it")
	c.RunE = func(c *cobra.Command, args []string) error {
		run, err := a.trial()
		if err != nil {
			return &exitError{exitUsage, err}
		}
		exit, err := run.Try(c.Context(), *tier, *act, args[0], a.Out, a.Err)
		switch {
		case errors.Is(err, cycle.ErrRunning):
			return &exitError{exitLocked, fmt.Errorf("%w; nothing was run", err)}
		case err == nil && exit != 0:
			return &exitError{code: exit}
		}
		return err
	}
	return c
}

// trial returns a cycle that only runs a person's command.
func (a *app) trial() (*cycle.Cycle, error) {
	l, err := a.load()
	if err != nil {
		return nil, err
	}
	if l.config.Agent.SessionID != 0 {
		return nil, errors.New("an agent's commands run in a sandbox already")
	}
	if err := stateDirectory(l.config.StateDir); err != nil {
		return nil, err
	}
	inv, err := readInventory(l.config)
	if err != nil {
		return nil, err
	}
	a.hide(l, inv)
	known, err := l.table()
	if err != nil {
		return nil, err
	}
	shim, err := sandbox.FindShim()
	if err != nil {
		return nil, err
	}
	return &cycle.Cycle{
		Records: ledger.Records{Config: l.config, Redactor: l.redactor, Now: a.Now, Inventory: inv},
		Environ: l.environment.Environ(), SecretFiles: l.environment.SecretFiles(), Table: known, Shim: shim, Own: a.forAgent, Trigger: "manual", Log: l.log,
	}, nil
}

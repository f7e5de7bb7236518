package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

func (a *app) cooldownRecordCommand() *cobra.Command {
	var fault string
	c := &cobra.Command{
		Use:   "record " + argService + " " + argAction + " " + argOutcome,
		Short: "Record a remediation that was attempted",
		Args:  cobra.MatchAll(takes(argService, argAction, argOutcome), serviceAndAction, outcome),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withInventory(c, store.ReadWrite, func(b *records.Records) error {
				told := records.Told{Service: b.Inventory.NameOf(args[0]), Action: statefile.Action(args[1]), Success: args[2] == "success", Message: b.Redactor.String(fault)}
				return a.recordCooldown(c, b, told)
			})
		},
	}
	c.Flags().StringVar(&fault, "error", "", "why it failed, as `TEXT`")
	return c
}

func (a *app) recordCooldown(c *cobra.Command, b *records.Records, told records.Told) error {
	p, err := b.Record(c.Context(), told)
	if err != nil {
		return err
	}
	a.noteService(b.Inventory, told.Service)
	if a.json {
		return a.printJSON(p.AsLimit())
	}
	return a.print("recorded: " + p.Of(told.Service) + "\n")
}

func outcome(_ *cobra.Command, args []string) error {
	if args[2] != "success" && args[2] != "failure" {
		return fmt.Errorf("%q is neither success nor failure", args[2])
	}
	return nil
}

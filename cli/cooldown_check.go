package cli

import (
	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

func (a *app) cooldownCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check " + argService + " " + argAction,
		Short: "Say whether a remediation is permitted now: exit 0 if it is, 1 if not",
		Args:  cobra.MatchAll(takes(argService, argAction), serviceAndAction),
		RunE: func(c *cobra.Command, args []string) error {
			mode := store.ReadOnly
			if l, err := a.load(); err == nil && l.config.Agent.SessionID != 0 {
				mode = store.ReadWrite // a refusal asks a human
			}
			return a.withInventory(c, mode, func(b *records.Records) error { return a.checkCooldown(c, b, args[0], statefile.Action(args[1])) })
		},
	}
}

func (a *app) checkCooldown(c *cobra.Command, b *records.Records, service string, action statefile.Action) (err error) {
	service = b.Inventory.NameOf(service)
	hold, err := b.Hold(c.Context(), service)
	if err != nil {
		return err
	}
	limits, err := b.Limits(c.Context(), service)
	if err != nil {
		return err
	}
	p, err := limits.Of(c.Context(), service, action)
	if err != nil {
		return err
	}
	permitted := p.Permitted() && hold.Reason == ""
	switch limit := p.AsLimit(); {
	case a.json:
		limit.Permitted, limit.Held = permitted, hold.Reason
		err = a.printJSON(limit)
	case hold.Reason != "":
		err = a.print("not permitted: " + (&records.HeldError{Service: service, Hold: hold}).Error() + "\n")
	case permitted:
		err = a.print("permitted: " + p.Of(service) + "\n")
	default:
		err = a.print("not permitted: " + p.Of(service) + "\n")
	}
	if _, seen := limits.State.Services[service]; err == nil && !seen {
		a.noteService(b.Inventory, service)
	}
	if err != nil || permitted {
		return err
	}
	if b.InSession() && !p.Permitted() {
		if err := b.Refused(c.Context(), service, p); err != nil {
			return err
		}
	}
	return &exitError{code: exitFault}
}

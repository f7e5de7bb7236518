package cli

import (
	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/books"
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
			return a.withBooks(c, mode, func(b *books.Books) error { return a.checkCooldown(c, b, args[0], statefile.Action(args[1])) })
		},
	}
}

func (a *app) checkCooldown(c *cobra.Command, b *books.Books, service string, action statefile.Action) error {
	limits, err := b.Limits(c.Context(), service)
	if err != nil {
		return err
	}
	p, err := limits.Of(c.Context(), service, action)
	if err != nil {
		return err
	}
	if a.json {
		err = a.printJSON(p.AsLimit())
	} else {
		word := "permitted"
		if !p.Permitted() {
			word = "not permitted"
		}
		err = a.print(word + ": " + p.Of(service) + "\n")
	}
	if err != nil || p.Permitted() {
		return err
	}
	if b.InSession() {
		if err := b.Refused(c.Context(), service, p); err != nil {
			return err
		}
	}
	return &exitError{code: exitFault}
}

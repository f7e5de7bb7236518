package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

func (a *app) pauseCommand() *cobra.Command {
	var lasts lasting
	c := &cobra.Command{
		Use:   "pause --for TIME",
		Short: "Keep hands off everything for a time (for operators)",
		Long: `pause is silence for all services at once. Checks go on and are recorded; nothing escalates, nothing is sent, and no agent may
restart or redeploy anything. Faults of the watch itself, a budget that is spent or a handoff that cannot be read, are told
when it is over, and what happened meanwhile with them. Where everything is paused already, the pause gets the new end;
"` + a.program + ` pause end" ends it at once. Agents are refused.`,
		Example: "  " + a.program + " pause --for 30m --reason 'the network is being moved'",
		Args:    cobra.MatchAll(takes(), lasts.given),
	}
	reason := lasts.flags(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		return a.withQuiet(c, "pause", func(b *records.Records) error {
			s, err := a.silence(c.Context(), b, "", lasts, *reason)
			if err == nil && a.json {
				err = a.printJSON(s)
			}
			return err
		})
	}
	c.AddCommand(a.pauseEndCommand())
	return c
}

func (a *app) pauseEndCommand() *cobra.Command {
	return &cobra.Command{
		Use:        "end",
		Short:      "End the pause before its time (for operators)",
		SuggestFor: []string{"resume", "unpause"},
		Args:       takes(),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withQuiet(c, "pause end", func(b *records.Records) error { return a.endPause(c.Context(), b) })
		},
	}
}

func (a *app) endPause(ctx context.Context, b *records.Records) error {
	active, err := b.Store.ActiveSilences(ctx, a.Now())
	if err != nil {
		return err
	}
	for _, s := range active {
		if s.Service == "" {
			ended, err := a.endSilences(ctx, b, []store.Silence{s})
			if err == nil && a.json {
				err = a.printJSON(ended[0])
			}
			return err
		}
	}
	return errors.New("nothing is paused; `" + a.program + " silence list` lists what is silenced")
}

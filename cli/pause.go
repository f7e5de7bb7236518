package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/store"
)

func init() { addCommand((*app).pauseCommand) }

func (a *app) pauseCommand() *cobra.Command {
	c := &cobra.Command{
		SuggestFor: []string{"resume", "unpause"},
		Use:        "pause --for TIME",
		Short:      "Keep hands off everything for a time (for operators)",
		Long: `pause is silence for all services at once. Checks go on and are recorded; nothing escalates, nothing is sent, and no agent may
restart or redeploy anything. What is wrong with claudeops itself, such as a budget that is spent or a handoff that cannot be read, is
reported when the pause is over. Where everything is paused already, the pause gets the new end;
"claudeops pause end" ends it at once. Agents are refused.`,
		Example: "  claudeops pause --for 30m --reason 'the network is being moved'",
	}
	lasts, reason := quietFlags(c)
	c.RunE = a.quietening("pause", func(ctx context.Context, b *ledger.Records, _ []string) error {
		s, said, err := a.silence(ctx, b, "", *lasts, *reason)
		if err != nil {
			return err
		}
		return a.answer(s, said)
	})
	c.AddCommand(&cobra.Command{
		Use:   "end",
		Short: "End the pause before its time (for operators)",
		RunE:  a.quietening("pause end", a.endPause),
	})
	return c
}

func (a *app) endPause(ctx context.Context, b *ledger.Records, _ []string) error {
	active, err := b.Store.ActiveSilences(ctx, a.Now())
	if err != nil {
		return err
	}
	for _, s := range active {
		if s.Service == "" {
			ended, said, err := endSilences(ctx, b, []store.Silence{s})
			if err != nil {
				return err
			}
			return a.answer(ended[0], said)
		}
	}
	return errors.New("nothing is paused; `claudeops silence list` lists what is silenced")
}

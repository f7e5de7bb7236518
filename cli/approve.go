package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/cycle"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/store"
)

func init() {
	addCommand((*app).approveCommand)
	addCommand((*app).rejectCommand)
}

func (a *app) approveCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "approve ID",
		Short: "Permit what an agent has proposed (for operators)",
		Long: `approve permits a proposal. The next cycle makes the checks first, and then runs exactly that call, once; under "claudeops cron" that cycle
begins at once. It does not run where something that it depends on has changed since it was proposed, or where its service is
well again. "claudeops proposals show ID" shows what it is. Agents are refused.`,
		Example: "  claudeops approve 7\n  claudeops approve 7 --now",
	}
	now := c.Flags().Bool("now", false, "run a cycle about its service at once, in this process")
	c.RunE = func(c *cobra.Command, args []string) error {
		var p store.Proposal
		err := a.deciding("approve", func(ctx context.Context, b *ledger.Records, args []string) (err error) {
			if p, err = b.Decide(ctx, parseID(args[0]), store.ProposalApproved, byCommand(), ""); err != nil {
				return err
			}
			if *now {
				return nil
			}
			if err := statedir.Wake(b.Config.StateDir, store.ByApproval); err != nil {
				a.loaded.log.Warn(err.Error())
			}
			return a.answer(p, fmt.Sprintf("proposal %d is approved: %s\nThe next cycle runs it, after its checks: at once where `claudeops cron` runs, else as scheduled.\n",
				p.ID, a.line(guard.CommandLine(p.Argv))))
		})(c, args)
		if err != nil || !*now {
			return err
		}
		return a.runApproved(c.Context(), p)
	}
	return c
}

// runApproved runs a cycle for an approved proposal: about its service alone if the inventory has it.
func (a *app) runApproved(ctx context.Context, p store.Proposal) error {
	var want cycle.Asked
	inv, err := readInventory(a.loaded.config)
	if err != nil {
		return err
	}
	if s, known := inv.Get(p.Service); known {
		want.Services = []string{s.Name}
	}
	summary, err := a.runOnce(ctx, store.ByApproval, want)
	if errors.Is(err, cycle.ErrRunning) {
		err = errors.Join(err, statedir.Wake(a.loaded.config.StateDir, store.ByApproval))
	}
	if err := errors.Join(err, a.writeSummary(summary, err)); err != nil {
		return fmt.Errorf("proposal %d is approved, and the next cycle runs it: %w", p.ID, err)
	}
	return failUnless(!summary.Failed())
}

func (a *app) rejectCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "reject ID",
		Short:   "Refuse what an agent has proposed (for operators)",
		Long:    `reject refuses a proposal. Its service waits as after a tier that failed: an hour at first, unless it changes. Agents are refused.`,
		Example: "  claudeops reject 7 --reason 'not during the sale'",
	}
	reason := c.Flags().String("reason", "", "why: one line of `TEXT`")
	c.RunE = a.deciding("reject", func(ctx context.Context, b *ledger.Records, args []string) error {
		p, err := b.Decide(ctx, parseID(args[0]), store.ProposalRejected, byCommand(), *reason)
		if err != nil {
			return err
		}
		return a.answer(p, fmt.Sprintf("proposal %d is rejected, and does not run\n", p.ID))
	})
	return c
}

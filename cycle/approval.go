package cycle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// endProposals ends what no longer waits at the start of a cycle: proposals that have expired, and those whose run was cut off. Such a
// one may have run, and never runs again.
func (c *Cycle) endProposals(ctx context.Context) error {
	pending, err := c.Store.PendingProposals(ctx)
	const why = "its cycle was killed; it is not known whether it ran, and it does not run again"
	for _, proposal := range pending {
		if proposal.RunSessionID != nil {
			err = errors.Join(err, c.apply(ctx, *proposal.RunSessionID, endRun{proposal, store.ProposalFailed, why}))
		}
	}
	return errors.Join(err, c.ExpireProposals(ctx))
}

// runProposal runs an approved proposal, once, as a session of its tier.
func (c *Cycle) runProposal(ctx context.Context, proposal store.Proposal) error {
	run := newRun(proposal.Tier, store.Approved, nil)
	if proposal.Service != "" {
		run.services = []string{proposal.Service}
	}
	run.approved = &proposal
	o := guard.Order{
		Action: guard.Action(proposal.Action), Service: proposal.Service, Argv: proposal.Argv, Dir: proposal.Dir,
		Why: proposal.Reason, Timeout: c.Config.Tier(proposal.Tier).Timeout,
	}
	if proposal.Action == statefile.Redeployment {
		o.Action = guard.Redeploy
	}
	return c.actAlone(ctx, run, func(ctx context.Context, w *workplace, out *bytes.Buffer) (int, error) {
		exit, err := w.Broker.Act(ctx, "approval", o, nil, out, out)
		run.differs = w.Differs
		switch {
		case w.Differs != "":
			err = errors.Join(err, errors.New("void, and not run: "+w.Differs))
		case exit != 0 && ctx.Err() == nil:
			said := text.Shorten(strings.TrimSpace(out.String()), ledger.MaxFound)
			err = errors.Join(err, fmt.Errorf("exit status %d: %s", exit, said))
		}
		return exit, err
	})
}

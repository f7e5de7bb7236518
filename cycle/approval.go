package cycle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// agentApproved is the sessions.agent value of a session without a model, which runs a call that a person has approved.
const agentApproved = "approved"

// ask keeps an act that a person must permit, and refuses it; nil if the act may run. In a session that runs an approved proposal
// it refuses what is not exactly that.
func (w *workplace) ask(ctx context.Context, program string, o guard.Order) error {
	byAgent := w.run.session.Agent == agentClaude || w.run.session.Agent == store.FirstAid
	switch {
	case w.run.approved != nil:
		return w.differing(program, o)
	case !o.Asks || !byAgent && o.Action != guard.Ask: // a person who does it has permitted it
		return nil
	case w.run.session.ID == 0:
		return guard.Refuse(guard.RuleCall, "it would be put to a person, and was not: with --act it is")
	}
	now, err := state.Of(ctx, w.records())
	if err != nil {
		return err
	}
	if no := w.mayTouch(now, o); no != nil && no.Kind != state.Proposed { // another call may be proposed beside the one that waits
		return w.refused(ctx, now, no)
	}
	kept, err := w.keepProposal(ctx, program, o, now)
	if err != nil {
		why := "it needs a person's approval, and cannot be proposed: " + err.Error()
		if err := w.askHuman(ctx, o.Service, notify.Code(guard.CommandLine(o.Argv))+" was not run: "+why); err != nil {
			why += "; nor could people be told: " + err.Error()
		}
		return &guard.RefusalError{Rule: guard.RuleCall, Reason: why}
	}
	return guard.Refuse(guard.RuleApproval,
		"not run: %s; it runs in a later cycle if they permit it. Go on with what you may do, and end without it", notify.ProposalWaits(kept))
}

// keepProposal keeps an act with the state of what it depends on.
func (w *workplace) keepProposal(ctx context.Context, program string, o guard.Order, now *state.State) (store.Proposal, error) {
	p := store.Proposal{
		SessionID: &w.run.session.ID, Tier: w.run.session.Tier, Program: program, Argv: o.Argv, Dir: o.Dir,
		Service: o.Service, Action: statefile.Action(o.Action), Reason: o.Why,
	}
	if o.Action == guard.Redeploy {
		p.Action = statefile.Redeployment
	}
	var err error
	if p.Bound, err = guard.Bind(program, o, w.closed()); err != nil {
		return p, err
	}
	return w.records().Propose(ctx, p, guard.CommandLine(o.Argv), now.Service(o.Service).AboutNow(w.Redactor.String))
}

// differing refuses an approved act if anything that the proposal binds is not as it was.
func (w *workplace) differing(program string, o guard.Order) error {
	bound, err := guard.Bind(program, o, w.closed())
	switch {
	case err != nil:
		w.run.differs = err.Error()
	case program != w.run.approved.Program:
		w.run.differs = fmt.Sprintf("its program is now %s, and was %s", program, w.run.approved.Program)
	default:
		w.run.differs = guard.Difference(w.run.approved.Bound, bound)
	}
	if w.run.differs == "" {
		return nil
	}
	return &guard.RefusalError{Rule: guard.RuleApproval, Reason: w.run.differs}
}

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
	run := newRun(proposal.Tier, agentApproved, nil)
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
		exit, err := w.broker.Act(ctx, "approval", o, nil, out, out)
		switch {
		case run.differs != "":
			err = errors.Join(err, errors.New("void, and not run: "+run.differs))
		case exit != 0 && ctx.Err() == nil:
			said := text.Shorten(strings.TrimSpace(out.String()), maxLoggedCommand)
			err = errors.Join(err, fmt.Errorf("exit status %d: %s", exit, said))
		}
		return exit, err
	})
}

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
	byAgent := w.session.Agent == agentClaude || w.session.Agent == store.FirstAid
	switch {
	case w.approved != nil:
		return w.differing(program, o)
	case !o.Asks || !byAgent && o.Action != guard.Ask: // a person who does it has permitted it
		return nil
	case w.session.ID == 0:
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
		SessionID: &w.session.ID, Tier: w.session.Tier, Program: program, Argv: o.Argv, Dir: o.Dir,
		Service: o.Service, Action: statefile.Action(o.Action), Reason: o.Why,
	}
	if o.Action == guard.Redeploy {
		p.Action = statefile.Redeployment
	}
	var err error
	if p.Bound, err = bind(program, o, w.closed()); err != nil {
		return p, err
	}
	return w.records().Propose(ctx, p, guard.CommandLine(o.Argv), now.Service(o.Service).AboutNow(w.Redactor.String))
}

// orderOf returns what a proposal runs.
func orderOf(p store.Proposal) guard.Order {
	action := guard.Action(p.Action)
	if p.Action == statefile.Redeployment {
		action = guard.Redeploy
	}
	return guard.Order{Action: action, Service: p.Service, Argv: p.Argv, Dir: p.Dir, Why: p.Reason}
}

// differing refuses an approved act if anything that the proposal binds is not as it was.
func (w *workplace) differing(program string, o guard.Order) error {
	bound, err := bind(program, o, w.closed())
	switch {
	case err != nil:
		w.differs = err.Error()
	case program != w.approved.Program:
		w.differs = fmt.Sprintf("its program is now %s, and was %s", program, w.approved.Program)
	default:
		w.differs = difference(w.approved.Bound, bound)
	}
	if w.differs == "" {
		return nil
	}
	return &guard.RefusalError{Rule: guard.RuleApproval, Reason: w.differs}
}

// endProposals ends what no longer waits at the start of a cycle: proposals that have expired, and those whose run was cut off. Such a
// one may have run, and never runs again.
func (c *Cycle) endProposals(ctx context.Context) error {
	pending, err := c.Store.PendingProposals(ctx)
	if err != nil {
		return err
	}
	const why = "its cycle was killed; it is not known whether it ran, and it does not run again"
	for _, proposal := range pending {
		if proposal.RunSessionID == nil {
			continue
		}
		if err := c.apply(ctx, *proposal.RunSessionID, endRun{proposal, store.ProposalFailed, why}); err != nil {
			return err
		}
	}
	return c.ExpireProposals(ctx)
}

// runProposal runs an approved proposal, once, as a session of its tier.
func (c *Cycle) runProposal(ctx context.Context, done *tierRun, proposal store.Proposal) error {
	run := newRun(proposal.Tier, agentApproved, nil)
	if proposal.Service != "" {
		run.services = []string{proposal.Service}
	}
	differs := ""
	return c.actAlone(ctx, done, run, alone{
		begin: func(session int64) error { return c.Store.ClaimProposal(ctx, proposal.ID, session) },
		act: func(ctx context.Context, w *workplace, out *bytes.Buffer) (int, error) {
			w.approved = &proposal
			o := orderOf(proposal)
			o.Timeout = c.Config.Tier(proposal.Tier).Timeout
			exit, err := w.broker.Act(ctx, "approval", o, nil, out, out)
			differs = w.differs
			switch {
			case differs != "":
				err = errors.Join(err, errors.New("void, and not run: "+differs))
			case exit != 0 && ctx.Err() == nil:
				said := text.Shorten(strings.TrimSpace(out.String()), maxLoggedCommand)
				err = errors.Join(err, fmt.Errorf("exit status %d: %s", exit, said))
			}
			return exit, err
		},
		kind: Ran, round: func(r *Round) { r.Proposal, r.Differs = proposal, differs },
	})
}

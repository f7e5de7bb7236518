package cycle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// agentApproved is the sessions.agent value of a session without a model, which runs a call that a person has approved.
const agentApproved = "approved"

// ask keeps an act that a person must permit, and refuses it; nil if the act may run. In a session that runs an approved proposal
// it refuses what is not exactly that.
func (w *workplace) ask(ctx context.Context, id, program string, o guard.Order) error {
	byAgent := w.session.Agent == agentClaude || w.session.Agent == store.FirstAid
	switch {
	case w.approved != nil:
		return w.differing(ctx, program, o)
	case !o.Asks || !byAgent && o.Action != guard.Ask: // a person who does it has permitted it
		return nil
	case w.session.ID == 0:
		return guard.Refuse(guard.RuleCall, "it would be put to a person, and was not: with --act it is")
	}
	now, err := state.Of(ctx, w.acting)
	if err != nil {
		return err
	}
	if no := w.mayTouch(now, o); no != nil {
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
	b := w.agent
	p := store.Proposal{
		SessionID: &w.session.ID, Tier: w.session.Tier, Program: program, Argv: o.Argv, Dir: o.Dir,
		Service: o.Service, Action: string(o.Action), Reason: o.Why,
	}
	if o.Action == guard.Redeploy {
		p.Action = store.ProposedRedeployment
	}
	var err error
	if p.Bound, err = bind(ctx, program, o, w.closed()); err != nil {
		return p, err
	}
	return b.Propose(ctx, p, guard.CommandLine(o.Argv), now.Service(o.Service).AboutNow(w.Redactor.String))
}

// orderOf returns what a proposal runs.
func orderOf(p store.Proposal) guard.Order {
	action := guard.Action(p.Action)
	if p.Action == store.ProposedRedeployment {
		action = guard.Redeploy
	}
	return guard.Order{Action: action, Service: p.Service, Argv: p.Argv, Dir: p.Dir, Why: p.Reason}
}

// differing refuses an approved act if anything that the proposal binds is not as it was.
func (w *workplace) differing(ctx context.Context, program string, o guard.Order) error {
	p := w.approved
	switch bound, err := bind(ctx, program, o, w.closed()); {
	case err != nil:
		w.differs = err.Error()
	case program != p.Program:
		w.differs = fmt.Sprintf("its program is now %s, and was %s", program, p.Program)
	default:
		w.differs = difference(p.Bound, bound)
	}
	if w.differs == "" {
		return nil
	}
	return &guard.RefusalError{Rule: guard.RuleApproval, Reason: w.differs}
}

// endProposals ends what no longer waits at the start of a cycle: proposals that have expired, and those whose run was cut off. Such a
// one may have run, and never runs again.
func (c *Cycle) endProposals(keep context.Context) error {
	pending, err := c.Store.PendingProposals(keep)
	if err != nil {
		return err
	}
	for _, p := range pending {
		if p.RunSessionID != nil {
			err := c.Together(keep, func() error {
				const why = "its cycle was killed; it is not known whether it ran, and it does not run again"
				return c.endRun(keep, p, store.ProposalFailed, why, *p.RunSessionID)
			})
			if err != nil {
				return err
			}
		}
	}
	return c.ExpireProposals(keep)
}

// voidOutdated ends the proposals whose incident is over or has changed.
func (c *Cycle) voidOutdated(keep context.Context) error {
	_, err := c.round(keep, 0, nil, (*planner).planOutdated)
	return err
}

// voidProposal ends a proposal that no longer fits. Whoever approved it is told.
func (c *Cycle) voidProposal(keep context.Context, p store.Proposal, why string) error {
	return c.Together(keep, func() error {
		err := c.VoidProposal(keep, p, why)
		if errors.Is(err, store.ErrNotFound) { // it was decided meanwhile
			return nil
		}
		if err != nil || p.Status == store.ProposalWaiting {
			return err
		}
		return c.Queue(keep, "", notify.ApprovedEnded(p, "It did not run: "+why))
	})
}

// runApproved runs what people have approved, each once, after the checks of this cycle and before a tier is chosen.
func (c *Cycle) runApproved(ctx, keep context.Context, done *tierRun) error {
	approved, err := c.Store.Proposals(keep, store.ProposalFilter{Status: store.ProposalApproved})
	if err != nil {
		return err
	}
	for _, p := range slices.Backward(approved) {
		if p.RunSessionID != nil || ctx.Err() != nil || c.asked() && !slices.Contains(c.Config.Services, p.Service) || c.unseen(p.Service) {
			continue
		}
		if why := c.mayRun(p, done.proven[p.Service]); why != "" {
			err = c.voidProposal(keep, p, why)
		} else {
			err = c.runProposal(ctx, keep, done, p)
		}
		if err != nil {
			return err
		}
		if c.held[p.Service].Kind == state.Proposed { // what else holds it back still does
			delete(c.held, p.Service)
			c.summary.released(p.Service)
		}
	}
	return nil
}

// unseen reports whether this cycle has not made the checks of a service, because Tier 1 failed or ran out of time: what was approved waits
// for them.
func (c *Cycle) unseen(service string) bool {
	return len(c.checked([]string{service})) > 0 && !slices.ContainsFunc(c.found, func(e evaluation) bool { return e.service == service })
}

// mayRun returns why an approved proposal must not run in this cycle, as a clause; empty if it may. proven is set if its service is healthy
// since the cycle's checks: what ran before it has helped.
func (c *Cycle) mayRun(p store.Proposal, proven bool) string {
	found := slices.IndexFunc(c.found, func(e evaluation) bool { return e.service == p.Service })
	switch {
	case c.Config.DryRun:
		return "CLAUDEOPS_DRY_RUN is set"
	case p.Tier > c.Config.MaxTier:
		return fmt.Sprintf("it is Tier %d's, and CLAUDEOPS_MAX_TIER is %d", p.Tier, c.Config.MaxTier)
	case p.IncidentID != nil && (proven || found >= 0 && c.found[found].status == check.Healthy):
		return p.Service + " is healthy again"
	}
	return ""
}

// runProposal runs an approved proposal as a session of its tier, and proves it.
func (c *Cycle) runProposal(ctx, keep context.Context, observed *tierRun, p store.Proposal) error {
	run := newRun(p.Tier, agentApproved, nil)
	if p.Service != "" {
		run.services = []string{p.Service}
	}
	if err := c.Together(keep, func() (err error) { // with the claim, so that it never runs twice
		if run.session, err = c.addSession(keep, run); err != nil {
			return err
		}
		return c.Store.ClaimProposal(keep, p.ID, run.session.ID)
	}); err != nil {
		return err
	}
	if err := c.link(keep, run, "", ""); err != nil {
		return err
	}
	differs, err := c.callApproved(ctx, keep, run, p)
	if err != nil {
		run.fails(err.Error())
	}
	if err := c.concludeTier(keep, run); err != nil {
		return err
	}
	if differs != "" {
		return c.voidProposal(keep, p, differs)
	}
	if _, err := c.follow(ctx, keep, run); err != nil {
		return err
	}
	status, outcome := ran(run, p, len(c.checked(run.services)) > 0)
	observed.proven[p.Service] = run.proven[p.Service]
	return c.Together(keep, func() error { return c.endRun(keep, p, status, outcome, run.session.ID) })
}

// ran returns the last status of a proposal that was run, and what came of it. proves is set if checks tell.
func ran(run *tierRun, p store.Proposal, proves bool) (store.ProposalStatus, string) {
	switch {
	case run.outcome.Ending != tiers.Completed:
		return store.ProposalFailed, run.outcome.Reason
	case run.unproven:
		return store.ProposalDone, "it ran; a signal came before the checks after it"
	case p.Service == "" || !proves:
		return store.ProposalDone, "it ran; no check of the program tells whether it helped"
	case run.proven[p.Service]:
		return store.ProposalDone, "it ran, and the checks find " + p.Service + " healthy"
	}
	return store.ProposalFailed, "it ran, and the checks after it do not find " + p.Service + " healthy"
}

// endRun records how the run of a proposal ended, and tells people.
func (c *Cycle) endRun(keep context.Context, p store.Proposal, status store.ProposalStatus, outcome string, session int64) error {
	if err := c.Store.EndProposal(keep, p.ID, p.Status, status, c.Redactor.String(outcome)); err != nil {
		return err
	}
	level := store.Info
	if status == store.ProposalFailed {
		level = store.Critical
		c.summary.addAttention(p.Service, fmt.Sprintf("proposal %d failed: %s", p.ID, outcome))
	}
	if err := c.event(keep, level, session, p.Service, fmt.Sprintf("proposal %d %s: %s", p.ID, status, outcome)); err != nil {
		return err
	}
	return c.Queue(keep, "", notify.ApprovedEnded(p, outcome))
}

// callApproved runs what was approved through the broker, and sets the outcome of the run. differs says why it was void instead.
func (c *Cycle) callApproved(ctx, keep context.Context, run *tierRun, p store.Proposal) (differs string, err error) {
	err = c.actAlone(ctx, keep, run, func(ctx context.Context, w *workplace, out io.Writer) (int, error) {
		w.approved = &p
		o := orderOf(p)
		o.Timeout = c.Config.Tier(p.Tier).Timeout
		exit, err := w.broker.Act(ctx, "approval", o, nil, out, out)
		differs = w.differs
		return exit, err
	})
	switch {
	case differs != "":
		run.outcome.Ending, run.outcome.Reason = tiers.Failed, "void, and not run: "+differs
	case run.outcome.Ending == tiers.Completed && run.outcome.ExitCode != 0:
		run.outcome.Ending = tiers.Failed
		run.outcome.Reason = fmt.Sprintf("exit status %d: %s", run.outcome.ExitCode, text.Shorten(run.outcome.Response, maxLoggedCommand))
	}
	return differs, err
}

// actAlone makes one act for a session without a model, and sets the outcome of the run: completed, whatever the exit status, or
// interrupted.
func (c *Cycle) actAlone(
	ctx, keep context.Context, run *tierRun, act func(ctx context.Context, w *workplace, out io.Writer) (exit int, err error),
) (err error) {
	w, err := c.openWorkplace(keep, run.session)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close(keep)) }()
	began := c.Now()
	var out bytes.Buffer
	exit := 0
	c.watchWhile(ctx, keep, run, c.after(toldAfter), func() { exit, err = act(ctx, w, &out) })
	run.outcome = tiers.Outcome{
		Ending: tiers.Completed, ExitCode: exit, DurationMS: c.Now().Sub(began).Milliseconds(), Response: strings.TrimSpace(out.String()),
	}
	if ctx.Err() != nil {
		run.outcome.Ending, run.outcome.Reason = tiers.Interrupted, context.Cause(ctx).Error()
	}
	return err
}

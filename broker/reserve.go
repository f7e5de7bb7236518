package broker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Do does a verb in the name of the session, called in a folder: of a model, of first aid, of a person's trial.
func (w *Workplace) Do(
	ctx context.Context, id string, v guard.Verb, dir string, out, faults io.Writer,
) (exit int, err error) {
	o, refusal := guard.Orders{
		Tier: w.Session.Tier, DryRun: w.Config.DryRun, ReposDir: w.repos(), Inventory: w.Inventory,
		Approval: w.Config.Approval, Environ: w.Broker.ActEnviron, Look: Looker{w.Broker.ActEnviron}.Run,
	}.Order(ctx, v, dir)
	if refusal != nil && v.Action == guard.Ask && len(o.Argv) > 0 && w.Session.ID != 0 { // it reaches people all the same
		err = w.askHuman(ctx, o.Service, notify.Code(guard.CommandLine(o.Argv))+": "+refusal.Reason)
	}
	exit, failed := w.Broker.Act(ctx, id, o, refusal, out, faults)
	return exit, errors.Join(err, failed)
}

// repos returns REPOS_DIR, or / where it is not accessible.
func (w *Workplace) repos() string {
	if w.Dir == w.Config.ReposDir {
		return w.Dir
	}
	return "/"
}

// Reserve implements Reservations. What a person must permit is kept for them, a trial refuses, and so does
// what holds the service back now.
func (w *Workplace) Reserve(ctx context.Context, id, program string, o guard.Order) error {
	if err := w.permit(ctx, program, o); err != nil {
		return err
	}
	if w.Session.ID == 0 {
		return guard.Refuse(guard.RuleCall, "%s of %s was not run: with --act it is reserved, run and counted", o.Action, o.Service)
	}
	var now *state.State
	b := w.records()
	err := b.Reserve(ctx, id, wantedBy(o), func(file *statefile.State) (err error) {
		if now, err = state.Load(ctx, b.Store, file, w.Inventory, w.Config, w.Now()); err != nil {
			return err
		}
		if no := w.mayTouch(now, o); no != nil {
			return no
		}
		return nil
	})
	if no := (*state.Refusal)(nil); errors.As(err, &no) {
		return w.refused(ctx, now, no)
	}
	return err
}

// mayTouch returns why the session may not do what an order says now; nil if it may.
func (w *Workplace) mayTouch(now *state.State, o guard.Order) *state.Refusal {
	wanted := wantedBy(o)
	no := now.MayTouch(o.Service, wanted.Action, state.ByOf(w.Session))
	if no != nil {
		no.Wanted = notify.Masked(wanted.Detail, w.Redactor.String, maxLogged)
	}
	return no
}

// refused records a refusal, asks a human where one is needed, and returns it for the broker.
func (w *Workplace) refused(ctx context.Context, now *state.State, no *state.Refusal) error {
	ask, about := no.Ask(), now.Service(no.Service).About(w.Redactor.String)
	if err := w.records().Refused(ctx, about, no.Event(), ask); err != nil {
		return errors.Join(no, err)
	}
	no.HumanAsked = ask.Cause != ""
	rule := guard.RuleHeld
	if no.Limited() {
		rule = guard.RuleLimits
	}
	return &guard.RefusalError{Rule: rule, Reason: no.Error()}
}

// askHuman passes a request of the session on to a human.
func (w *Workplace) askHuman(ctx context.Context, service, words string) error {
	b := w.records()
	now, err := state.Of(ctx, b)
	if err != nil {
		return err
	}
	return b.AskHuman(ctx, now.Service(service).About(w.Redactor.String), words)
}

// Complete implements Reservations.
func (w *Workplace) Complete(ctx context.Context, id, fault string, took time.Duration) error {
	return w.records().Complete(ctx, id, fault, took)
}

// wantedBy returns the act that an order is on record as.
func wantedBy(o guard.Order) store.Act {
	return store.Act{Service: o.Service, Action: o.Action.Counts(), Detail: guard.CommandLine(o.Argv)}
}

// permit returns nil if an act may run without a person; one that may not is kept for them, and refused. In a session that runs an approved
// proposal it refuses what is not exactly that.
func (w *Workplace) permit(ctx context.Context, program string, o guard.Order) error {
	byPerson := w.Session.Agent == store.Operator || w.Session.ID == 0
	switch {
	case w.Approved != nil:
		return w.differing(program, o)
	case !o.Asks || byPerson && o.Action != guard.Ask: // a person who does it has permitted it
		return nil
	case w.Session.ID == 0:
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
func (w *Workplace) keepProposal(ctx context.Context, program string, o guard.Order, now *state.State) (store.Proposal, error) {
	p := store.Proposal{
		SessionID: &w.Session.ID, Tier: w.Session.Tier, Program: program, Argv: o.Argv, Dir: o.Dir,
		Service: o.Service, Action: statefile.Action(o.Action), Reason: o.Why,
	}
	if o.Action == guard.Redeploy {
		p.Action = statefile.Redeployment
	}
	var err error
	if p.Bound, err = guard.Bind(program, o, w.closed()); err != nil {
		return p, err
	}
	return w.records().Propose(ctx, p, guard.CommandLine(o.Argv), now.Service(o.Service).About(w.Redactor.String))
}

// differing refuses an approved act if anything that the proposal binds is not as it was.
func (w *Workplace) differing(program string, o guard.Order) error {
	bound, err := guard.Bind(program, o, w.closed())
	switch {
	case err != nil:
		w.Differs = err.Error()
	case program != w.Approved.Program:
		w.Differs = fmt.Sprintf("its program is now %s, and was %s", program, w.Approved.Program)
	default:
		w.Differs = guard.Difference(w.Approved.Bound, bound)
	}
	if w.Differs == "" {
		return nil
	}
	return &guard.RefusalError{Rule: guard.RuleApproval, Reason: w.Differs}
}

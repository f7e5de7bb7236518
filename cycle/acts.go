package cycle

import (
	"cmp"
	"context"
	"errors"
	"io"
	"time"

	"github.com/claudeops/claudeops/broker"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/probe"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// do does a verb in the name of the session, called in a folder: of a model, of first aid, of a person's trial.
func (w *workplace) do(
	ctx context.Context, id string, v guard.Verb, dir string, out, faults io.Writer,
) (exit int, err error) {
	o, refusal := guard.Orders{
		Tier: w.run.session.Tier, DryRun: w.Config.DryRun, ReposDir: cmp.Or(w.reposDir(), "/"), Inventory: w.Inventory,
		Approval: w.Config.Approval, Environ: w.acts, Look: looker{w.acts}.run,
	}.Order(ctx, v, dir)
	if refusal != nil && v.Action == guard.Ask && len(o.Argv) > 0 && w.run.session.ID != 0 { // it reaches people all the same
		err = w.askHuman(ctx, o.Service, notify.Code(guard.CommandLine(o.Argv))+": "+refusal.Reason)
	}
	exit, failed := w.broker.Act(ctx, id, o, refusal, out, faults)
	return exit, errors.Join(err, failed)
}

// actEnviron returns the environment of acts: the operator's without what is this program's own, and with the engine that checks reach. An
// agent's looks have less of it (broker.Environ).
func (c *Cycle) actEnviron(runToken string) []string {
	environ := broker.OperatorEnviron(c.Environ)
	if config.Lookup(environ, "DOCKER_HOST") == "" { // docker would ask that of its current context
		environ = append(environ, "DOCKER_HOST="+probe.EngineAddress(c.Environ))
	}
	return append(environ, config.RunTokenVariable+"="+runToken) // for recovery to find what a killed cycle leaves of it
}

// Reserve implements broker.Reservations. What a person must permit is kept for them, a trial refuses, and so does
// what holds the service back now.
func (w *workplace) Reserve(ctx context.Context, id, program string, o guard.Order) error {
	if err := w.ask(ctx, program, o); err != nil {
		return err
	}
	if w.run.session.ID == 0 {
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
func (w *workplace) mayTouch(now *state.State, o guard.Order) *state.Refusal {
	wanted := wantedBy(o)
	no := now.MayTouch(o.Service, wanted.Action, state.ByOf(w.run.session))
	if no != nil {
		no.Wanted = notify.Masked(wanted.Detail, w.Redactor.String, maxLoggedCommand)
	}
	return no
}

// refused records a refusal, asks a human where one is needed, and returns it for the broker.
func (w *workplace) refused(ctx context.Context, now *state.State, no *state.Refusal) error {
	ask, about := no.Ask(), now.Service(no.Service).AboutNow(w.Redactor.String)
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
func (w *workplace) askHuman(ctx context.Context, service, words string) error {
	b := w.records()
	now, err := state.Of(ctx, b)
	if err != nil {
		return err
	}
	about := notify.About{}
	if service != "" {
		about = now.Service(service).AboutNow(w.Redactor.String)
	}
	return b.AskHuman(ctx, about, words)
}

// Complete implements broker.Reservations.
func (w *workplace) Complete(ctx context.Context, id, fault string, took time.Duration) error {
	return w.records().Complete(ctx, id, fault, took)
}

// wantedBy returns the act that an order is on record as.
func wantedBy(o guard.Order) store.Act {
	actions := map[guard.Action]statefile.Action{guard.Restart: statefile.Restart, guard.Redeploy: statefile.Redeployment}
	action := cmp.Or(actions[o.Action], statefile.Other)
	return store.Act{Service: o.Service, Action: action, Detail: guard.CommandLine(o.Argv)}
}

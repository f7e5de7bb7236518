package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

func init() { addCommand((*app).cooldownCommand) }

func (a *app) cooldownCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "cooldown",
		Short: "Show and record restarts and redeployments, and what the limits still permit",
		Long: fmt.Sprintf(`cooldown shows and changes cooldown.json, which counts restarts and redeployments. A service may be restarted at most
%d times in %d h and redeployed at most %d time in %d h; no agent can go beyond that.`,
			statefile.Restart.Limit(), int(statefile.Restart.Window().Hours()),
			statefile.Redeployment.Limit(), int(statefile.Redeployment.Window().Hours())),
	}
	c.AddCommand(a.cooldownShowCommand(), a.cooldownCheckCommand(), a.cooldownRecordCommand(), a.cooldownResetCommand())
	return c
}

func (a *app) cooldownShowCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show [SERVICE]",
		Short: "Show how much of each limit is used",
		RunE: a.onRecords(store.ReadOnly, func(ctx context.Context, b *ledger.Records, args []string) error {
			for i, name := range args {
				args[i] = b.Inventory.NameOf(name)
			}
			return a.showCooldowns(ctx, b, args)
		}),
	}
}

// shownCooldown is one line of `cooldown show`.
type shownCooldown struct {
	Service            string      `json:"service"`
	Restart            state.Limit `json:"restart"`
	Redeployment       state.Limit `json:"redeployment"`
	ConsecutiveHealthy int         `json:"consecutive_healthy"`
}

func (a *app) showCooldowns(ctx context.Context, b *ledger.Records, names []string) error {
	st, err := state.Of(ctx, b)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		names = slices.Sorted(maps.Keys(st.File.Services))
	}
	shown := []shownCooldown{}
	for _, name := range names {
		s := st.Service(name)
		restart, redeployment := s.Both()
		shown = append(shown, shownCooldown{name, restart.AsLimit(""), redeployment.AsLimit(""), s.HealthyCycles()})
		a.noteUnseen(st, name)
	}
	return show(a, shown, "no service has been seen yet", []string{"SERVICE", "RESTARTS", "REDEPLOYMENTS", "HEALTHY CYCLES"}, func(s shownCooldown) []string {
		return []string{s.Service, a.place(s.Restart), a.place(s.Redeployment), fmt.Sprintf("%d of %d", s.ConsecutiveHealthy, statefile.HealthyToReset)}
	})
}

// noteUnseen suggests a service for a name that has no counters.
func (a *app) noteUnseen(st *state.State, name string) {
	if _, seen := st.File.Services[name]; !seen {
		a.noteService(st.Inventory, name)
	}
}

// place describes how much of a limit is used and, if it is used up, until when.
func (a *app) place(l state.Limit) string {
	text := fmt.Sprintf("%d of %d", l.Used, l.Limit)
	if l.FreesAt != nil {
		text += ", free at " + a.local(*l.FreesAt)
	}
	return text
}

func (a *app) cooldownCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check SERVICE restart|redeployment",
		Short: "Say whether a remediation is permitted now: exit 0 if it is, 1 if not",
		RunE: func(c *cobra.Command, args []string) error {
			mode := store.ReadOnly
			if l, err := a.load(); err == nil && l.config.Agent.SessionID != 0 {
				mode = store.ReadWrite // a refusal asks a human
			}
			return a.onRecords(mode, a.checkCooldown)(c, args)
		},
	}
}

func (a *app) checkCooldown(ctx context.Context, b *ledger.Records, args []string) error {
	st, err := state.Of(ctx, b)
	if err != nil {
		return err
	}
	by, err := wantedBy(ctx, b)
	if err != nil {
		return err
	}
	is, action := st.Service(args[0]), statefile.Action(args[1])
	refusal := st.MayTouch(is.Name, action, by)
	limit, said := is.Permission(action).AsLimit(""), "permitted: "+is.Permission(action).Of(is.Name)
	if refusal != nil {
		said = "not permitted: " + refusal.Why()
		limit = is.Permission(action).AsLimit(refusal.Held())
	}
	if err := a.answer(limit, said+"\n"); err != nil {
		return err
	}
	a.noteUnseen(st, is.Name)
	if refusal != nil && refusal.Limited() && b.InSession() {
		if err := b.Refused(ctx, is.About(b.Redactor.String), refusal.Event(), refusal.Ask()); err != nil {
			return err
		}
	}
	return failUnless(refusal == nil)
}

// wantedBy returns who asks: the session of an agent, or a script outside of any.
func wantedBy(ctx context.Context, b *ledger.Records) (state.By, error) {
	if !b.InSession() || b.Store == nil {
		return state.By{}, nil
	}
	session, err := b.Store.Session(ctx, b.Config.Agent.SessionID)
	return state.ByOf(session), err
}

func (a *app) cooldownRecordCommand() *cobra.Command {
	c := &cobra.Command{Use: "record SERVICE restart|redeployment success|failure", Short: "Record a remediation that was attempted"}
	fault := c.Flags().String("error", "", "why it failed, as `TEXT`")
	c.RunE = a.onRecords(store.ReadWrite, func(ctx context.Context, b *ledger.Records, args []string) error {
		service := b.Inventory.NameOf(args[0])
		a.noteService(b.Inventory, service)
		done := store.Act{Service: service, Action: statefile.Action(args[1]), Success: args[2] == "success", Error: *fault}
		if err := b.Record(ctx, done); err != nil {
			return err
		}
		st, err := state.Of(ctx, b)
		if err != nil {
			return err
		}
		p := st.Service(service).Permission(done.Action)
		return a.answer(p.AsLimit(""), "recorded: "+p.Of(service)+"\n")
	})
	return c
}

func (a *app) cooldownResetCommand() *cobra.Command {
	var lost bool
	c := &cobra.Command{
		Use:   "reset [SERVICE]",
		Short: "Empty a service's counters, as two healthy cycles would (for operators)",
		Long: `reset empties a service's counters, as two healthy cycles would, and what its incident counts beyond these: a service that was
flapping may be worked on again. It is for operators, who have mended the service for good: agents are refused.

Where a database was set aside, so that it is not known what was done in the last 24 h, nothing is remediated for a day.
reset --lost-count accepts that: remediation goes on at once, for all services.`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case lost && len(args) > 0:
				return errors.New("SERVICE or --lost-count, not both")
			case !lost && len(args) == 0:
				return errors.New("missing: SERVICE")
			}
			return nil
		},
		RunE: a.quietening("cooldown reset", func(ctx context.Context, b *ledger.Records, args []string) error {
			if lost {
				return a.acceptLoss(ctx, b)
			}
			return a.resetIn(ctx, b, args[0])
		}),
	}
	c.Flags().BoolVar(&lost, "lost-count", false, "let remediation go on although the count of the last 24 h was lost with a database")
	return c
}

func (a *app) acceptLoss(ctx context.Context, b *ledger.Records) error {
	accepted, err := b.AcceptLoss(ctx)
	if err != nil {
		return err
	}
	said := "remediation goes on\n"
	if !accepted {
		said = "no count is lost\n"
	}
	return a.answer(map[string]bool{"accepted": accepted}, said)
}

func (a *app) resetIn(ctx context.Context, b *ledger.Records, service string) error {
	service = b.Inventory.NameOf(service)
	if err := resetCounters(ctx, b, service, byCommand()); err != nil {
		return err
	}
	if a.json {
		return a.showCooldowns(ctx, b, []string{service})
	}
	return a.print("counters of " + service + " are empty\n")
}

// resetCounters empties a service's counters. The event records who wanted it.
func resetCounters(ctx context.Context, b *ledger.Records, service, by string) error {
	st, err := b.State(ctx)
	if err != nil {
		return err
	}
	if _, known := st.Services[service]; !known {
		return &noCountersError{service, didYouMean(nil, service, slices.Collect(maps.Keys(st.Services))...)}
	}
	if err := b.Reset(ctx, service); err != nil {
		return err
	}
	return b.Store.AddEvent(ctx, store.Event{Level: store.Info, Service: service, Message: "counters emptied (" + by + ")"})
}

// noCountersError means that a service has no counters.
type noCountersError struct{ service, meant string }

func (e *noCountersError) Error() string {
	return e.service + ": no service of that name in cooldown.json; `claudeops cooldown show` lists them" + e.meant
}

func (*noCountersError) Unwrap() error { return store.ErrNotFound }

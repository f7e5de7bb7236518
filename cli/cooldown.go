package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/records"
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

// The arguments of the cooldown commands, as help and errors name them.
const (
	argService = "SERVICE"
	argAction  = "restart|redeployment"
	argOutcome = "success|failure"
)

// serviceAndAction checks the first argument and the second, where they are there.
func serviceAndAction(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		if fault := check.ServiceNameFault(args[0]); fault != "" {
			return fmt.Errorf("%s: %s", argService, fault)
		}
	}
	if len(args) > 1 {
		if _, err := statefile.ParseAction(args[1]); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) cooldownShowCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show [SERVICE]",
		Short: "Show how much of each limit is used",
		Args:  cobra.MatchAll(takes("["+argService+"]"), serviceAndAction),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withInventory(c, store.ReadOnly, func(b *records.Records) error {
				for i, name := range args {
					args[i] = b.Inventory.NameOf(name)
				}
				return a.showCooldowns(c, b, args)
			})
		},
	}
}

// shownCooldown is a line of `cooldown show`.
type shownCooldown struct {
	Service            string        `json:"service"`
	Restart            records.Limit `json:"restart"`
	Redeployment       records.Limit `json:"redeployment"`
	ConsecutiveHealthy int           `json:"consecutive_healthy"`
}

func (a *app) showCooldowns(c *cobra.Command, b *records.Records, names []string) error {
	limits, err := b.Limits(c.Context())
	if err != nil {
		return err
	}
	if len(names) == 0 {
		names = slices.Sorted(maps.Keys(limits.State.Services))
	}
	shown := []shownCooldown{}
	for _, name := range names {
		restart, redeployment, err := limits.Both(c.Context(), name)
		if err != nil {
			return err
		}
		shown = append(shown, shownCooldown{name, restart.AsLimit(), redeployment.AsLimit(), limits.State.Service(name).ConsecutiveHealthy})
	}
	for _, s := range shown { // of which at most one, that was asked for, was never seen
		if _, seen := limits.State.Services[s.Service]; seen {
			continue
		}
		if inv, err := readInventory(b.Config); err == nil { // without which the answer is the same
			a.noteService(inv, s.Service)
		}
	}
	if a.json {
		return a.printJSON(shown)
	}
	if len(shown) == 0 {
		return a.print("no service has been seen yet\n")
	}
	return a.printTable([]string{"SERVICE", "RESTARTS", "REDEPLOYMENTS", "HEALTHY CYCLES"}, func(row func(...string)) {
		for _, s := range shown {
			row(s.Service, a.place(s.Restart), a.place(s.Redeployment), fmt.Sprintf("%d of %d", s.ConsecutiveHealthy, statefile.HealthyToReset))
		}
	})
}

// place says how much of a limit is used, and where it is used up, until when.
func (a *app) place(l records.Limit) string {
	text := fmt.Sprintf("%d of %d", l.Used, l.Limit)
	if l.FreesAt != nil {
		text += ", free at " + a.local(*l.FreesAt)
	}
	return text
}

func (a *app) cooldownCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check " + argService + " " + argAction,
		Short: "Say whether a remediation is permitted now: exit 0 if it is, 1 if not",
		Args:  cobra.MatchAll(takes(argService, argAction), serviceAndAction),
		RunE: func(c *cobra.Command, args []string) error {
			mode := store.ReadOnly
			if l, err := a.load(); err == nil && l.config.Agent.SessionID != 0 {
				mode = store.ReadWrite // a refusal asks a human
			}
			return a.withInventory(c, mode, func(b *records.Records) error { return a.checkCooldown(c, b, args[0], statefile.Action(args[1])) })
		},
	}
}

func (a *app) checkCooldown(c *cobra.Command, b *records.Records, service string, action statefile.Action) (err error) {
	service = b.Inventory.NameOf(service)
	hold, err := b.Hold(c.Context(), service)
	if err != nil {
		return err
	}
	limits, err := b.Limits(c.Context(), service)
	if err != nil {
		return err
	}
	p, err := limits.Of(c.Context(), service, action)
	if err != nil {
		return err
	}
	permitted := p.Permitted() && hold.Reason == ""
	switch limit := p.AsLimit(); {
	case a.json:
		limit.Permitted, limit.Held = permitted, hold.Reason
		err = a.printJSON(limit)
	case hold.Reason != "":
		err = a.print("not permitted: " + (&records.HeldError{Service: service, Hold: hold}).Error() + "\n")
	case permitted:
		err = a.print("permitted: " + p.Of(service) + "\n")
	default:
		err = a.print("not permitted: " + p.Of(service) + "\n")
	}
	if _, seen := limits.State.Services[service]; err == nil && !seen {
		a.noteService(b.Inventory, service)
	}
	if err != nil || permitted {
		return err
	}
	if b.InSession() && !p.Permitted() {
		if err := b.Refused(c.Context(), service, p); err != nil {
			return err
		}
	}
	return &exitError{code: exitFault}
}

func (a *app) cooldownRecordCommand() *cobra.Command {
	var fault string
	c := &cobra.Command{
		Use:   "record " + argService + " " + argAction + " " + argOutcome,
		Short: "Record a remediation that was attempted",
		Args:  cobra.MatchAll(takes(argService, argAction, argOutcome), serviceAndAction, outcome),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withInventory(c, store.ReadWrite, func(b *records.Records) error {
				told := records.Told{Service: b.Inventory.NameOf(args[0]), Action: statefile.Action(args[1]), Success: args[2] == "success", Message: b.Redactor.String(fault)}
				return a.recordCooldown(c, b, told)
			})
		},
	}
	c.Flags().StringVar(&fault, "error", "", "why it failed, as `TEXT`")
	return c
}

func (a *app) recordCooldown(c *cobra.Command, b *records.Records, told records.Told) error {
	p, err := b.Record(c.Context(), told)
	if err != nil {
		return err
	}
	a.noteService(b.Inventory, told.Service)
	if a.json {
		return a.printJSON(p.AsLimit())
	}
	return a.print("recorded: " + p.Of(told.Service) + "\n")
}

func outcome(_ *cobra.Command, args []string) error {
	if args[2] != "success" && args[2] != "failure" {
		return fmt.Errorf("%q is neither success nor failure", args[2])
	}
	return nil
}

func (a *app) cooldownResetCommand() *cobra.Command {
	var lost bool
	c := &cobra.Command{
		Use:   "reset " + argService,
		Short: "Empty a service's counters, as two healthy cycles would (for operators)",
		Long: `reset empties a service's counters, as two healthy cycles would, and what its incident counts beyond these: a service that was
flapping may be worked on again. It is for operators, who have mended the service for good: agents are refused, and so is everybody
while a cycle runs (exit 75).

Where a damaged database was made anew and it is not all known what was done in the last 24 h, nothing is remediated for a day.
reset --lost-count accepts that: remediation goes on at once, for all services.`,
		Args: func(c *cobra.Command, args []string) error {
			if lost {
				return takes()(c, args)
			}
			return cobra.MatchAll(takes(argService), serviceAndAction)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			const refusal = "cooldown reset is for operators: an agent adds records, it never erases them"
			return a.betweenCycles(c, refusal, "reset", func(b *records.Records) error {
				if lost {
					return a.acceptLoss(c.Context(), b)
				}
				return a.resetIn(c, b, args[0])
			})
		},
	}
	c.Flags().BoolVar(&lost, "lost-count", false, "let remediation go on although a damaged database lost the count of the last 24 h")
	return c
}

func (a *app) acceptLoss(ctx context.Context, b *records.Records) error {
	accepted, err := b.AcceptLoss(ctx)
	switch {
	case err != nil:
		return err
	case a.json:
		return a.printJSON(map[string]bool{"accepted": accepted})
	case !accepted:
		return a.print("no count is lost\n")
	}
	return a.print("remediation goes on\n")
}

func (a *app) resetIn(c *cobra.Command, b *records.Records, service string) (err error) {
	if b.Inventory, err = readInventory(b.Config); err != nil {
		return err
	}
	service = b.Inventory.NameOf(service)
	if err := resetCounters(c.Context(), b, service, "by `claudeops cooldown reset`"); err != nil {
		return err
	}
	if a.json {
		return a.showCooldowns(c, b, []string{service})
	}
	return a.print("counters of " + service + " are empty\n")
}

// resetCounters empties a service's counters for the holder of the cycle lock; an event says how that was asked for.
func resetCounters(ctx context.Context, b *records.Records, service, how string) error {
	b.Ledger.Seize()
	st, err := b.Ledger.State(ctx)
	if err != nil {
		return err
	}
	if _, known := st.Services[service]; !known {
		return &noCountersError{service, didYouMean(nil, service, slices.Collect(maps.Keys(st.Services))...)}
	}
	if err := b.Ledger.Reset(ctx, service); err != nil {
		return err
	}
	return b.Store.AddEvent(ctx, store.Event{Level: store.Info, Service: service, Message: "counters emptied " + how})
}

// noCountersError is that nothing was ever counted for a service.
type noCountersError struct{ service, meant string }

func (e *noCountersError) Error() string {
	return e.service + ": no service of that name in cooldown.json; `claudeops cooldown show` lists them" + e.meant
}

func (*noCountersError) Unwrap() error { return store.ErrNotFound }

package cli

import (
	"context"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

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

package cli

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

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

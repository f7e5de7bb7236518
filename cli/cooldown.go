package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/cycle"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// books opens the records in the state directory for one command.
func (a *app) books(c *cobra.Command, mode store.Mode) (*cycle.Books, error) {
	l, err := a.load()
	if err != nil {
		return nil, err
	}
	return cycle.OpenBooks(c.Context(), l.config, l.redactor, a.Now, mode)
}

// withBooks runs f on the records, as the last thing that the process does.
func (a *app) withBooks(c *cobra.Command, mode store.Mode, f func(*cycle.Books) error) error {
	b, err := a.books(c, mode)
	if err != nil {
		return err
	}
	return errors.Join(f(b), b.Leave())
}

func (a *app) cooldownCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "cooldown",
		Short: "Look at and keep the limits on restarts and redeployments",
		Long: fmt.Sprintf(`cooldown looks at and keeps cooldown.json: at most %d restarts in %d h and %d redeployment in %d h of a service,
over which no agent may go.`,
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
		Args:  cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withBooks(c, store.ReadOnly, func(b *cycle.Books) error { return a.showCooldowns(c, b, args) })
		},
	}
}

// shownCooldown is a line of `cooldown show`.
type shownCooldown struct {
	Service            string      `json:"service"`
	Restart            cycle.Limit `json:"restart"`
	Redeployment       cycle.Limit `json:"redeployment"`
	ConsecutiveHealthy int         `json:"consecutive_healthy"`
}

func (a *app) showCooldowns(c *cobra.Command, b *cycle.Books, names []string) error {
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
	if a.json {
		return writeJSON(a.Out, shown)
	}
	if len(shown) == 0 {
		_, err := fmt.Fprintln(a.Out, "no service has been seen yet")
		return err
	}
	return writeTable(a.Out, []string{"SERVICE", "RESTARTS", "REDEPLOYMENTS", "HEALTHY CYCLES"}, func(row func(...string)) {
		for _, s := range shown {
			row(s.Service, a.place(s.Restart), a.place(s.Redeployment), fmt.Sprintf("%d of %d", s.ConsecutiveHealthy, statefile.HealthyToReset))
		}
	})
}

// place says how much of a limit is used, and where it is used up, until when.
func (a *app) place(l cycle.Limit) string {
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
		Args:  cobra.MatchAll(cobra.ExactArgs(2), serviceAndAction),
		RunE: func(c *cobra.Command, args []string) error {
			mode := store.ReadOnly
			if l, err := a.load(); err == nil && l.config.Agent.SessionID != 0 {
				mode = store.ReadWrite // a refusal asks a human
			}
			return a.withBooks(c, mode, func(b *cycle.Books) error { return a.checkCooldown(c, b, args[0], statefile.Action(args[1])) })
		},
	}
}

func (a *app) checkCooldown(c *cobra.Command, b *cycle.Books, service string, action statefile.Action) error {
	limits, err := b.Limits(c.Context())
	if err != nil {
		return err
	}
	p, err := limits.Of(c.Context(), service, action)
	if err != nil {
		return err
	}
	if a.json {
		err = writeJSON(a.Out, p.AsLimit())
	} else {
		word := "permitted"
		if !p.Permitted() {
			word = "not permitted"
		}
		_, err = fmt.Fprintf(a.Out, "%s: %s of %s\n", word, p, service)
	}
	if err != nil || p.Permitted() {
		return err
	}
	if b.InSession() {
		if err := b.Refused(c.Context(), service, p); err != nil {
			return err
		}
	}
	return &exitError{code: exitFault}
}

func (a *app) cooldownRecordCommand() *cobra.Command {
	var fault string
	c := &cobra.Command{
		Use:   "record SERVICE restart|redeployment success|failure",
		Short: "Record a remediation that was attempted",
		Args:  cobra.MatchAll(cobra.ExactArgs(3), serviceAndAction, successOrFailure),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withBooks(c, store.ReadWrite, func(b *cycle.Books) error {
				told := store.Told{Service: args[0], Action: statefile.Action(args[1]), Success: args[2] == "success", Message: b.Redactor.String(fault)}
				return a.recordCooldown(c, b, told)
			})
		},
	}
	c.Flags().StringVar(&fault, "error", "", "why it failed, as `TEXT`")
	return c
}

func (a *app) recordCooldown(c *cobra.Command, b *cycle.Books, told store.Told) error {
	p, err := b.Record(c.Context(), told)
	if err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.Out, p.AsLimit())
	}
	_, err = fmt.Fprintf(a.Out, "recorded for %s; %s\n", told.Service, p)
	return err
}

func (a *app) cooldownResetCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "reset SERVICE",
		Short: "Empty a service's counters, as two healthy cycles would (for operators)",
		Args:  cobra.MatchAll(cobra.ExactArgs(1), serviceAndAction),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withBooks(c, store.ReadWrite, func(b *cycle.Books) error {
				if b.InSession() {
					return errors.New("cooldown reset is for operators: an agent adds records, it never erases them")
				}
				if err := b.Ledger.Reset(c.Context(), args[0]); err != nil {
					return err
				}
				if a.json {
					return a.showCooldowns(c, b, args)
				}
				_, err := fmt.Fprintf(a.Out, "counters of %s are empty\n", args[0])
				return err
			})
		},
	}
}

// serviceAndAction checks the first argument and, where there is one, the second.
func serviceAndAction(_ *cobra.Command, args []string) error {
	if fault := check.ServiceNameFault(args[0]); fault != "" {
		return fmt.Errorf("SERVICE: %s", fault)
	}
	if len(args) > 1 {
		if _, err := statefile.ParseAction(args[1]); err != nil {
			return err
		}
	}
	return nil
}

func successOrFailure(_ *cobra.Command, args []string) error {
	if args[2] != "success" && args[2] != "failure" {
		return fmt.Errorf("%q is neither success nor failure", args[2])
	}
	return nil
}

// writeTable writes rows in aligned columns under a heading.
func writeTable(w io.Writer, heading []string, rows func(row func(...string))) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	var err error
	row := func(cells ...string) {
		if _, e := fmt.Fprintln(table, strings.Join(cells, "\t")); err == nil {
			err = e
		}
	}
	row(heading...)
	rows(row)
	return errors.Join(err, table.Flush())
}

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
)

func init() { addCommand((*app).probeCommand) }

func (a *app) probeCommand() *cobra.Command {
	var names []string
	c := &cobra.Command{
		Use:   "probe",
		Short: "Make the checks of the inventory, without a model",
		Long: `probe makes the checks of the services in CLAUDEOPS_INVENTORY and prints what they find. It stores nothing and changes nothing.
With CLAUDEOPS_SHARD they are those of that shard; --service names any.

Exit codes: 0 every service is healthy; 1 one is not, or a check could not be made (unknown); 2 the inventory is missing or not valid, or other usage.`,
		Example: "  claudeops probe\n  claudeops probe --service shop --service shop-db",
	}
	c.Flags().StringArrayVar(&names, "service", nil, "only this service, by `NAME` or alias; may be given several times")
	c.RunE = a.configured(func(ctx context.Context, l *loaded, _ []string) error {
		inv, err := a.services(l)
		if err != nil {
			return &exitError{exitUsage, err}
		}
		services, err := chosen(inv, names)
		if err != nil {
			return &exitError{exitUsage, err}
		}
		return a.probePeople(ctx, l, inv, services)
	})
	c.AddCommand(a.probeValidateCommand(), a.probeDiscoverCommand())
	return c
}

// must panics on an error that only a mistake in this program can cause.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// services reads the inventory, which must exist.
func (a *app) services(l *loaded) (*inventory.Inventory, error) {
	if l.config.Inventory == "" {
		return nil, errors.New("no inventory: name the services file in CLAUDEOPS_INVENTORY; `claudeops probe discover` writes one")
	}
	inv, err := inventory.Read(l.config.Inventory)
	if err != nil {
		return nil, err
	}
	inv = partOf(l.config, inv)
	a.hide(l, inv)
	return inv, nil
}

// hide adds the secrets that an inventory's checks read from the environment to the redactor, whatever the variables are called.
func (a *app) hide(l *loaded, inv *inventory.Inventory) {
	l.redactor = l.hiding(inv)
	a.redactor = l.redactor
}

// hiding returns the redactor for the configuration and the secrets of an inventory, which may be nil.
func (l *loaded) hiding(inv *inventory.Inventory) *mask.Redactor {
	if inv == nil {
		return l.redactor
	}
	secrets := l.environment.Secrets()
	for _, name := range inv.SecretVariables() {
		secrets = append(secrets, l.environment.Get(name))
	}
	return mask.New(secrets)
}

// chosen returns the named services in the inventory's order, including other shards'; without names, all of this shard's.
func chosen(inv *inventory.Inventory, names []string) ([]inventory.Service, error) {
	if len(names) == 0 {
		return inv.Services, nil
	}
	wanted := map[string]bool{}
	var unknown []error
	for _, name := range names {
		if s, known := inv.Get(name); known {
			wanted[s.Name] = true
		} else {
			unknown = append(unknown, fmt.Errorf("--service %q: no service or alias of the inventory%s", name, didYouMean(inv, name)))
		}
	}
	if unknown != nil {
		return nil, errors.Join(unknown...)
	}
	return slices.DeleteFunc(slices.Clone(inv.Everything()), func(s inventory.Service) bool { return !wanted[s.Name] }), nil
}

// probePeople makes the checks for a person.
func (a *app) probePeople(ctx context.Context, l *loaded, inv *inventory.Inventory, services []inventory.Service) error {
	total := inventory.CountChecks(services)
	if total == 0 {
		return &exitError{exitUsage, fmt.Errorf("there is nothing to check: none of these services in %s has a check", l.config.Inventory)}
	}
	var made, unwell atomic.Int64
	end := a.showProgress(l, func() string {
		return fmt.Sprintf("%d of %d checks made, %d not healthy", made.Load(), total, unwell.Load())
	})
	began := a.Now()
	results := probe.Run(ctx, inventory.Checked(services), a.probeSettings(l, inv), probe.Bounds{}, func(r check.Result) {
		made.Add(1)
		if r.Status != check.Healthy {
			unwell.Add(1)
		}
	})
	end()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err := a.writeReport(services, results, a.Now().Sub(began)); err != nil {
		return err
	}
	return failUnless(!slices.ContainsFunc(results, func(r check.Result) bool { return r.Status != check.Healthy }))
}

func (a *app) probeSettings(l *loaded, inv *inventory.Inventory) probe.Settings {
	return probe.Settings{Environ: l.environment.Environ(), Now: a.Now, Secret: inv.SecretVariables()}
}

// writeReport prints the results of a run.
func (a *app) writeReport(services []inventory.Service, results []check.Result, took time.Duration) error {
	if a.json {
		return a.printJSON(results)
	}
	var statuses []check.Status
	for _, r := range results {
		statuses = append(statuses, r.Status)
	}
	if err := a.printColoured(a.resultTable(services, results), statuses); err != nil {
		return err
	}
	return a.print("\n" + check.Tally(results) + fmt.Sprintf(", in %.2f s\n", took.Seconds()))
}

func (a *app) resultTable(services []inventory.Service, results []check.Result) string {
	held := map[string]string{}
	for _, s := range services {
		if _, until, open := s.Maintained(a.Now()); open {
			held[s.Name] = "maintenance until " + a.local(until)
		}
	}
	asked := targets(services, results)
	var rows [][]string
	for i, r := range results {
		took := "-"
		if r.ResponseTimeMS != nil {
			took = fmt.Sprintf("%d ms", *r.ResponseTimeMS)
		}
		what := strings.Trim(held[r.Service]+"; "+cmp.Or(r.Error, asked[i]), "; ")
		rows = append(rows, []string{r.Service, string(r.Type), mark(r.Status) + " " + string(r.Status), took, dash(what)})
	}
	return table(a, []string{"SERVICE", "CHECK", "STATUS", "TIME", "WHAT"}, rows, slices.Clone[[]string])
}

// targets returns what each check queried, if every one has a result.
func targets(services []inventory.Service, results []check.Result) []string {
	var asked []string
	for i := range services {
		for n := range services[i].Checks {
			asked = append(asked, services[i].Checks[n].About().Target)
		}
	}
	if len(asked) != len(results) {
		return make([]string, len(results))
	}
	return asked
}

// mark shows a status by shape, for readers without colour.
func mark(s check.Status) string {
	return map[check.Status]string{check.Healthy: "+", check.Degraded: "!", check.Unknown: "?", check.Down: "x"}[s]
}

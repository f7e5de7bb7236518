package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/discover"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/probe"
)

func (a *app) probeValidateCommand() *cobra.Command {
	explain := false
	command := &cobra.Command{
		Use:   "validate [FILE]",
		Short: "Say what is wrong with a services file, all at once",
		Long: `validate reads a services file, that of CLAUDEOPS_INVENTORY or FILE, and says everything that is wrong with it, each with line and
column and what is expected. Nothing is asked and nothing is started. Of a valid file it says on standard error what keeps it from
watching anything: that it has no check, or that a variable which a check needs is not set here; and which rules of ` + "`notify`" + ` do
not do what they seem to. With --explain it says of each service what its verbs run, and where a database has no account that agents
may ask it as, what makes one.

Exit codes: 0 valid; 2 not.`,
		RunE: a.configured(func(_ context.Context, l *loaded, args []string) error {
			path := l.config.Inventory
			if len(args) > 0 {
				path = args[0]
			}
			if path == "" {
				return &exitError{exitUsage, errors.New("which file? name it, or set CLAUDEOPS_INVENTORY")}
			}
			inv, err := inventory.Read(path)
			if err != nil {
				return &exitError{exitUsage, err}
			}
			checks := inventory.CountChecks(inv.Services)
			warnings := slices.Concat(unwatched(path, inv, l.environment), notify.Routing{Targets: a.configuredTargets(), Rules: inv.Notify}.Warnings())
			var verbs []inventory.Verb
			var accounts []missingAccount
			if explain {
				accounts = missingAccounts(inv.Services)
			}
			for i := 0; explain && i < len(inv.Services); i++ {
				verbs = append(verbs, inv.Services[i].Verbs(probe.EngineProgram(l.environment.Environ()))...)
			}
			if a.json {
				found := map[string]any{"path": path, "services": len(inv.Services), "checks": checks, "warnings": warnings}
				if explain {
					found["verbs"], found["accounts"] = verbs, accounts
				}
				return a.printJSON(found)
			}
			for _, warning := range warnings {
				a.note(warning)
			}
			said := fmt.Sprintf("%s is valid: %s, %s\n", path, text.Count(len(inv.Services), "service"), text.Count(checks, "check"))
			if c := l.config; c.Shard.Count > 0 {
				said += "in it " + servicesOf(c, partOf(c, inv)) + "\n"
			}
			if !explain {
				return a.print(said)
			}
			if err := a.print(said + "\n"); err != nil {
				return err
			}
			err = show(a, verbs, "", []string{"SERVICE", "VERB", "RUNS"}, func(v inventory.Verb) []string {
				return []string{v.Service, v.Verb, runs(v)}
			})
			return cmp.Or(err, a.print(accountLines(accounts)))
		}),
	}
	command.Flags().BoolVar(&explain, "explain", false, "say of each service what its verbs run, and which account its database lacks")
	return command
}

// runs returns what a verb runs, for people.
func runs(v inventory.Verb) string {
	switch {
	case v.Runs != nil:
		return guard.CommandLine(v.Runs)
	case v.Verb == inventory.FirstAidVerb:
		return "nothing"
	}
	return "asks a person"
}

// unwatched returns what keeps a valid inventory from monitoring anything, as far as that is known without making checks.
func unwatched(path string, inv *inventory.Inventory, env *config.Environment) (warnings []string) {
	if !inv.HasChecks() {
		warnings = append(warnings, path+" has no check, so that nothing is watched: give its services `checks:`")
	}
	unset := slices.DeleteFunc(inv.SecretVariables(), func(name string) bool { return env.Get(name) != "" })
	if len(unset) > 0 {
		warnings = append(warnings, fmt.Sprintf("these variables are not set here, and the checks and queries that need them cannot be made: %s; set them where cycles run, such as in %s",
			text.Few(unset, 10), config.EnvFile))
	}
	return warnings
}

func (a *app) probeDiscoverCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "discover",
		Short: "Write an inventory from what runs here",
		Long: `discover writes an inventory from what runs here: containers and their claudeops.* labels, systemd units, what
listens on a port, and the services of Kubernetes that are reached from here. It is a beginning: read it, complete it, and name it in
CLAUDEOPS_INVENTORY. What could not be asked is said on standard error.

With --merge it adds to a services file what that has not, by name or alias, and leaves every byte of it as it is.`,
		Example: "  claudeops probe discover --output /etc/claudeops/services.yaml\n  claudeops probe discover --merge",
	}
	output := c.Flags().String("output", "", "write to this `FILE`, which must not exist yet, instead of standard output")
	merge := c.Flags().Bool("merge", false, "add to the file of --output, or else of CLAUDEOPS_INVENTORY, the services that it has not")
	c.RunE = a.configured(func(ctx context.Context, l *loaded, _ []string) error {
		into := *output
		if *merge {
			if into = cmp.Or(into, l.config.Inventory); into == "" {
				return &exitError{exitUsage, errors.New("--merge: into which file? name it with --output, or set CLAUDEOPS_INVENTORY")}
			}
		}
		found, err := discover.Run(ctx, discover.Options{Environ: l.environment.Environ()})
		if err != nil {
			return err
		}
		for _, what := range found.Missing {
			l.log.Warn(what)
		}
		if *merge {
			return a.mergeInto(into, found)
		}
		return a.writeFound(into, found)
	})
	return c
}

// writeFound writes the discovered services to a new file, or prints them if no file is named.
func (a *app) writeFound(path string, found discover.Found) error {
	text, err := found.YAML()
	if err != nil {
		return err
	}
	if path == "" {
		return a.print(string(text))
	}
	created, err := statedir.Create(path, text)
	if created && err == nil {
		err = os.Chmod(path, 0o644) // the job's user must read it too
	}
	switch {
	case err != nil:
		return fmt.Errorf("write the inventory: %w", err)
	case !created:
		return &exitError{exitUsage, fmt.Errorf("%s exists already; name another file, remove it, or add to it with --merge", path)}
	}
	return a.print("written: " + path + "; check it with `claudeops probe validate " + path + "`\n")
}

// mergeInto adds the discovered services to a services file, which is created if missing.
func (a *app) mergeInto(path string, found discover.Found) error {
	before, err := statedir.ReadFile(path, inventory.MaxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return a.writeFound(path, found)
	}
	if err != nil {
		return fmt.Errorf("read the inventory: %w", err)
	}
	merged, added, err := found.Merge(before)
	switch {
	case err != nil:
		return &exitError{exitUsage, fmt.Errorf("%s: %w; nothing was changed", path, err)}
	case len(added) == 0:
		return a.print("nothing to add: " + path + " has what was found\n")
	}
	if err := statedir.Publish(path, merged); err != nil {
		return fmt.Errorf("write the inventory: %w", err)
	}
	return a.print("added to " + path + ": " + text.List(added) + "; check it with `claudeops probe validate " + path + "`\n")
}

package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/inventory"
)

func (a *app) probeValidateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "validate [FILE]",
		Short: "Say what is wrong with a services file, all at once",
		Long: `validate reads a services file, that of CLAUDEOPS_INVENTORY or FILE, and says everything that is wrong with it, each with line and
column and what is expected. Nothing is asked and nothing is started.

Exit codes: 0 valid; 2 not.`,
		Args: takes("[FILE]"),
		RunE: func(_ *cobra.Command, args []string) error {
			path, err := a.servicesFile(args)
			if err != nil {
				return err
			}
			inv, err := inventory.Read(path)
			if err != nil {
				return &exitError{exitUsage, err}
			}
			checks := inventory.CountChecks(inv.Services)
			if a.json {
				return a.printJSON(map[string]any{"path": path, "services": len(inv.Services), "checks": checks})
			}
			text := fmt.Sprintf("%s is valid: %s, %s\n", path, plural(len(inv.Services), "service"), plural(checks, "check"))
			if c := a.loaded.config; c.Shard.Count > 0 {
				text += "in it " + servicesOf(c, ofShard(c, inv)) + "\n"
			}
			return a.print(text)
		},
	}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (a *app) servicesFile(args []string) (string, error) {
	l, err := a.load()
	switch {
	case err != nil:
		return "", err
	case len(args) > 0:
		return args[0], nil
	case l.config.Inventory == "":
		return "", &exitError{exitUsage, errors.New("which file? name it, or set CLAUDEOPS_INVENTORY")}
	}
	return l.config.Inventory, nil
}

func (a *app) probeDiscoverCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "discover",
		Short: "Write an inventory from what runs here",
		Long: `discover writes an inventory from what runs here: containers and their claudeops.* labels, compose files below
CLAUDEOPS_REPOS_DIR, systemd units. It is a beginning: read it, complete it, and name it in CLAUDEOPS_INVENTORY. What could not
be asked is said on standard error.`,
		Example: "  claudeops probe discover --output /etc/claudeops/inventory.yaml",
		Args:    takes(),
	}
	output := c.Flags().String("output", "", "write to this `FILE`, which must not exist yet, instead of standard output")
	c.RunE = func(c *cobra.Command, _ []string) error {
		l, err := a.load()
		if err != nil {
			return err
		}
		text, missing, err := a.Discover(c.Context(), l.environment.Environ(), l.config.ReposDir)
		if err != nil {
			return err
		}
		for _, what := range missing {
			l.log.Warn(what)
		}
		if *output == "" {
			return a.print(string(text))
		}
		created, err := statedir.Create(*output, text)
		switch {
		case err != nil:
			return fmt.Errorf("write the inventory: %w", err)
		case !created:
			return &exitError{exitUsage, fmt.Errorf("%s exists already; name another file, or remove it", *output)}
		}
		return a.print("written: " + *output + "; check it with `claudeops probe validate " + *output + "`\n")
	}
	return c
}

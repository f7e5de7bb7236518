package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/config"
)

func init() { addCommand((*app).envCommand) }

func (a *app) envCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "env",
		Short: "Print every variable, its value in force and where that comes from",
		Long: `env prints every variable that claudeops knows, its value in force, where that comes from, and what it means.
Secrets are masked.

A value comes from the environment, from a line of ` + config.EnvFile + ` (or of the file that --env-file names), from the
file that NAME_FILE names (secrets only), or is the default.`,
		RunE: a.configured(func(_ context.Context, l *loaded, _ []string) error {
			heading := []string{"VARIABLE", "VALUE", "FROM", "MEANING"}
			return show(a, l.environment.Variables(), "", heading, func(v config.Variable) []string {
				return []string{v.Name, dash(v.Value), v.Source, v.Meaning}
			})
		}),
	}
}

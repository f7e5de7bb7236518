package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) hooksConfigCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "Print the circuit breaker's settings in force, and where each comes from",
		Long: `config prints every setting in force and where it comes from: the default, a line of guardrails.yaml, or a variable.

Exit codes: 0; 1 where a value is wrong, which is said on standard error. The breaker works all the same, with the default in its place.`,
		Args: takes(),
		RunE: func(*cobra.Command, []string) error {
			config := a.circuits(a.hookFlags).config
			settings := config.Settings()
			for i, setting := range settings {
				if setting.Key == "state_file" && a.hookFlags.state != "" {
					settings[i].Value, settings[i].Source = a.hookFlags.state, "--state-file"
				}
			}
			var err error
			if a.json {
				err = a.printJSON(settings)
			} else {
				err = a.printTable([]string{"KEY", "VALUE", "FROM"}, func(row func(...string)) {
					for _, setting := range settings {
						row(setting.Key, dash(setting.Value), setting.Source)
					}
				})
			}
			if err == nil && len(config.Faults) > 0 {
				err = errors.New(strings.Join(config.Faults, "\n"))
			}
			return err
		},
	}
}

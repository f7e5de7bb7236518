package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/hooks"
)

func (a *app) hooksMetricsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "metrics",
		Short: "Print the state of all hooks as Prometheus reads it",
		Long: `metrics prints the state of all hooks in the text format of Prometheus. With metrics_file in the settings the same is
written to that file, for the textfile collector: at once when a circuit changes, otherwise when a hook is called and the file is
older than some seconds.`,
		Args: takes(),
		RunE: func(c *cobra.Command, _ []string) error {
			breakers := a.circuits(a.hookFlags)
			health, report, err := breakers.report(c.Context())
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(health)
			}
			var text strings.Builder
			if err := hooks.WriteMetrics(&text, report); err != nil {
				return err
			}
			return a.print(text.String())
		},
	}
}

package cli

import (
	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/metrics"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

func init() { addCommand((*app).metricsCommand) }

func (a *app) metricsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "metrics",
		Short: "Print what happened so far as Prometheus reads it",
		Long: `metrics prints what happened so far, and how things are now, in the text format of Prometheus: cycles, sessions, cost and tokens by tier,
services by status, places left in cooldowns, remediations, the outbox and circuits of hooks.

A cycle writes the same to CLAUDEOPS_METRICS_FILE, for the textfile collector of node_exporter, and to the Pushgateway at
CLAUDEOPS_PUSHGATEWAY_URL; silence and pause write the file anew. docs/metrics.md lists the metrics, with alert rules and a
dashboard.`,
		Args: takes(),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withRecords(c, store.ReadOnly, func(b *records.Records) (err error) {
				if b.Inventory, err = readInventory(b.Config); err != nil {
					return err
				}
				return a.printMetrics(c, b)
			})
		},
	}
}

func (a *app) printMetrics(c *cobra.Command, b *records.Records) error {
	figures, err := b.Figures(c.Context())
	if err != nil {
		return err
	}
	if a.json {
		figures.At = inMillis(figures.At)
		return a.printJSON(figures)
	}
	text, err := metrics.Exporter{Version: VersionName()}.Text(figures)
	if err != nil {
		return err
	}
	return a.print(string(text))
}

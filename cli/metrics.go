package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/metrics"
	"github.com/claudeops/claudeops/store"
)

func init() { addCommand((*app).metricsCommand) }

func (a *app) metricsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "metrics",
		Short: "Print what happened so far as Prometheus reads it",
		Long: `metrics prints what happened so far, and how things are now, in the text format of Prometheus: cycles, sessions, cost and tokens by tier,
services by status, places left in cooldowns, remediations and the outbox.

A cycle writes the same to CLAUDEOPS_METRICS_FILE, for the textfile collector of node_exporter, and to the Pushgateway at
CLAUDEOPS_PUSHGATEWAY_URL; silence and pause write the file anew. docs/metrics.md lists the metrics, with alert rules and a
dashboard.`,
		RunE: a.onRecords(store.ReadOnly, func(ctx context.Context, b *ledger.Records, _ []string) error {
			figures, err := metrics.Read(ctx, b)
			if err != nil {
				return err
			}
			text, err := metrics.Exporter{Version: VersionName()}.Text(figures)
			if err != nil {
				return err
			}
			figures.At = inMillis(figures.At)
			return a.answer(figures, string(text))
		}),
	}
}

package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/alerts"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/store"
)

func init() { addCommand((*app).alertCommand) }

// errNoAgentsAlert refuses an agent: what it sent would start agents.
var errNoAgentsAlert = errors.New("alert is for operators and monitoring systems: an agent reports what it finds with `claudeops report`")

func (a *app) alertCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "alert [FILE|-]",
		Short: "Take an alert from another program; it is evidence of the next cycle",
		Long: `alert takes alerts from FILE or, without one, from standard input. A firing one makes its service unwell in the next cycle even where
the checks are healthy, until it is resolved, or was not repeated for 12 hours. A running "claudeops cron" starts that cycle at once.

It reads the webhooks of Prometheus Alertmanager, Grafana and Uptime Kuma, and this form, alone or in a list, or as lines "service: shop" with the
message after an empty line:

  {"service":"shop","status":"firing","message":"the queue is full"}

status is firing or resolved. severity, title, fingerprint and source are optional. "critical" and "page" as severity mean that the service is down; otherwise
it is degraded. The service is found by its names and aliases in the services file, else the alert stands for itself. Agents are refused.`,
		Example: `  claudeops alert <<< '{"service":"shop","status":"firing","message":"the queue is full"}'
  claudeops alert alertmanager.json`,
	}
	c.RunE = a.configured(func(ctx context.Context, l *loaded, args []string) error {
		if ofSession(l.config) {
			return errNoAgentsAlert
		}
		body, err := a.alertBody(args)
		if err != nil {
			return err
		}
		b, err := a.records(ctx, l, store.ReadWrite)
		if err != nil {
			return err
		}
		return errors.Join(a.keepAlerts(ctx, b, body), b.Close())
	})
	return c
}

func (a *app) alertBody(args []string) ([]byte, error) {
	if len(args) == 0 || args[0] == "-" {
		return a.readInput(alerts.MaxBytes)
	}
	return statedir.ReadFile(args[0], alerts.MaxBytes)
}

func (a *app) keepAlerts(ctx context.Context, b *ledger.Records, body []byte) (err error) {
	if b.Inventory, err = readInventory(b.Config); err != nil {
		return err
	}
	kept, err := b.TakeAlerts(ctx, body, nil)
	if err != nil {
		return err
	}
	return a.answer(kept, kept.String()+"\n")
}

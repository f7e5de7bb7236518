package cli

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

func init() { addCommand((*app).reportCommand) }

func (a *app) reportCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "report",
		Short: "Take check results, as JSON on standard input",
		Long: `report stores check results and prints how much of its limits each service has used. What Tier 1
reports as unhealthy is handed to Tier 2 when it ends; a later report of a service replaces the earlier one.

Standard input is an array of at most 1,000 results, or an object with check_results:

  [{"service":"shop","check_type":"http","status":"down","error":"502 Bad Gateway","response_time_ms":31}]

check_type is http, dns, container, database or service; status is healthy, degraded, down, or unknown where the check itself could not be made: that says nothing of the service, and starts no tier.`,
		RunE: func(c *cobra.Command, args []string) error {
			given, err := a.readInput(check.MaxReportBytes)
			if err != nil {
				return err
			}
			results, err := check.ParseReport(given)
			if err != nil {
				return err
			}
			return a.onRecords(store.ReadWrite, func(ctx context.Context, b *ledger.Records, _ []string) error { return a.report(ctx, b, results) })(c, args)
		},
	}
}

// reported is what `report` answers.
type reported struct {
	Stored   int               `json:"stored"`
	Services []reportedService `json:"services"`
	Handoff  string            `json:"handoff,omitempty"` // what Tier 2 is asked for when Tier 1 ends; empty if nothing
}

// reportedService is one reported service with the use of its limits.
type reportedService struct {
	Service      string       `json:"service"`
	Status       check.Status `json:"status"`
	Restart      string       `json:"restart"`
	Redeployment string       `json:"redeployment"`
	InCooldown   bool         `json:"in_cooldown"`
}

func (a *app) report(ctx context.Context, b *ledger.Records, results []check.Result) error {
	if err := b.Report(ctx, results); err != nil {
		return err
	}
	now, unreadable, err := state.Mended(ctx, b)
	if err != nil {
		return err
	}
	answer := reported{Stored: len(results)}
	worst := check.Worst(results)
	for _, name := range slices.Sorted(maps.Keys(worst)) {
		restart, redeployment := now.Service(name).Both()
		answer.Services = append(answer.Services, reportedService{
			name, worst[name], restart.String(), redeployment.String(), !restart.Permitted() || !redeployment.Permitted(),
		})
	}
	if agent := b.Config.Agent; agent.Tier == 1 && b.InSession() {
		answer.Handoff = now.Asked(agent.SessionID)
	}
	said := table(a, []string{"SERVICE", "STATUS", "LIMITS"}, answer.Services, func(s reportedService) []string {
		return []string{s.Service, string(s.Status), s.Restart + "; " + s.Redeployment}
	})
	if answer.Handoff != "" {
		said += answer.Handoff + "\n"
	}
	return errors.Join(a.answer(answer, said), unreadable) // said last: it must not keep the next tier from being requested
}

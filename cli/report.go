package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

func init() { addCommand((*app).reportCommand) }

func (a *app) reportCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "report",
		Short: "Take check results, as JSON on standard input",
		Long: `report stores check results and prints where each service stands in its limits. Called by Tier 1 with something unhealthy,
it also writes handoff.json, so that Tier 2 is started; a later report of the same services rewrites or removes it.

Standard input is an array, or an object with check_results:

  [{"service":"shop","check_type":"http","status":"down","error":"502 Bad Gateway","response_time_ms":31}]

check_type is http, dns, container, database or service; status is healthy, degraded, down, or unknown where the check itself could not be made: that says nothing of the service, and starts no tier.`,
		Args: takes(),
		RunE: func(c *cobra.Command, _ []string) error {
			text, err := a.readInput(check.MaxReportBytes)
			if err != nil {
				return err
			}
			results, err := check.ParseReport(text)
			if err != nil {
				return err
			}
			return a.withRecords(c, store.ReadWrite, func(b *records.Records) error {
				if b.Inventory, err = readInventory(b.Config); err != nil {
					return err
				}
				answer, err := b.Report(c.Context(), results)
				if err != nil {
					return err
				}
				return a.answerReport(answer)
			})
		},
	}
}

func (a *app) answerReport(answer records.Reported) error {
	if a.json {
		return a.printJSON(answer)
	}
	err := a.printTable([]string{"SERVICE", "STATUS", "LIMITS"}, func(row func(...string)) {
		for _, s := range answer.Services {
			row(s.Service, string(s.Status), s.Restart+"; "+s.Redeployment)
		}
	})
	if err != nil || answer.Handoff == "" {
		return err
	}
	return a.print(answer.Handoff + "\n")
}

// readInput reads standard input up to a bound.
func (a *app) readInput(bound int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(a.In, bound+1))
	if err != nil {
		return nil, fmt.Errorf("read standard input: %w", err)
	}
	if int64(len(text)) > bound {
		return nil, fmt.Errorf("standard input is larger than %d bytes", bound)
	}
	return text, nil
}

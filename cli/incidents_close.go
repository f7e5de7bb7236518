package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

func (a *app) incidentsCloseCommand(db *string) *cobra.Command {
	return &cobra.Command{
		Use:   "close ID",
		Short: "Close an incident whose service is checked no more (for operators)",
		Long: `close ends an incident as if its service had recovered, and tells nobody: for one that was renamed, or is no longer there. If it
is found unwell again, however soon, a new incident opens. It is for operators: agents are refused, and so is everybody while a cycle runs (exit 75).`,
		Args: cobra.MatchAll(takes("ID"), id),
		RunE: func(c *cobra.Command, args []string) error {
			if *db != "" {
				return &exitError{exitUsage, errors.New("incidents close takes no --db: it works on the records of CLAUDEOPS_STATE_DIR")}
			}
			const refusal = "incidents close is for operators: what is healthy again, the checks say"
			return a.betweenCycles(c, refusal, "closed", func(b *records.Records) error {
				number := parseID(args[0])
				if err := b.Store.Update(c.Context(), func(tx *store.Tx) error { return a.closeIn(c.Context(), tx, number) }); err != nil {
					return err
				}
				return a.print(fmt.Sprintf("incident %d is closed\n", number))
			})
		},
	}
}

func (a *app) closeIn(ctx context.Context, tx *store.Tx, number int64) error {
	incident, err := tx.Incident(ctx, number)
	if err != nil {
		return err
	}
	if incident.ClosedAt != nil {
		return fmt.Errorf("incident %d is closed already, since %s", number, a.local(*incident.ClosedAt))
	}
	now := a.Now()
	incident.ClosedAt = &now
	if err := tx.SaveIncident(ctx, incident); err != nil {
		return err
	}
	return tx.AddEvent(ctx, store.Event{
		Level: store.Info, Service: incident.Service, CreatedAt: now, Message: fmt.Sprintf("incident %d closed by `claudeops incidents close`", number),
	})
}

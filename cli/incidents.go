package cli

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/store"
)

func (a *app) incidentsCommand() *cobra.Command {
	c := &cobra.Command{Use: "incidents", Short: "List incidents, or show the timeline of one"}
	db := databaseFlag(c)
	c.AddCommand(a.incidentsListCommand(db), a.incidentsShowCommand(db), a.incidentsCloseCommand(db))
	listsAlone(c)
	return c
}

func (a *app) incidentsListCommand(db *string) *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List incidents, the newest first", Args: takes()}
	limit := rowsFlag(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		return list(a, c, listing[store.Incident]{
			db: db, none: "no incident yet",
			query: func(c *cobra.Command, s *store.Store) ([]store.Incident, error) {
				return s.Incidents(c.Context(), int(*limit))
			},
			heading: []string{"ID", "SERVICE", "STATUS", "OPENED", "LASTED", "RETURNS", "DEAD ENDS", "NEXT TRY"},
			row:     a.incidentRow,
		})
	}
	return c
}

func (a *app) incidentRow(i store.Incident) []string {
	status, end, next := "open, "+string(i.Status), a.Now(), "-"
	if i.ClosedAt != nil {
		status, end = "closed", *i.ClosedAt
	} else if i.RetryAt != nil && i.RetryAt.After(a.Now()) {
		next = a.local(*i.RetryAt)
	}
	return []string{
		strconv.FormatInt(i.ID, 10), i.Service, status, a.local(i.OpenedAt), took(end.Sub(i.OpenedAt).Milliseconds()),
		strconv.Itoa(i.Returns), strconv.Itoa(i.DeadEnds), next,
	}
}

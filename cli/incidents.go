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
		return list(a, c, listing[listedIncident]{
			db: db, none: "no incident yet",
			query: func(c *cobra.Command, s *store.Store) (listed []listedIncident, err error) {
				incidents, err := s.Incidents(c.Context(), int(*limit))
				if err != nil {
					return nil, err
				}
				incidents, err = s.Shown(c.Context(), incidents...)
				for _, i := range incidents {
					listed = append(listed, listedIncident{i, i.State()})
				}
				return listed, err
			},
			heading: []string{"ID", "SERVICE", "STATUS", "OPENED", "LASTED", "RETURNS", "DEAD ENDS", "NEXT TRY"},
			row:     a.incidentRow,
		})
	}
	return c
}

// listedIncident is an incident with where it stands, for --json.
type listedIncident struct {
	store.Incident
	State store.IncidentState `json:"state"`
}

// incidentState is where an incident stands, for a person.
func (a *app) incidentState(i store.Incident) string {
	state := string(i.State())
	switch i.State() {
	case store.IncidentOpen:
		state += ", " + string(i.Status)
	case store.IncidentRecovering:
		state += ", healthy since " + a.local(*i.HealthySince)
	case store.IncidentClosed:
	}
	return state
}

func (a *app) incidentRow(i listedIncident) []string {
	end, next := a.Now(), "-"
	if i.ClosedAt != nil {
		end = *i.ClosedAt
	} else if i.RetryAt != nil && i.RetryAt.After(a.Now()) {
		next = a.local(*i.RetryAt)
	}
	return []string{
		strconv.FormatInt(i.ID, 10), i.Service, a.incidentState(i.Incident), a.local(i.OpenedAt), took(end.Sub(i.OpenedAt).Milliseconds()),
		strconv.Itoa(i.Returns), strconv.Itoa(i.DeadEnds), next,
	}
}

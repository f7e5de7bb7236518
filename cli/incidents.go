package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/store"
)

func (a *app) incidentsCommand() *cobra.Command {
	c := &cobra.Command{Use: "incidents", Short: "List incidents, or show the timeline of one"}
	db := databaseFlag(c)
	c.AddCommand(a.incidentsListCommand(db), a.incidentsShowCommand(db))
	return c
}

func (a *app) incidentsListCommand(db *string) *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List incidents, the newest first", Args: cobra.NoArgs}
	limit := rowsFlag(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		return a.withStore(c, *db, func(s *store.Store) error {
			list, err := s.Incidents(c.Context(), *limit)
			if err != nil {
				return err
			}
			if a.json {
				return writeJSON(a.Out, emptyNotNull(list))
			}
			return a.listIncidents(list)
		})
	}
	return c
}

func (a *app) listIncidents(list []store.Incident) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(a.Out, "no incident yet")
		return err
	}
	return writeTable(a.Out, []string{"ID", "SERVICE", "STATUS", "OPENED", "LASTED", "DEAD ENDS", "NEXT TRY"}, func(row func(...string)) {
		for _, i := range list {
			status, end, next := "open, "+string(i.Status), a.Now(), "-"
			if i.ClosedAt != nil {
				status, end = "closed", *i.ClosedAt
			} else if i.RetryAt != nil && i.RetryAt.After(a.Now()) {
				next = a.local(*i.RetryAt)
			}
			row(strconv.FormatInt(i.ID, 10), i.Service, status, a.local(i.OpenedAt), took(end.Sub(i.OpenedAt).Milliseconds()),
				strconv.Itoa(i.DeadEnds), next)
		}
	})
}

// shownIncident is `incidents show --json`.
type shownIncident struct {
	store.Incident
	Timeline []store.TimelineEntry `json:"timeline"`
}

func (a *app) incidentsShowCommand(db *string) *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Show an incident's timeline: checks, sessions, what was found and tried, what people were told",
		Args:  cobra.MatchAll(cobra.ExactArgs(1), numericID),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withStore(c, *db, func(s *store.Store) error {
				incident, err := s.Incident(c.Context(), parseID(args[0]))
				if err != nil {
					return err
				}
				timeline, err := s.IncidentTimeline(c.Context(), incident.ID)
				if err != nil {
					return err
				}
				if a.json {
					return writeJSON(a.Out, shownIncident{incident, emptyNotNull(timeline)})
				}
				return a.writeIncident(incident, timeline)
			})
		},
	}
}

func (a *app) writeIncident(i store.Incident, timeline []store.TimelineEntry) error {
	var b strings.Builder
	state := "open, " + string(i.Status)
	if i.ClosedAt != nil {
		state = "closed " + a.local(*i.ClosedAt)
	}
	fmt.Fprintf(&b, "Incident %d: %s, %s\n\n", i.ID, i.Service, state)
	for _, e := range timeline {
		text := strings.ReplaceAll(printable(strings.TrimSpace(e.Text)), "\n", "\n"+strings.Repeat(" ", 41))
		fmt.Fprintf(&b, "  %s  %-12s  %s\n", a.local(e.At), e.Kind, text)
	}
	_, err := fmt.Fprint(a.Out, b.String())
	return err
}

package cli

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/store"
)

// shownIncident is `incidents show --json`.
type shownIncident struct {
	listedIncident
	Timeline []store.TimelineEntry `json:"timeline"`
}

func (a *app) incidentsShowCommand(db *string) *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Show an incident's timeline: checks, sessions, what was found and tried, what people were told",
		Args:  cobra.MatchAll(takes("ID"), id),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withStore(c, *db, func(s *store.Store) error {
				incident, err := s.Incident(c.Context(), parseID(args[0]))
				if err != nil {
					return err
				}
				shown, err := s.Shown(c.Context(), incident)
				if err != nil {
					return err
				}
				incident = shown[0]
				timeline, err := s.IncidentTimeline(c.Context(), incident.ID)
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(shownIncident{listedIncident{incident, incident.State()}, timeline})
				}
				return a.writeIncident(incident, timeline)
			})
		},
	}
}

func (a *app) writeIncident(i store.Incident, timeline []store.TimelineEntry) error {
	var b strings.Builder
	state := a.incidentState(i)
	switch i.State() {
	case store.IncidentClosed:
		state += " " + a.local(*i.ClosedAt)
	case store.IncidentRecovering:
		state += ", " + i.Closes()
	case store.IncidentOpen:
	}
	fmt.Fprintf(&b, "Incident %d: %s, %s%s\n\n", i.ID, a.line(i.Service), state, i.Returned())
	for _, e := range timeline {
		before := fmt.Sprintf("  %s  %-12s  ", a.local(e.At), e.Kind)
		b.WriteString(before + a.indented(e.Text, utf8.RuneCountInString(before)) + "\n")
	}
	return a.print(b.String())
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

func init() { addCommand((*app).incidentsCommand) }

func (a *app) incidentsCommand() *cobra.Command {
	return listed("incidents", "List incidents, or show the timeline of one",
		a.incidentsListCommand, a.incidentsShowCommand, a.incidentsAcknowledgeCommand, a.incidentsCloseCommand)
}

func (a *app) incidentsListCommand(db *string) *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List incidents, the newest first"}
	limit := limitFlag(c)
	c.RunE = list(a, listing[listedIncident]{
		db: db, none: "no incident yet",
		query: func(ctx context.Context, s *store.Store) (listed []listedIncident, err error) {
			incidents, err := s.Incidents(ctx, store.IncidentFilter{Limit: int(*limit)})
			if err != nil {
				return nil, err
			}
			return a.asFound(ctx, s, incidents...)
		},
		heading: []string{"ID", "SERVICE", "STATUS", "OPENED", "LASTED", "RETURNS", "DEAD ENDS", "NEXT TRY"},
		row:     a.incidentRow,
	})
	return c
}

// asFound returns incidents as they are now: the status of an open one is unknown if the checks of its service cannot
// be made.
func (a *app) asFound(ctx context.Context, s *store.Store, incidents ...store.Incident) (listed []listedIncident, err error) {
	now, err := state.Load(ctx, s, statefile.New(), nil, a.loaded.config, a.Now())
	for _, i := range incidents {
		listed = append(listed, listedIncident{i.Shown(now.Service(i.Service).Status()), i.State()})
	}
	return listed, err
}

// listedIncident is an incident with its state, in JSON form.
type listedIncident struct {
	store.Incident
	State store.IncidentState `json:"state"`
}

// incidentState describes an incident's state for a person.
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

// shownIncident is the output of `incidents show --json`.
type shownIncident struct {
	listedIncident
	Timeline  []store.TimelineEntry `json:"timeline"`
	Alerts    []store.AlertRow      `json:"alerts"`    // about its service that fired during it, newest first
	Proposals []store.Proposal      `json:"proposals"` // newest first
}

// mostOfIncident limits the alerts and the proposals that are shown with an incident.
const mostOfIncident = 100

func (a *app) incidentsShowCommand(db *string) *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Show an incident's timeline: checks, sessions, what was found and tried, what messages were sent",
		RunE: a.onStore(db, func(ctx context.Context, s *store.Store, args []string) error {
			incident, err := s.Incident(ctx, parseID(args[0]))
			if err != nil {
				return err
			}
			shown, err := a.asFound(ctx, s, incident)
			if err != nil {
				return err
			}
			i := shownIncident{listedIncident: shown[0]}
			sessions, err := s.IncidentSessions(ctx, i.ID)
			if err != nil {
				return err
			}
			if i.Timeline, err = s.IncidentTimeline(ctx, incident, sessions); err != nil {
				return err
			}
			until := a.Now()
			if i.ClosedAt != nil {
				until = *i.ClosedAt
			}
			if i.Alerts, err = s.AlertsBetween(ctx, i.Service, i.OpenedAt, until, mostOfIncident); err != nil {
				return err
			}
			if i.Proposals, err = s.Proposals(ctx, store.ProposalFilter{Incident: i.ID, Limit: mostOfIncident}); err != nil {
				return err
			}
			return a.answer(i, a.incidentText(i))
		}),
	}
}

func (a *app) incidentText(i shownIncident) string {
	var b strings.Builder
	state := a.incidentState(i.Incident)
	switch i.Incident.State() {
	case store.IncidentClosed:
		state += " " + a.local(*i.ClosedAt)
	case store.IncidentRecovering:
		state += ", " + i.Closes()
	case store.IncidentOpen:
	}
	fmt.Fprintf(&b, "Incident %d: %s, %s%s\n", i.ID, a.line(i.Service), state, i.Returned())
	if i.AcknowledgedAt != nil {
		fmt.Fprintf(&b, "acknowledged %s (%s)\n", a.local(*i.AcknowledgedAt), a.line(i.AcknowledgedBy))
	}
	b.WriteString("\n")
	for _, e := range i.Timeline {
		before := fmt.Sprintf("  %s  %-12s  ", a.local(e.At), e.Kind)
		b.WriteString(before + a.indented(e.Text, utf8.RuneCountInString(before)) + "\n")
	}
	if len(i.Alerts) > 0 {
		b.WriteString("\nAlerts:\n")
	}
	for _, line := range firstLines(i.Alerts, a.alertLine) {
		b.WriteString("  " + line + "\n")
	}
	b.WriteString(a.proposalLines(i.Proposals))
	return b.String()
}

// alertLine says in a line what an alert says, and since when or until when it fires.
func (a *app) alertLine(alert store.AlertRow) string {
	fires := "fires since " + a.local(alert.StartsAt)
	if alert.EndsAt != nil {
		fires = fmt.Sprintf("%s to %s", a.local(alert.StartsAt), a.local(*alert.EndsAt))
	}
	return fmt.Sprintf("%s: %s (%s, %s)", a.line(alert.Source), a.line(alert.Title), alert.Means, fires)
}

func (a *app) incidentsAcknowledgeCommand(db *string) *cobra.Command {
	return &cobra.Command{
		Use:   "acknowledge ID",
		Short: "Say that somebody looks after an incident (for operators)",
		Long: `acknowledge says that a person took note of an incident: it is shown with who and when, and no reminder is sent about it until it
changes, closes or returns. Nothing else changes: checks, tiers and the message that it is over go on. It takes effect at once, also in a
cycle that is running. Agents are refused.`,
		Aliases: []string{"ack"},
		RunE: func(c *cobra.Command, args []string) error {
			if *db != "" {
				return &exitError{exitUsage, errors.New("incidents acknowledge takes no --db: it works on the records of CLAUDEOPS_STATE_DIR")}
			}
			return a.deciding("incidents acknowledge", func(ctx context.Context, b *ledger.Records, args []string) error {
				id := parseID(args[0])
				if err := b.Acknowledge(ctx, id, byCommand()); err != nil {
					return err
				}
				return a.print(fmt.Sprintf("incident %d is acknowledged: no reminder is sent until it changes\n", id))
			})(c, args)
		},
	}
}

func (a *app) incidentsCloseCommand(db *string) *cobra.Command {
	return &cobra.Command{
		Use:   "close ID",
		Short: "Close an incident whose service is checked no more (for operators)",
		Long: `close ends an incident as if its service had recovered, and sends no message: for one that was renamed, or is no longer there. If it
is found unwell again, however soon, a new incident opens. It is for operators: agents are refused.`,
		RunE: func(c *cobra.Command, args []string) error {
			if *db != "" {
				return &exitError{exitUsage, errors.New("incidents close takes no --db: it works on the records of CLAUDEOPS_STATE_DIR")}
			}
			return a.deciding("incidents close", func(ctx context.Context, b *ledger.Records, args []string) error {
				id := parseID(args[0])
				if err := b.CloseIncident(ctx, id, byCommand()); err != nil {
					return err
				}
				return a.print(fmt.Sprintf("incident %d is closed\n", id))
			})(c, args)
		},
	}
}

package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/store"
)

func (a *app) eventsCommand() *cobra.Command {
	c := &cobra.Command{Use: "events", Short: "List what was decided and why, the newest first", Args: cobra.NoArgs}
	db, limit := databaseFlag(c), rowsFlag(c)
	session := c.Flags().Int64("session", 0, "only those of this session, by `ID`")
	service := c.Flags().String("service", "", "only those of this service, by `NAME`")
	level := c.Flags().String("level", "", "only those of this `LEVEL`: info, warning or critical")
	c.RunE = func(c *cobra.Command, _ []string) error {
		filter := store.EventFilter{Service: *service, Level: store.Level(*level), Limit: *limit}
		if *session != 0 {
			filter.SessionID = session
		}
		return a.withStore(c, *db, func(s *store.Store) error {
			list, err := s.Events(c.Context(), filter)
			if err != nil {
				return err
			}
			if a.json {
				return writeJSON(a.Out, emptyNotNull(list))
			}
			return a.listEvents(list)
		})
	}
	return c
}

func (a *app) listEvents(list []store.Event) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(a.Out, "no event yet")
		return err
	}
	return writeTable(a.Out, []string{"TIME", "LEVEL", "SESSION", "SERVICE", "MESSAGE"}, func(row func(...string)) {
		for _, e := range list {
			session, service := "-", "-"
			if e.SessionID != nil {
				session = strconv.FormatInt(*e.SessionID, 10)
			}
			if e.Service != "" {
				service = e.Service
			}
			row(a.local(e.CreatedAt), string(e.Level), session, service, strings.ReplaceAll(printable(e.Message), "\n", " "))
		}
	})
}

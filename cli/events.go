package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/internal/flags"
	"github.com/claudeops/claudeops/store"
)

func init() { addCommand((*app).eventsCommand) }

func (a *app) eventsCommand() *cobra.Command {
	c := &cobra.Command{Use: "events", Short: "List what was decided and why, the newest first"}
	db, limit := databaseFlag(c), limitFlag(c)
	var session int64
	var level store.Level
	flags.Var(c.Flags(), &session, "session", "", "only those of the session with this `ID`", flags.Count)
	service := c.Flags().String("service", "", "only those of the service of this `NAME`")
	flags.Var(c.Flags(), &level, "level", "", "only those of this `LEVEL`: info, warning or critical", flags.OneOf(store.Info, store.Warning, store.Critical))
	events := list(a, listing[store.Event]{
		db: db, filters: []string{"session", "service", "level"}, none: "no event yet", noMatch: "no event matches",
		query: func(ctx context.Context, s *store.Store) ([]store.Event, error) {
			filter := store.EventFilter{Service: *service, Level: level, Limit: int(*limit)}
			if session != 0 {
				filter.SessionID = &session
			}
			return s.Events(ctx, filter)
		},
		heading: []string{"TIME", "LEVEL", "SESSION", "SERVICE", "MESSAGE"},
		row: func(e store.Event) []string {
			return []string{a.local(e.CreatedAt), string(e.Level), number(e.SessionID), dash(e.Service), e.Message}
		},
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := events(c, args); err != nil || *service == "" {
			return err
		}
		if inv, err := readInventory(a.loaded.config); err == nil { // optional here
			a.noteService(inv, *service)
		}
		return nil
	}
	return c
}

package cli

import (
	"cmp"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/store"
)

func init() { addCommand((*app).eventsCommand) }

func (a *app) eventsCommand() *cobra.Command {
	c := &cobra.Command{Use: "events", Short: "List what was decided and why, the newest first", Args: takes()}
	db, limit := databaseFlag(c), rowsFlag(c)
	var session count
	c.Flags().Var(&session, "session", "only those of the session with this `ID`")
	service := c.Flags().String("service", "", "only those of the service of this `NAME`")
	level := words(store.Info, store.Warning, store.Critical)
	c.Flags().Var(level, "level", "only those of this `LEVEL`: info, warning or critical")
	c.RunE = func(c *cobra.Command, _ []string) error {
		err := list(a, c, listing[store.Event]{
			db: db, filters: []string{"session", "service", "level"}, none: "no event yet", noMatch: "no event matches",
			query: func(c *cobra.Command, s *store.Store) ([]store.Event, error) {
				filter := store.EventFilter{Service: *service, Level: store.Level(level.word), Limit: int(*limit)}
				if session != 0 {
					filter.SessionID = (*int64)(&session)
				}
				return s.Events(c.Context(), filter)
			},
			heading: []string{"TIME", "LEVEL", "SESSION", "SERVICE", "MESSAGE"},
			row: func(e store.Event) []string {
				return []string{a.local(e.CreatedAt), string(e.Level), number(e.SessionID), cmp.Or(e.Service, "-"), e.Message}
			},
		})
		if err != nil || *service == "" {
			return err
		}
		if inv, err := readInventory(a.loaded.config); err == nil { // without which the answer is the same
			a.noteService(inv, *service)
		}
		return nil
	}
	return c
}

// number is an id that may be none.
func number(id *int64) string {
	if id == nil {
		return "-"
	}
	return strconv.FormatInt(*id, 10)
}

package cli

import (
	"cmp"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

func (a *app) sessionsCommand() *cobra.Command {
	c := &cobra.Command{Use: "sessions", Short: "List the tiers that ran, or show one with its chain"}
	db := databaseFlag(c)
	c.AddCommand(a.sessionsListCommand(db), a.sessionsShowCommand(db))
	listsAlone(c)
	return c
}

func (a *app) sessionsListCommand(db *string) *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List sessions, the newest first", Args: takes()}
	limit := rowsFlag(c)
	status := words(store.Running, store.Completed, store.Escalated, store.Failed, store.TimedOut, store.Interrupted)
	c.Flags().Var(status, "status", "only those of this `STATUS`: running, completed, escalated, failed, timed_out or interrupted")
	tier := tierOf("1", "2", "3")
	c.Flags().Var(tier, "tier", "only those of tier `N`: 1, 2 or 3")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return list(a, c, listing[store.Session]{
			db: db, filters: []string{"status", "tier"}, none: "no session yet; `claudeops run-once` makes the first", noMatch: "no session matches",
			query: func(c *cobra.Command, s *store.Store) ([]store.Session, error) {
				return s.Sessions(c.Context(), store.SessionFilter{Status: store.Status(status.word), Tier: tier.tier(), Limit: int(*limit)})
			},
			heading: []string{"ID", "FROM", "TIER", "STATUS", "STARTED", "TOOK", "TURNS", "COST", "MODEL"},
			row: func(s store.Session) []string {
				return []string{
					strconv.FormatInt(s.ID, 10), number(s.ParentID), strconv.Itoa(s.Tier), string(s.Status), a.local(s.StartedAt),
					took(s.DurationMS), strconv.Itoa(s.NumTurns), text.Cost(s.CostUSD), cmp.Or(s.Model, s.Agent),
				}
			},
		})
	}
	return c
}

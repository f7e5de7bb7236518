package cli

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/internal/flags"
	"github.com/claudeops/claudeops/store"
)

// listing is a command that lists rows of the database, newest first.
type listing[T any] struct {
	db      *string // of databaseFlag
	filters []string
	none    string // printed if there are no rows at all
	noMatch string // printed if no row matches
	query   func(context.Context, *store.Store) ([]T, error)
	first   func() ([]T, error) // rows from another source, listed before those of this instance's database; nil for none
	heading []string
	row     func(T) []string
}

// list returns the body of a listing. Before the first cycle there is no database, so the list is empty.
func list[T any](a *app, l listing[T]) body {
	return func(c *cobra.Command, args []string) error {
		var rows []T
		err := a.onStore(l.db, func(ctx context.Context, s *store.Store, _ []string) (err error) {
			rows, err = l.query(ctx, s)
			return err
		})(c, args)
		missing := *l.db == "" && errors.Is(err, fs.ErrNotExist)
		if err != nil && !missing {
			return err
		}
		if l.first != nil && *l.db == "" {
			first, err := l.first()
			if err != nil {
				return err
			}
			rows = append(first, rows...)
		}
		none := l.none
		if slices.ContainsFunc(l.filters, c.Flags().Changed) {
			none = l.noMatch
		}
		return show(a, rows, none, l.heading, l.row)
	}
}

// listed returns a group of commands on a database, which lists if no command is named.
func listed(
	name, short string, list func(db *string) *cobra.Command, others ...func(db *string) *cobra.Command,
) *cobra.Command {
	group := &cobra.Command{Use: name, Short: short}
	db := databaseFlag(group)
	lists := list(db)
	group.AddCommand(lists)
	for _, other := range others {
		group.AddCommand(other(db))
	}
	group.RunE = lists.RunE
	group.Flags().AddFlagSet(lists.Flags())
	return group
}

// databaseFlag adds --db, which names another database.
func databaseFlag(c *cobra.Command) *string {
	return c.PersistentFlags().String("db", "", "read this database `FILE` instead of the state directory's")
}

// limitFlag adds --limit.
func limitFlag(c *cobra.Command) *int64 {
	limit := new(int64)
	flags.VarP(c.Flags(), limit, "limit", "n", "20", "list at most `N`, the newest first", flags.Count)
	return limit
}

// number formats an optional id.
func number(id *int64) string {
	if id == nil {
		return "-"
	}
	return strconv.FormatInt(*id, 10)
}

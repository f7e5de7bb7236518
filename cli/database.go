package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/store"
)

// openStore opens the database that a command reads: the one that file names, else the state directory's.
func (a *app) openStore(c *cobra.Command, file string) (*store.Store, error) {
	given := file != ""
	if !given {
		cfg, err := a.config()
		if err != nil {
			return nil, err
		}
		if err := stateDirectory(cfg.StateDir); err != nil {
			return nil, err
		}
		file = filepath.Join(cfg.StateDir, store.FileName)
	} else if _, err := a.load(); err != nil { // its secrets are not to be shown
		return nil, err
	}
	s, err := store.Open(c.Context(), file, store.ReadOnly)
	if given && errors.Is(err, store.ErrForeign) { // what the store advises is for our own
		err = &exitError{exitUsage, fmt.Errorf("--db %s: %w; name a claudeops.db, or a copy of one", file, store.ErrForeign)}
	} else if given && errors.Is(err, fs.ErrNotExist) {
		err = &exitError{exitUsage, fmt.Errorf("--db %s: there is no such file", file)}
	}
	return s, err
}

// withStore runs f on the database of a command that reads it.
func (a *app) withStore(c *cobra.Command, file string, f func(*store.Store) error) error {
	s, err := a.openStore(c, file)
	if err != nil {
		return err
	}
	return errors.Join(f(s), s.Close())
}

// listing is a command that lists rows of the database.
type listing[T any] struct {
	db      *string // of databaseFlag
	filters []string
	none    string // what to say while there is no row at all
	noMatch string // what to say where the filters leave none
	query   func(*cobra.Command, *store.Store) ([]T, error)
	first   func() ([]T, error) // what comes before its rows from elsewhere, of this instance alone; nil is nothing
	heading []string
	row     func(T) []string
}

// list answers a listing. Before the first cycle there is no database, and nothing to list.
func list[T any](a *app, c *cobra.Command, l listing[T]) error {
	var rows []T
	s, err := a.openStore(c, *l.db)
	switch {
	case *l.db == "" && errors.Is(err, fs.ErrNotExist) && !errors.Is(err, store.ErrForeign): // one that is gone is both
	case err != nil:
		return err
	default:
		rows, err = l.query(c, s)
		if err := errors.Join(err, s.Close()); err != nil {
			return err
		}
	}
	if l.first != nil && *l.db == "" {
		first, err := l.first()
		if err != nil {
			return err
		}
		rows = append(first, rows...)
	}
	switch {
	case a.json:
		return a.printJSON(rows)
	case len(rows) == 0 && anyGiven(c, l.filters):
		return a.print(l.noMatch + "\n")
	case len(rows) == 0:
		return a.print(l.none + "\n")
	}
	return a.printTable(l.heading, func(row func(...string)) {
		for _, r := range rows {
			row(l.row(r)...)
		}
	})
}

// listsAlone makes a group without a command of its own list, with the flags of its list.
func listsAlone(group *cobra.Command) {
	for _, c := range group.Commands() {
		if c.Name() == "list" {
			group.Args, group.RunE = c.Args, c.RunE
			group.Flags().AddFlagSet(c.Flags())
		}
	}
}

func anyGiven(c *cobra.Command, flags []string) bool {
	for _, name := range flags {
		if c.Flags().Changed(name) {
			return true
		}
	}
	return false
}

// databaseFlag adds --db, by which any instance's database can be read.
func databaseFlag(c *cobra.Command) *string {
	return c.PersistentFlags().String("db", "", "read this database `FILE` instead of the state directory's")
}

// rowsFlag adds --limit.
func rowsFlag(c *cobra.Command) *count {
	limit := count(20)
	c.Flags().VarP(&limit, "limit", "n", "list at most `N`, the newest first")
	return &limit
}

// id checks that the only argument is the id of a row.
func id(_ *cobra.Command, args []string) error {
	if parseID(args[0]) <= 0 {
		return fmt.Errorf("%q is not an id: it is a whole number", args[0])
	}
	return nil
}

// parseID returns 0 for what is no id.
func parseID(arg string) int64 {
	id, err := strconv.ParseInt(arg, 10, 64)
	if err != nil {
		return 0
	}
	return id
}

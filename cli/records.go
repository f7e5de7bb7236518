package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/store"
)

// body is the function of a command, in cobra's form.
type body = func(*cobra.Command, []string) error

// configured returns a command that needs the configuration.
func (a *app) configured(f func(ctx context.Context, l *loaded, args []string) error) body {
	return func(c *cobra.Command, args []string) error {
		l, err := a.load()
		if err != nil {
			return err
		}
		return f(c.Context(), l, args)
	}
}

// onRecords returns a command on the records of the state directory that takes names of services. With store.ReadOnly, Store is nil
// before the first cycle.
func (a *app) onRecords(mode store.Mode, f func(ctx context.Context, b *ledger.Records, args []string) error) body {
	return a.configured(func(ctx context.Context, l *loaded, args []string) error {
		b, err := a.records(ctx, l, mode)
		if err != nil {
			return err
		}
		if b.Inventory, err = readInventory(l.config); err == nil {
			err = f(ctx, b, args)
		}
		return errors.Join(err, b.Close())
	})
}

// records opens the records of the state directory without the inventory.
func (a *app) records(ctx context.Context, l *loaded, mode store.Mode) (*ledger.Records, error) {
	if err := stateDirectory(l.config.StateDir); err != nil {
		return nil, err
	}
	return ledger.Open(ctx, l.config, l.redactor, a.Now, mode)
}

// onStore returns a command that reads a database: file or, if that is empty, the state directory's.
func (a *app) onStore(file *string, f func(ctx context.Context, s *store.Store, args []string) error) body {
	return a.configured(func(ctx context.Context, l *loaded, args []string) error {
		s, err := openStore(ctx, l, *file)
		if err != nil {
			return err
		}
		return errors.Join(f(ctx, s, args), s.Close())
	})
}

func openStore(ctx context.Context, l *loaded, file string) (*store.Store, error) {
	if file == "" {
		if err := stateDirectory(l.config.StateDir); err != nil {
			return nil, err
		}
		return store.Open(ctx, filepath.Join(l.config.StateDir, store.FileName), store.ReadOnly)
	}
	s, err := store.Open(ctx, file, store.ReadOnly)
	var unusable *store.UnusableError
	switch { // the store's advice is for the state directory's own database
	case errors.As(err, &unusable):
		err = &exitError{exitUsage, fmt.Errorf("--db %s: %s; name a claudeops.db, or a copy of one", file, unusable.Why)}
	case errors.Is(err, store.ErrForeign):
		err = &exitError{exitUsage, fmt.Errorf("--db %s: %w; name a claudeops.db, or a copy of one", file, store.ErrForeign)}
	case errors.Is(err, fs.ErrNotExist):
		err = &exitError{exitUsage, fmt.Errorf("--db %s: there is no such file", file)}
	}
	return s, err
}

// stateDirectory returns an error if there is no state directory. Only a cycle creates one, so elsewhere a missing one is a wrong name
// and must not look like an empty one.
func stateDirectory(dir string) error {
	is, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the state directory %s does not exist; the first cycle makes it, or name another in CLAUDEOPS_STATE_DIR", dir)
	case err != nil:
		return fmt.Errorf("the state directory: %w", err)
	case !is.IsDir():
		return fmt.Errorf("the state directory %s is no directory; name another in CLAUDEOPS_STATE_DIR", dir)
	}
	return nil
}

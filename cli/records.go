package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// records opens the records in the state directory for one command.
func (a *app) records(c *cobra.Command, mode store.Mode) (*records.Records, error) {
	l, err := a.load()
	if err != nil {
		return nil, err
	}
	if err := stateDirectory(l.config.StateDir); err != nil {
		return nil, err
	}
	return records.Open(c.Context(), l.config, l.redactor, a.Now, mode)
}

// withRecords runs f on the records, as the last thing that the process does.
func (a *app) withRecords(c *cobra.Command, mode store.Mode, f func(*records.Records) error) error {
	b, err := a.records(c, mode)
	if err != nil {
		return err
	}
	return errors.Join(f(b), b.Close())
}

// withInventory is withRecords for a command that takes names of services.
func (a *app) withInventory(c *cobra.Command, mode store.Mode, f func(*records.Records) error) error {
	return a.withRecords(c, mode, func(b *records.Records) (err error) {
		if b.Inventory, err = readInventory(b.Config); err != nil {
			return err
		}
		return f(b)
	})
}

// stateDirectory is an error where there is no state directory. Only a cycle makes one: anywhere else a missing one is a wrong name,
// and must not look like one in which nothing has happened yet.
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

package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/claudeops/claudeops/internal/statedir"
)

// UnusableError means that a database must be set aside: SQLite finds it corrupt or no database at all, or it is empty.
// One that cannot be opened, read or locked, or that is full, stays where it is.
type UnusableError struct{ Why string }

func (e *UnusableError) Error() string {
	return "it cannot be used: " + e.Why + "; the next cycle sets it aside and begins a new one"
}

// SetAside puts a new database in the place of the unusable one at path, which gets another name, as do its -wal and -shm. It requires the
// cycle lock. record writes what people should know into the new database before it takes its place; aside is the old one's new name. On
// an error the old one stays.
func SetAside(ctx context.Context, path string, now func() time.Time, record func(s *Store, aside string) error) error {
	aside, err := statedir.SetAside(path, "aside", now())
	if err != nil {
		return err
	}
	made := path + ".new"
	err = makeAnew(ctx, made, now, func(s *Store) error { return record(s, aside) })
	if err != nil {
		err = fmt.Errorf("set the database %s aside: %w", path, explain(err))
		// If aside is a second name of the same file, Rename leaves both.
		return errors.Join(err, os.Rename(aside, path), removeAll(aside))
	}
	for _, suffix := range []string{"-wal", "-shm"} {
		if err := os.Rename(path+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return statedir.Rename(made, path)
}

func removeAll(paths ...string) error {
	for _, path := range paths {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	return nil
}

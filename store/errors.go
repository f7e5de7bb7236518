package store

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mattn/go-sqlite3"
)

// Error says that the database could not be opened, or could not do what was asked of it.
type Error struct{ err error }

func (e *Error) Error() string { return e.err.Error() }
func (e *Error) Unwrap() error { return e.err }

// failed says which work on the database could not be done, and explains why where SQLite's own words need it.
func (q queries) failed(work string, err error) error {
	if err == nil {
		return nil
	}
	return &Error{fmt.Errorf("database %s: %s: %w", q.store.path, work, explain(err))}
}

// explain adds to an error of SQLite what it means here and what to do.
func explain(err error) error {
	if strings.HasPrefix(err.Error(), "sql: Scan error") { // package sql has no better mark of a value that is not what its column has
		return fmt.Errorf("%w: %w", ErrForeign, err)
	}
	var e sqlite3.Error
	if !errors.As(err, &e) {
		return err
	}
	switch {
	case e.ExtendedCode == sqlite3.ErrConstraintForeignKey:
		return fmt.Errorf("it names a session or an incident that the database does not have: %w", err)
	case e.Code == sqlite3.ErrBusy || e.Code == sqlite3.ErrLocked:
		return fmt.Errorf("%w; close whatever has a transaction open in it: %w", ErrLocked, err)
	case e.Code == sqlite3.ErrTooBig:
		return fmt.Errorf("%w: a value in it is longer than any of ours: %w", ErrForeign, err)
	case e.Code == sqlite3.ErrNotADB || e.Code == sqlite3.ErrCorrupt:
		return &DamageError{What: e.Error()}
	case e.Code == sqlite3.ErrIoErr:
		return fmt.Errorf("%w: %w", ErrUnreadable, err)
	case e.Code == sqlite3.ErrFull:
		return fmt.Errorf("nothing was written, make room: %w", err)
	case e.Code == sqlite3.ErrReadonly || e.Code == sqlite3.ErrCantOpen || e.Code == sqlite3.ErrPerm:
		return fmt.Errorf("%w; run claudeops as the owner of the file and its directory: %w", ErrDenied, err)
	}
	return err
}

// Package store is claudeops.db: every session, event, check result, cooldown action and incident, and the outbox of notifications.
//
// It hides SQLite: the creation of the file, the migration of its schema, and all SQL. It guarantees that a database gets its name only
// once it is complete; that only a cycle migrates one (mode Migrate), after a backup, while every other command refuses an older or newer
// one; and that a transaction is written completely or not at all. Its callers decide what the rows mean.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// FileName is the database's name in the state directory.
const FileName = "claudeops.db"

// Mode is how a command uses the database.
type Mode int

const (
	// ReadOnly only reads; the database must exist. Any number of readers can work beside one writer.
	ReadOnly Mode = iota
	// ReadWrite creates the database if it does not exist. What it does to it does not end with a context.
	ReadWrite
	// Migrate is ReadWrite, and also migrates an older schema. It requires the cycle lock.
	Migrate
)

// What callers tell apart of what an operation cannot do; ErrNotFound is that of a missing row.
var (
	ErrOlder      = errors.New("the database is older than this program")
	ErrNewer      = errors.New("the database is newer than this program")
	ErrForeign    = errors.New("not a database of claudeops")
	ErrNotFound   = errors.New("not in the database")
	ErrLocked     = errors.New("another program keeps it locked")
	ErrDenied     = errors.New("this user may not use it as it must")
	ErrUnreadable = errors.New("its disk failed")
)

// Store is an open database. Its methods may be called from several goroutines. Writers wait for each other and, for up to 5 s, for other
// processes. Unless its mode is ReadOnly, the end of a context ends nothing that it does. The caller must close it.
type Store struct {
	conn     conn // db or, inside Update, a transaction
	inside   bool // Update
	finishes bool // what it was asked, whatever becomes of the context: all modes but ReadOnly
	db       *sql.DB
	path     string
	// Now is the clock, which decides what is due or old. Open sets it to time.Now.
	Now func() time.Time
}

// conn is the common interface of *sql.DB and *sql.Tx.
type conn interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Open opens the database at path. If it is missing, it is created; in mode ReadOnly the error wraps fs.ErrNotExist. A database that this
// program cannot use is ErrOlder, ErrNewer, ErrForeign or an *UnusableError.
func Open(ctx context.Context, path string, mode Mode) (*Store, error) {
	s, err := open(ctx, path, mode)
	if err != nil {
		return nil, &Error{fmt.Errorf("open the database %s: %w", path, explain(err))}
	}
	return s, nil
}

func open(ctx context.Context, path string, mode Mode) (*Store, error) {
	if mode != ReadOnly {
		ctx = context.WithoutCancel(ctx)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	is, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) && mode != ReadOnly {
		if err = create(ctx, path); err == nil {
			is, err = os.Lstat(path)
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) && mode == ReadOnly:
		return nil, fmt.Errorf("%w; `claudeops run-once` makes it", fs.ErrNotExist)
	case err != nil:
		return nil, err
	case !is.Mode().IsRegular():
		return nil, fmt.Errorf("%w: it is no regular file; move it away", ErrForeign)
	case is.Size() == 0:
		return nil, &UnusableError{Why: "it is empty"}
	}
	s := connect(path, mode)
	err = s.checkVersion(ctx, mode)
	if err == nil && mode != ReadOnly {
		err = s.setWAL(ctx) // after the check, so that another program's database is not changed
	}
	if err != nil {
		return nil, errors.Join(err, s.db.Close())
	}
	return s, nil
}

// setWAL lets readers and one writer not block each other. The file keeps the setting, so this changes only a new or a
// restored one.
func (s *Store) setWAL(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, `PRAGMA journal_mode = WAL`)
	return err
}

// checkVersion refuses a database that this program cannot use, or migrates it if mode permits.
func (s *Store) checkVersion(ctx context.Context, mode Mode) error {
	var application, version int64
	const query = `SELECT application_id, user_version FROM pragma_application_id, pragma_user_version`
	err := s.conn.QueryRowContext(ctx, query).Scan(&application, &version)
	switch {
	case err != nil:
		return err
	case application != applicationID:
		return fmt.Errorf("%w: it does not have our mark; move it away", ErrForeign)
	case version > schemaVersion():
		return fmt.Errorf("%w: its version is %d, ours %d; update claudeops", ErrNewer, version, schemaVersion())
	case version < schemaVersion() && mode == Migrate:
		return s.migrate(ctx, version)
	case version < schemaVersion():
		return fmt.Errorf("%w: its version is %d, ours %d; run `claudeops run-once` once to migrate it", ErrOlder, version, schemaVersion())
	}
	return nil
}

// Close closes the database.
func (s *Store) Close() error {
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("close the database %s: %w", s.path, err)
	}
	return nil
}

// until returns the context with which a statement ends. What is to be recorded is, whatever signal comes; the longest wait is SQLite's for
// another writer.
func (s *Store) until(ctx context.Context) context.Context {
	if s.finishes {
		return context.WithoutCancel(ctx)
	}
	return ctx
}

// Update runs f in a transaction, which is committed if f returns nil and rolled back otherwise. Inside f only tx may be used: s would
// wait for f, and f for s. Within a transaction, f joins it.
func (s *Store) Update(ctx context.Context, f func(tx *Store) error) error {
	if s.inside {
		return f(s)
	}
	tx, err := s.db.BeginTx(s.until(ctx), nil)
	if err != nil {
		return s.failed("begin a transaction", err)
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	inside := *s
	inside.conn, inside.inside = tx, true
	if err := f(&inside); err != nil {
		return err
	}
	return s.failed("commit a transaction", tx.Commit())
}

// Package store is claudeops.db: every session, event, check result, cooldown action and incident, and the outbox of notifications.
//
// It hides SQLite: how the file comes to be, how its schema is brought up to date, and all SQL. What it promises: a database has
// its name only once it is whole; only a cycle migrates one (mode Migrate), after a backup, and every other command refuses an
// older or a newer one; a transaction is either written whole or not at all. What the rows mean is decided by its callers.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/claudeops/claudeops/internal/clock"
)

// FileName is the database's name in the state directory.
const FileName = "claudeops.db"

// Mode is what a command means to do with the database.
type Mode int

const (
	// ReadOnly reads; the database must be there. Any number of readers work beside one writer.
	ReadOnly Mode = iota
	// ReadWrite makes the database where there is none.
	ReadWrite
	// Migrate is ReadWrite that also brings an older schema up to date. It is for the holder of the cycle lock alone.
	Migrate
)

var (
	// ErrOlder says that a database was made by an earlier version of the program and has yet to be migrated.
	ErrOlder = errors.New("the database is older than this program")
	// ErrNewer says that a database was made or migrated by a later version of the program.
	ErrNewer = errors.New("the database is newer than this program")
	// ErrForeign says that the file is not our database, or its schema was changed. Damage is a *DamageError, which wraps it.
	ErrForeign = errors.New("not a database of claudeops, or a damaged one")
	// ErrNotFound says that there is no row of the id asked for.
	ErrNotFound = errors.New("not in the database")
	// ErrLocked says that another program kept a database locked for longer than one waits.
	ErrLocked = errors.New("another program keeps it locked")
	// ErrDenied says that the system does not let this user use a database's files as it must.
	ErrDenied = errors.New("this user may not use it as it must")
	// ErrUnreadable says that the disk failed at a database.
	ErrUnreadable = errors.New("its disk failed")
)

// Store is an open database. Its methods may be called from several goroutines; those that write wait for each other and, for
// up to 5 s, for other processes. Close it.
type Store struct {
	conn  conn // db or, inside Update, a transaction
	db    *sql.DB
	path  string
	file  fs.FileInfo   // of path when it was opened
	shape *atomic.Int64 // one more than the number of the schema that was found to be ours
	mark  clock.Mark    // as of ReadClock
	// Now is the clock: the time of a row whose time was left zero, and what "due" and "old" are measured by. Open sets time.Now.
	Now func() time.Time
}

// conn is what *sql.DB and *sql.Tx have in common.
type conn interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Open opens the database at path. A missing one is made, or in mode ReadOnly an error that wraps fs.ErrNotExist; one that this
// program cannot work with is ErrOlder, ErrNewer or ErrForeign, or a *DamageError, for which mode Migrate searches before it changes
// anything.
func Open(ctx context.Context, path string, mode Mode) (*Store, error) {
	s, err := open(ctx, path, mode)
	if err != nil {
		return nil, &Error{fmt.Errorf("open the database %s: %w", path, explain(err))}
	}
	return s, nil
}

func open(ctx context.Context, path string, mode Mode) (*Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if mode == Migrate {
		if err := removePlanted(path); err != nil {
			return nil, err
		}
	}
	is, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) && used(filepath.Dir(path)) {
		return nil, &DamageError{What: "it is missing, although cycles have run here", missing: true}
	}
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
		return nil, fmt.Errorf("%w: it is a %s, not a regular file; move it away", ErrForeign, kindOf(is.Mode()))
	case is.Size() == 0 && used(filepath.Dir(path)):
		return nil, &DamageError{What: "it is empty"}
	case is.Size() == 0:
		return nil, fmt.Errorf("%w: it is empty; move it away", ErrForeign)
	}
	s := connect(path, mode)
	s.file = is
	err = s.checkVersion(ctx, mode)
	if err == nil && mode != ReadOnly {
		// In WAL mode readers and one writer do not wait for each other. The file remembers it: there is something to do for a restored
		// backup only. It comes after the check, so that another program's database is left alone.
		_, err = s.db.ExecContext(ctx, `PRAGMA journal_mode = WAL`)
	}
	if err != nil {
		return nil, errors.Join(err, s.db.Close())
	}
	return s, nil
}

// kindOf names what is no regular file.
func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "directory"
	case mode&fs.ModeSymlink != 0:
		return "symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		return "FIFO"
	case mode&fs.ModeSocket != 0:
		return "socket"
	}
	return "device"
}

// checkVersion refuses a schema that this program cannot work with, or migrates it where mode says so.
func (s *Store) checkVersion(ctx context.Context, mode Mode) error {
	version, err := s.version(ctx)
	if err != nil {
		return err
	}
	if mode == Migrate && version <= schemaVersion {
		if err := s.check(ctx); err != nil {
			return err
		}
	}
	if mode == Migrate && version < schemaVersion {
		err = s.migrate(ctx, version)
	} else {
		err = known(version)
	}
	if err != nil {
		return err
	}
	return s.checkShape(ctx, mode)
}

// known is an error unless a schema of that version is the one that this program works with.
func known(version int64) error {
	switch {
	case version > schemaVersion:
		return fmt.Errorf("%w: its version is %d, ours %d; update claudeops", ErrNewer, version, schemaVersion)
	case version < schemaVersion:
		return fmt.Errorf("%w: its version is %d, ours %d; run `claudeops run-once` once to migrate it", ErrOlder, version, schemaVersion)
	}
	return nil
}

// version is the schema's, by goose's own book.
func (s *Store) version(ctx context.Context) (version int64, err error) {
	var ours bool
	err = s.conn.QueryRowContext(ctx, `SELECT count(*) = 2 FROM sqlite_schema WHERE type = 'table' AND name IN ('goose_db_version', 'sessions')`).Scan(&ours)
	if err != nil {
		return 0, err
	}
	if !ours {
		return 0, fmt.Errorf("%w: it has none of our tables; move it away", ErrForeign)
	}
	err = s.conn.QueryRowContext(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&version)
	return version, err
}

// Recheck is an error of Open where the schema has changed since into one that this program cannot read.
func (s *Store) Recheck(ctx context.Context) error {
	if err := s.checkVersion(ctx, ReadOnly); err != nil {
		return s.failed("look at its version", err)
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

// Update runs f in a transaction, which is written if f returns nil and undone otherwise. Inside f only tx may be used: s itself waits
// for f to end, and f would wait for s. Within a transaction, f joins it.
func (s *Store) Update(ctx context.Context, f func(tx *Store) error) (err error) {
	if s.conn != conn(s.db) {
		return f(s)
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return s.failed("begin a transaction", err)
	}
	defer func() {
		if undo := tx.Rollback(); undo != nil && !errors.Is(undo, sql.ErrTxDone) {
			err = errors.Join(err, s.failed("undo a transaction", undo))
		}
	}()
	inside := *s
	inside.conn = tx
	if err := f(&inside); err != nil {
		return err
	}
	err = tx.Commit()
	if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil { // the end of ctx undid it, a moment before the commit
		err = ctx.Err()
	}
	if err != nil {
		return s.failed("commit a transaction", err)
	}
	return nil
}

package store

import (
	"context"
	"database/sql"
)

// Current is an error unless the schema is the one that this program knows: ErrOlder, ErrNewer or ErrForeign. It is for those who keep a
// database open while others may migrate it, or put another one's content in its place.
func (q queries) Current(ctx context.Context) error {
	version, err := q.version(ctx)
	if err == nil {
		err = known(version)
	}
	if err == nil {
		err = q.checkShape(ctx, ReadOnly)
	}
	return q.failed("look at its version", err)
}

// Watch sees whether anything was written to a database since one last asked.
type Watch struct {
	db    *sql.DB
	store *Store
}

// Watch begins to watch. Close it.
func (s *Store) Watch() *Watch {
	// What SQLite counts is what other connections wrote since this one began: it has to be one and the same.
	db := database(s.path, "mode=ro", everyConnection)
	db.SetMaxOpenConns(1)
	return &Watch{db, s}
}

// Version is a number that is another one after each write of anybody.
func (w *Watch) Version(ctx context.Context) (version int64, err error) {
	err = w.db.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&version)
	return version, w.store.failed("look whether it has changed", err)
}

// Close ends the watch.
func (w *Watch) Close() error {
	return w.store.failed("end the watch", w.db.Close())
}

package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/mattn/go-sqlite3"
	"github.com/pressly/goose/v3"

	"github.com/claudeops/claudeops/internal/statedir"
)

// schemaVersion is the number of the last file in migrations. It is here so that opening need not look there.
const schemaVersion = 13

//go:embed migrations/*.sql
var migrations embed.FS

// lockWait is how long to wait for another process that is making the database.
const lockWait = 10 * time.Second

// create makes a database with the present schema at path, whole or not at all. Where another process is faster, its one stays.
func create(ctx context.Context, path string) (err error) {
	waiting, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	lock, err := statedir.Acquire(waiting, path+".lock")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	content, err := schemaImage(ctx, schemaVersion)
	if err != nil {
		return fmt.Errorf("make an empty database: %w", err)
	}
	// A log that a deleted database left would be taken for the new one's. Only under the lock is it certain that no process uses it.
	for _, orphan := range []string{path + "-wal", path + "-shm"} {
		if err := os.Remove(orphan); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	_, err = statedir.Create(path, content)
	return err
}

// schemaImage is the content of a database file that has the schema of a version and no rows.
func schemaImage(ctx context.Context, version int64) (content []byte, err error) {
	db, err := inMemory(ctx, version)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	err = conn.Raw(func(c any) error {
		content, err = c.(connection).Serialize("main")
		return err
	})
	if err != nil {
		return nil, err
	}
	// A database in memory has no log. The versions that a file is written and read by, 2, say that it has one (SQLite's "Database
	// File Format", 1.3.3); they are set here because the first to open it would have to shut out all others to do so.
	content[18], content[19] = 2, 2
	return content, nil
}

// inMemory is a database in memory that has the schema of a version and no rows.
func inMemory(ctx context.Context, version int64) (*sql.DB, error) {
	db := sql.OpenDB(connector{":memory:", &sqlite3.SQLiteDriver{}})
	db.SetMaxOpenConns(1) // each connection would be a database of its own
	if err := upgradeTo(ctx, db, version); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// migrate brings the schema up to date, after a backup. Each migration is done whole or not at all; where not even the first is,
// the backup goes too, so that a cycle that fails every hour does not fill the disk with them.
func (s *Store) migrate(ctx context.Context, version int64) error {
	backup := fmt.Sprintf("%s.v%d-%s.bak", s.path, version, s.Now().UTC().Format("20060102T150405Z"))
	if err := s.backUp(ctx, backup); err != nil {
		return fmt.Errorf("make the backup %s before migrating: %w", backup, err)
	}
	// A migration may rebuild a table, which must not delete what refers to it: references are checked afterwards instead.
	db := database(s.path, "mode=rw", `PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = OFF`)
	db.SetMaxOpenConns(1)
	err := errors.Join(upgrade(ctx, db), db.Close())
	if err == nil {
		return nil
	}
	err = fmt.Errorf("migrate from version %d to %d: %w", version, schemaVersion, err)
	if now, unknown := s.version(ctx); unknown != nil || now != version {
		return fmt.Errorf("%w (what it was before is in %s)", err, backup)
	}
	return errors.Join(err, os.Remove(backup))
}

// backUp writes all that the database holds into a new file.
func (s *Store) backUp(ctx context.Context, path string) (err error) {
	f, err := statedir.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600) // so that its owner is right; SQLite fills an empty file
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err != nil {
			err = errors.Join(err, os.Remove(path))
		}
	}()
	if _, err := s.db.ExecContext(ctx, `VACUUM INTO ?`, path); err != nil {
		return err
	}
	return f.Sync() // VACUUM INTO does not
}

// upgrade runs the migrations that db has not had yet.
func upgrade(ctx context.Context, db *sql.DB) error { return upgradeTo(ctx, db, schemaVersion) }

func upgradeTo(ctx context.Context, db *sql.DB, version int64) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	if _, err := provider.UpTo(ctx, version); err != nil {
		return err
	}
	var dangling int
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM pragma_foreign_key_check`).Scan(&dangling); err != nil {
		return err
	}
	if dangling > 0 {
		return fmt.Errorf("%d rows refer to rows that do not exist", dangling)
	}
	return nil
}

package store

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/claudeops/claudeops/internal/statedir"
)

// applicationID marks a database as ours: PRAGMA application_id.
const applicationID = 0x636c6f70

//go:embed migrations/00001_schema.sql
var schema string

// migrations has, for each version of the schema, the statements that make it of the one before. Tests add one.
var migrations = []string{schema}

// schemaVersion returns the version that this program uses.
func schemaVersion() int64 { return int64(len(migrations)) }

// lockWait is how long to wait for another process that is creating the database.
const lockWait = 10 * time.Second

// create creates a database with the current schema at path, completely or not at all. If another process is faster, its database stays.
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
	// The WAL of a deleted database would be taken for the new one's. Only under the lock is it certain that no process uses it.
	if err := removeAll(path+"-wal", path+"-shm"); err != nil {
		return err
	}
	made := path + ".new"
	if err := makeAnew(ctx, made, time.Now, func(*Store) error { return nil }); err != nil {
		return err
	}
	return statedir.Rename(made, path)
}

// makeAnew makes a database with the current schema at path, complete and synced, with the rows that record writes; on
// an error there is none.
func makeAnew(ctx context.Context, path string, now func() time.Time, record func(*Store) error) (err error) {
	beside := []string{path + "-wal", path + "-shm"}
	if err := removeAll(append(beside, path)...); err != nil { // left by a process that was killed here
		return err
	}
	// This sets the right owner; SQLite fills an empty file.
	f, err := statedir.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	s := connect(path, ReadWrite)
	s.Now = now
	err = s.exec(ctx, "make it", `PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY`)
	err = errors.Join(err, s.upgrade(ctx, 0), s.setWAL(ctx))
	if err == nil {
		err = record(s)
	}
	if err == nil {
		err = errors.Join(s.exec(ctx, "write it out", `PRAGMA wal_checkpoint(TRUNCATE)`), f.Sync()) // no other process has it open
	}
	if err = errors.Join(err, s.Close(), f.Close(), removeAll(beside...)); err != nil {
		return errors.Join(fmt.Errorf("make an empty database: %w", err), removeAll(path))
	}
	return nil
}

// migrate migrates the schema after a backup. If that fails, the database is as it was, and the backup is removed, so
// that a cycle that fails every hour does not fill the disk.
func (s *Store) migrate(ctx context.Context, version int64) error {
	backup := fmt.Sprintf("%s.v%d-%s.bak", s.path, version, s.Now().UTC().Format("20060102T150405Z"))
	f, err := statedir.OpenFile(backup, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600) // sets the right owner; SQLite fills an empty file
	if err != nil {
		return fmt.Errorf("make the backup %s before migrating: %w", backup, err)
	}
	_, err = s.db.ExecContext(ctx, `VACUUM INTO ?`, backup)
	if err == nil {
		err = f.Sync() // VACUUM INTO does not
	}
	if err == nil {
		err = s.upgrade(ctx, version)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(fmt.Errorf("migrate from version %d to %d: %w", version, schemaVersion(), err), os.Remove(backup))
	}
	return nil
}

// upgrade runs the migrations after a version, all or none.
func (s *Store) upgrade(ctx context.Context, version int64) error {
	// A migration may rebuild a table, which must not delete rows that refer to it.
	if _, err := s.db.ExecContext(ctx, `PRAGMA foreign_keys = OFF`); err != nil {
		return err
	}
	marks := fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d`, applicationID, schemaVersion())
	err := s.Update(ctx, func(s *Store) error {
		for _, statements := range append(slices.Clone(migrations[version:]), marks) {
			if _, err := s.conn.ExecContext(ctx, statements); err != nil {
				return err
			}
		}
		return nil
	})
	_, on := s.db.ExecContext(ctx, `PRAGMA foreign_keys = ON`)
	return errors.Join(err, on)
}

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/statefile"
)

// DamageError means that a database is damaged: SQLite finds its file corrupt or not a database, the file is empty or missing although a
// cycle has completed there, or one of our tables was changed. A database that cannot be opened, read or locked, or that has another
// version, is not damaged.
type DamageError struct {
	What    string
	missing bool // there is no file; the error is also fs.ErrNotExist
}

func (e *DamageError) Error() string {
	return "it is damaged: " + e.What + "; the next cycle moves it aside and goes on with what can still be read of it"
}

func (e *DamageError) Unwrap() []error {
	if e.missing {
		return []error{ErrForeign, fs.ErrNotExist}
	}
	return []error{ErrForeign}
}

// checkTime limits the check for damage at the start of a cycle; it reads about 140 MB in that time. Damage elsewhere is found when it is
// read.
const checkTime = 500 * time.Millisecond

// check returns a *DamageError if a page of the database is damaged.
func (s *Store) check(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	var found string
	err := s.conn.QueryRowContext(limited, `PRAGMA quick_check(1)`).Scan(&found)
	if limited.Err() != nil && ctx.Err() == nil {
		return nil
	}
	if what, damaged := strings.CutPrefix(found, "*** in database main ***\n"); damaged { // others: rows that violate a constraint
		return &DamageError{What: what}
	}
	return err
}

// Check runs the check for damage of a cycle's start, and returns a *DamageError.
func (s *Store) Check(ctx context.Context) error {
	return s.failed("look for damage", s.check(ctx))
}

// used reports whether cooldown.json shows that a cycle has completed in a state directory, so that a database should exist.
func used(dir string) bool {
	text, err := statedir.ReadFile(statefile.Path(dir), statefile.MaxBytes)
	if err != nil {
		return false
	}
	st, err := statefile.Parse(text)
	return err == nil && st.LastRun != nil
}

// Healing describes the replacement of a damaged or removed database.
type Healing struct {
	Aside     string         // the new name of the file in its place, beside its -wal and -shm; empty if there was none
	Rows      map[string]int // rows carried over, by table
	CountLost bool           // the acts of the last 24 h are no longer all known
}

// Heal replaces the damaged database at path with a new one. It requires the cycle lock. The damaged one is set aside. Readable rows are
// carried over, with their ids, into the schema of its version, which is then migrated. record writes what people should know into the
// new database before it takes its place. On an error the damaged one stays.
func Heal(ctx context.Context, path string, now func() time.Time, record func(context.Context, *Store, Healing) error) error {
	from, err := openDamaged(ctx, path)
	if err == nil {
		r := remake{path: path, from: from, schema: damagedSchema, why: "corrupt", now: now, record: record}
		err = errors.Join(r.run(ctx), from.Close())
	}
	if err = errors.Join(err, removeCopy(path)); err != nil {
		return fmt.Errorf("heal the database %s: %w", path, explain(err))
	}
	return nil
}

// Moved reports whether the database's file was removed or replaced since it was opened.
func (s *Store) Moved() bool {
	is, err := os.Lstat(s.path)
	return errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(is, s.file)
}

// PutBack puts a copy of this database, whose file was moved (Moved), back in its place. It requires the cycle lock. A file that is there
// now is set aside. record is as for Heal. This store still uses the old file: close it, and open another.
func (s *Store) PutBack(ctx context.Context, record func(context.Context, *Store, Healing) error) error {
	r := remake{path: s.path, from: s.db, schema: "main", why: "replaced", now: s.Now, record: record}
	return s.failed("put it back", r.run(ctx))
}

// remake builds a new database from the readable rows of an old one.
type remake struct {
	path   string
	from   *sql.DB // limited to one connection
	schema string  // the schema name of the old database there
	why    string  // why the old one is set aside
	now    func() time.Time
	record func(context.Context, *Store, Healing) error
}

func (r remake) run(ctx context.Context) (err error) {
	version, err := r.version(ctx)
	if err != nil {
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	lock, err := statedir.Acquire(waiting, r.path+".lock")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	aside, err := statedir.SetAside(r.path, r.why, r.now())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	made := r.path + ".new"
	if err = r.make(ctx, made, version, aside); err == nil {
		err = r.place(made, aside)
	}
	if err != nil {
		return errors.Join(err, r.undo(aside), removeAll(made, made+"-wal", made+"-shm"))
	}
	return r.dropOld()
}

// kept is the number of databases of each kind that stay when set aside.
const kept = 3

// dropOld removes the oldest databases that were set aside, so that repeated damage does not fill the disk.
func (r remake) dropOld() error {
	entries, err := os.ReadDir(filepath.Dir(r.path)) // sorted by name, hence by time
	if err != nil {
		return err
	}
	var all []string
	for _, e := range entries {
		if name := e.Name(); strings.HasPrefix(name, filepath.Base(r.path)+"."+r.why+"-") && !strings.HasSuffix(name, "-wal") && !strings.HasSuffix(name, "-shm") {
			all = append(all, filepath.Join(filepath.Dir(r.path), name))
		}
	}
	for _, old := range all[:max(0, len(all)-kept)] {
		if err := removeAll(old, old+"-wal", old+"-shm"); err != nil {
			return err
		}
	}
	return nil
}

// undo restores the old database's name unless another file has it by now. If the old one still has it, only its second name is removed.
func (r remake) undo(aside string) error {
	if aside == "" {
		return nil
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		old, err := os.Lstat(aside + suffix)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		there, missing := os.Lstat(r.path + suffix)
		switch {
		case err != nil:
		case errors.Is(missing, fs.ErrNotExist):
			err = os.Rename(aside+suffix, r.path+suffix)
		case missing != nil:
			err = missing
		case os.SameFile(old, there):
			err = os.Remove(aside + suffix)
		case suffix == "": // the new one is in its place
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// version returns the schema version, or the current one if it cannot be read; a newer one is an error.
func (r remake) version(ctx context.Context) (version int64, err error) {
	err = r.from.QueryRowContext(ctx, `SELECT coalesce(max(version_id), 0) FROM `+r.schema+`.goose_db_version WHERE is_applied`).Scan(&version)
	switch {
	case err != nil || version < 1:
		return schemaVersion, nil //nolint:nilerr // as is to be expected of a damaged one
	case version > schemaVersion:
		return 0, known(version)
	}
	return version, nil
}

// make creates the new database, complete and synced, under its own name.
func (r remake) make(ctx context.Context, path string, version int64, aside string) error {
	content, err := schemaImage(ctx, version)
	if err != nil {
		return fmt.Errorf("make an empty database: %w", err)
	}
	if err := removeAll(path, path+"-wal", path+"-shm"); err != nil { // left by a process that was killed here
		return err
	}
	if err := statedir.Replace(path, content); err != nil {
		return err
	}
	s := connect(path, ReadWrite)
	s.Now = r.now
	err = errors.Join(r.fill(ctx, s, version, aside), s.Close())
	return errors.Join(err, removeAll(path+"-wal", path+"-shm"))
}

func (r remake) fill(ctx context.Context, s *Store, version int64, aside string) error {
	if err := s.exec(ctx, "carry over", `PRAGMA foreign_keys = OFF`); err != nil {
		return err
	}
	c := carrier{from: r.from, schema: r.schema, to: s.db, rows: map[string]int{}, incomplete: map[string]bool{}}
	if err := c.run(ctx); err != nil {
		return fmt.Errorf("carry over what can be read: %w", err)
	}
	if version < schemaVersion {
		if err := upgrade(ctx, s.db); err != nil {
			return fmt.Errorf("migrate from version %d to %d: %w", version, schemaVersion, err)
		}
	}
	h := Healing{Aside: aside, Rows: c.rows, CountLost: c.incomplete["cooldown_actions"]}
	if err := s.exec(ctx, "carry over", `PRAGMA foreign_keys = ON`); err != nil {
		return err
	}
	if h.CountLost {
		if err := s.exec(ctx, "record that a count is lost", `INSERT INTO lost_counts (lost_at) VALUES (?)`, timeText(r.now())); err != nil {
			return err
		}
	}
	if err := r.record(ctx, s, h); err != nil {
		return err
	}
	return s.exec(ctx, "write it out", `PRAGMA wal_checkpoint(TRUNCATE)`) // this syncs it; no other process has it open
}

// place gives the new database its name, and renames the replaced one's WAL to match that file's new name.
func (r remake) place(made, aside string) error {
	for _, suffix := range []string{"-wal", "-shm"} {
		var err error
		if aside == "" {
			err = os.Remove(r.path + suffix)
		} else {
			err = os.Rename(r.path+suffix, aside+suffix)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return statedir.Rename(made, r.path)
}

func removeAll(paths ...string) error {
	for _, path := range paths {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	return nil
}

// removePlanted removes objects that SQLite could not open in the place of its own files. It requires the cycle lock.
func removePlanted(path string) error {
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		if is, err := os.Lstat(path + suffix); err == nil && !is.Mode().IsRegular() {
			if err := os.RemoveAll(path + suffix); err != nil {
				return err
			}
		}
	}
	return nil
}

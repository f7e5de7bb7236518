package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"

	"github.com/mattn/go-sqlite3"

	"github.com/claudeops/claudeops/internal/statedir"
)

// damagedSchema is what a damaged database is called in the connection that reads it.
const damagedSchema = "damaged"

// openDamaged opens a database for reading of which not everything can be read, maybe nothing. It is attached to an empty one: the driver
// asks the one that it opens for its schema at once, which may be damaged in part. Of a file whose header is not one, a copy with a new
// header is read.
func openDamaged(ctx context.Context, path string) (*sql.DB, error) {
	db, err := attach(ctx, path)
	if lost(err) == nil && err != nil {
		if err = copyWithHeader(ctx, path); err == nil {
			db, err = attach(ctx, path+copySuffix)
		}
	}
	if lost(err) == nil && err != nil {
		return attach(ctx, "")
	}
	return db, err
}

// attach attaches a database to an empty one; no path is none.
func attach(ctx context.Context, path string) (*sql.DB, error) {
	u := url.URL{Path: path}
	db := sql.OpenDB(connector{"file::memory:", &sqlite3.SQLiteDriver{ConnectHook: func(conn *sqlite3.SQLiteConn) error {
		conn.SetLimit(sqlite3.SQLITE_LIMIT_LENGTH, mostValue)
		pragmas := `PRAGMA writable_schema = ON;` // takes what can be read of a schema
		if path != "" {
			pragmas += `ATTACH 'file:` + strings.ReplaceAll(u.EscapedPath(), "'", "''") + `?mode=ro' AS ` + damagedSchema
		}
		_, err := conn.Exec(pragmas, nil)
		return err
	}}})
	db.SetMaxOpenConns(1)
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// copySuffix names the copy of a damaged database, for as long as it is read.
const copySuffix = ".copy"

// headerSize is that of the header of a database file (SQLite's "Database File Format", 1.3).
const headerSize = 100

// copyWithHeader copies a file and its log, with the header that our databases have.
func copyWithHeader(ctx context.Context, path string) (err error) {
	image, err := schemaImage(ctx, schemaVersion)
	if err != nil {
		return err
	}
	header := image[:headerSize]
	clear(header[28:40]) // pages in all, and those that are free: SQLite goes by the file's size, and needs no free ones to read
	if err := removeCopy(path); err != nil {
		return err
	}
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(path+suffix, path+copySuffix+suffix); err != nil && (suffix == "" || !errors.Is(err, os.ErrNotExist)) {
			return err
		}
	}
	f, err := statedir.OpenFile(path+copySuffix, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(header, 0)
	return errors.Join(err, f.Close())
}

func copyFile(from, to string) error {
	source, err := statedir.OpenFile(from, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	f, err := statedir.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = io.Copy(f, source)
		err = errors.Join(err, f.Close())
	}
	if err = errors.Join(err, source.Close()); err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	return nil
}

func removeCopy(path string) error {
	return removeAll(path+copySuffix, path+copySuffix+"-wal", path+copySuffix+"-shm")
}

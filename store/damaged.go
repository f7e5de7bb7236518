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

// damagedSchema is the schema name of the old database in the connection that reads it.
const damagedSchema = "damaged"

// openDamaged opens a database that may be partly or completely unreadable. It is attached to an empty one, because the driver reads the
// schema of the main database at once, and that may be damaged. If the file's header is invalid, a copy with a new header is read.
func openDamaged(ctx context.Context, path string) (*sql.DB, error) {
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
		return attach(ctx, "")
	}
	db, err := attach(ctx, path)
	if is, missing := os.Lstat(path); fatal(err) == nil && err != nil && missing == nil && is.Size() <= mostCopied {
		if err = copyWithHeader(ctx, path); err == nil {
			db, err = attach(ctx, path+copySuffix)
		}
	}
	if fatal(err) == nil && err != nil {
		return attach(ctx, "")
	}
	return db, err
}

// attach attaches a database to an empty one; an empty path attaches none.
func attach(ctx context.Context, path string) (*sql.DB, error) {
	u := url.URL{Path: path}
	db := sql.OpenDB(connector{"file::memory:", &sqlite3.SQLiteDriver{ConnectHook: func(conn *sqlite3.SQLiteConn) error {
		conn.SetLimit(sqlite3.SQLITE_LIMIT_LENGTH, mostValue)
		pragmas := `PRAGMA writable_schema = ON;` // accept a partly readable schema
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

// copySuffix is the suffix of the temporary copy of a damaged database.
const copySuffix = ".copy"

// mostCopied is the maximum size of a damaged database that is copied, in bytes. If a larger one has no valid header, nothing is carried
// over.
const mostCopied = 4 << 30

// headerSize is the size of a database file's header (SQLite's "Database File Format", 1.3).
const headerSize = 100

// copyWithHeader copies a file and its WAL, with the header of our databases.
func copyWithHeader(ctx context.Context, path string) (err error) {
	image, err := schemaImage(ctx, schemaVersion)
	if err != nil {
		return err
	}
	header := image[:headerSize]
	clear(header[28:40]) // page count and free pages: SQLite uses the file's size instead, and reading needs no free pages
	if err := removeCopy(path); err != nil {
		return err
	}
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(ctx, path+suffix, path+copySuffix+suffix); err != nil && (suffix == "" || !errors.Is(err, os.ErrNotExist)) {
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

func copyFile(ctx context.Context, from, to string) error {
	source, err := statedir.OpenFile(from, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	f, err := statedir.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = io.Copy(f, io.LimitReader(whileOpen{ctx, source}, mostCopied))
		err = errors.Join(err, f.Close())
	}
	if err = errors.Join(err, source.Close()); err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	return nil
}

// whileOpen reads until its context ends.
type whileOpen struct {
	ctx context.Context
	io.Reader
}

func (r whileOpen) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

func removeCopy(path string) error {
	return removeAll(path+copySuffix, path+copySuffix+"-wal", path+copySuffix+"-shm")
}

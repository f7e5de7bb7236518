package probe

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"syscall"
	"time"

	"github.com/mattn/go-sqlite3"
	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/check"
)

// sqliteTalk is a SQLite file, open for reading only.
type sqliteTalk struct{ conn *sqlite3.SQLiteConn }

// openSQLite opens an existing file, and never creates one, not even a -wal or -shm beside it, whose owner the application would not be. It
// waits for another process's lock, but ends before the attempt does, so that the result can name the lock.
func openSQLite(ctx context.Context, d *database, _ *wire) (dialogue, error) {
	path := "/" + d.database
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &foundError{down("there is no file " + path)}
	case err != nil:
		return nil, &foundError{impossible("the database cannot be looked at: " + err.Error())}
	case !info.Mode().IsRegular():
		return nil, &foundError{down(path + " is not a file")}
	}
	wait := time.Second
	if deadline, set := ctx.Deadline(); set {
		wait = max(0, min(5*time.Second, time.Until(deadline)/2))
	}
	options := fmt.Sprintf("?mode=ro&readonly_shm=1&_query_only=1&_busy_timeout=%d", wait.Milliseconds())
	if d.options["immutable"] == "1" || isClosedWAL(path, info) {
		options += "&immutable=1"
	}
	conn, err := (&sqlite3.SQLiteDriver{}).Open("file:" + (&url.URL{Path: path}).EscapedPath() + options)
	if err != nil {
		return nil, err
	}
	s := &sqliteTalk{conn: conn.(*sqlite3.SQLiteConn)}
	s.conn.SetLimit(sqlite3.SQLITE_LIMIT_LENGTH, maxAnswered)
	s.conn.SetLimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0) // attaching would create a missing file
	return s, nil
}

// isClosedWAL reports whether a database is in WAL mode (SQLite's "Database File Format", 1.3.3), and no application has it open, so that
// nothing writes to it.
func isClosedWAL(path string, info fs.FileInfo) bool {
	if _, err := os.Lstat(path + "-wal"); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	is := info.Sys().(*syscall.Stat_t)
	fd, err := sqliteFiles.get([2]uint64{is.Dev, is.Ino}, func() (int, error) { return unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0) })
	if err != nil {
		return false // opening it as a database says why
	}
	var header [20]byte
	n, _ := unix.Pread(fd, header[:], 0)
	return n == len(header) && header[18] == 2 && header[19] == 2
}

// sqliteFiles has a descriptor of each file, by device and inode, until this process ends: to close one would give up all locks that the process has on the
// file, such as those of its own database (SQLite's "How To Corrupt An SQLite Database File", 2.2).
var sqliteFiles shared[[2]uint64, int]

func (s *sqliteTalk) close() { _ = s.conn.Close() }

// ask reads the first row. The default query reads the file's header and schema, because opening reads nothing.
func (s *sqliteTalk) ask(ctx context.Context, query string) (bool, error) {
	if query == "" {
		query = "SELECT count(*) FROM sqlite_schema"
	}
	rows, err := s.conn.QueryContext(ctx, query, nil)
	if err != nil {
		return false, err
	}
	defer func() { _ = rows.Close() }()
	err = rows.Next(make([]driver.Value, len(rows.Columns())))
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	return err == nil, err
}

// explainSQLite maps SQLite's result codes.
func explainSQLite(d *database, err error) check.Result {
	var said sqlite3.Error
	if answered := errors.As(err, &said); errors.Is(err, context.DeadlineExceeded) || answered && said.Code == sqlite3.ErrInterrupt {
		return down(fmt.Sprintf("the query of %s did not end within %s", d.place, d.timeout))
	} else if !answered {
		return check.Result{}
	}
	switch said.Code {
	case sqlite3.ErrNotADB:
		return down(d.place + " is no SQLite database")
	case sqlite3.ErrCorrupt:
		return down(d.place + " is damaged: " + said.Error())
	case sqlite3.ErrBusy, sqlite3.ErrLocked:
		return down(d.place + " is locked by another process")
	case sqlite3.ErrCantOpen, sqlite3.ErrPerm, sqlite3.ErrAuth:
		return unmade(d.place + " cannot be opened; the user of the check needs to read it, and what lies beside it with -wal and -shm")
	}
	if said.Code == sqlite3.ErrError || said.Code == sqlite3.ErrReadonly {
		return impossible(d.place + " refuses the statement: " + said.Error())
	}
	return down(fmt.Sprintf("%s: %s (%d)", d.place, said.Error(), int(said.Code)))
}

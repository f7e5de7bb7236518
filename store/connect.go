package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/mattn/go-sqlite3"
)

// readers limits the connections of a reading process.
const readers = 4

// Settings that SQLite does not keep when a connection closes.
const (
	everyConnection = `
		PRAGMA busy_timeout = 5000; -- ms that a writer waits for another one before it gives up
		PRAGMA foreign_keys = ON;   -- off by default, for the sake of databases from before 2009`
	writingConnection = everyConnection + `
		PRAGMA synchronous = NORMAL;         -- syncs at checkpoints only: a power cut may lose the last transactions, never the whole
		PRAGMA wal_autocheckpoint = 250;     -- pages, 1 MiB: who opens the database reads all of the log
		PRAGMA journal_size_limit = 1048576; -- bytes that a log may keep after a checkpoint`
)

// connector opens connections to one database file. It replaces sql.Open, which needs a registered driver name for each kind of
// connection.
type connector struct {
	dsn    string
	driver *sqlite3.SQLiteDriver
}

func (c connector) Connect(context.Context) (driver.Conn, error) {
	conn, err := c.driver.Open(c.dsn)
	if err != nil {
		return nil, err
	}
	return connection{conn.(*sqlite3.SQLiteConn)}, nil
}

func (c connector) Driver() driver.Driver { return c.driver }

// connection is a SQLite connection that stores times as timeText writes them, lists and maps as JSON, and text as
// valid UTF-8. Text from an agent or a service may contain anything; SQLite would store it unchanged, and other
// readers of the database would fail.
type connection struct{ *sqlite3.SQLiteConn }

// CheckNamedValue converts an argument of a query for SQLite.
func (connection) CheckNamedValue(arg *driver.NamedValue) (err error) {
	if kind := reflect.ValueOf(arg.Value).Kind(); kind == reflect.Slice || kind == reflect.Map {
		text, err := json.Marshal(arg.Value, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
		if err != nil {
			return err
		}
		arg.Value = string(text)
	}
	arg.Value, err = driver.DefaultParameterConverter.ConvertValue(arg.Value)
	switch value := arg.Value.(type) {
	case string:
		arg.Value = strings.ToValidUTF8(value, "\uFFFD")
	case time.Time:
		arg.Value = timeText(value)
	}
	return err
}

// connect returns a store for an existing file without opening a connection yet.
func connect(path string, mode Mode) *Store {
	s := &Store{path: path, Now: time.Now}
	if mode == ReadOnly {
		s.db = database(path, "mode=ro", everyConnection)
		s.db.SetMaxOpenConns(readers)
		s.db.SetMaxIdleConns(readers) // a new connection would have to read the schema again
	} else {
		s.db = database(path, "mode=rw&_txlock=immediate", writingConnection)
		s.db.SetMaxOpenConns(1)
		s.finishes = true
	}
	s.conn = s.db
	return s
}

// database opens path with SQLite's URI parameters (mode: never create the file) and the driver's (_txlock=immediate: a transaction takes
// the write lock when it begins, not after it has read data that another one is changing). It runs pragmas on each connection.
// Connections cache their last statements, as the same query may run for thousands of services.
func database(path, parameters, pragmas string) *sql.DB {
	u := url.URL{Path: path}
	c := connector{dsn: "file:" + u.EscapedPath() + "?_stmt_cache_size=32&" + parameters, driver: &sqlite3.SQLiteDriver{}}
	c.driver.ConnectHook = func(conn *sqlite3.SQLiteConn) error {
		// Keep the WAL and its index when the last writer closes: a user without write access to the directory could not read without
		// them.
		if err := conn.SetFileControlInt("main", sqlite3.SQLITE_FCNTL_PERSIST_WAL, 1); err != nil {
			return err
		}
		_, err := conn.Exec(pragmas, nil)
		return err
	}
	return sql.OpenDB(c)
}

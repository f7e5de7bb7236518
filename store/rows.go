package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/mattn/go-sqlite3"
)

// timeLayout is the format of times in the database: UTC and of fixed width, so that text sorts by time.
const timeLayout = "2006-01-02T15:04:05.000Z"

func timeText(t time.Time) string { return t.UTC().Format(timeLayout) }

// list reads all rows of a query whose columns are T's fields in order: those of nested structs too, and lists and maps as JSON. work names
// the operation in an error.
func list[T any](ctx context.Context, s *Store, work, query string, args ...any) (all []T, err error) {
	rows, err := s.conn.QueryContext(s.until(ctx), query, args...)
	if err != nil {
		return nil, s.failed(work, err)
	}
	defer func() { err = errors.Join(err, s.failed(work, rows.Close())) }()
	var one, none T
	into := columns(reflect.ValueOf(&one).Elem(), nil)
	for rows.Next() {
		one = none
		if err := rows.Scan(into...); err != nil {
			return nil, s.failed(work, err)
		}
		all = append(all, one)
	}
	return all, s.failed(work, rows.Err())
}

// columns appends what the columns of a row are scanned into: a struct's fields, or a single value.
func columns(v reflect.Value, into []any) []any {
	to := v.Addr().Interface()
	switch to.(type) {
	case *jsontext.Value: // unknown members are not stored
		return into
	case *time.Time, **time.Time:
		return append(into, parsed{to})
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return append(into, parsed{to})
	case reflect.Struct:
		for i := range v.NumField() {
			into = columns(v.Field(i), into)
		}
		return into
	}
	return append(into, to)
}

// parsed scans the text of a time or of JSON. NULL leaves it empty.
type parsed struct{ to any }

func (p parsed) Scan(value any) (err error) {
	text, isText := value.(string)
	if !isText {
		return nil
	}
	switch to := p.to.(type) {
	case *time.Time:
		*to, err = time.Parse(time.RFC3339, text)
		return err
	case **time.Time:
		*to = new(time.Time)
		return parsed{*to}.Scan(text)
	}
	return json.Unmarshal([]byte(text), p.to, jsontext.AllowInvalidUTF8(true))
}

// pair is a row with two columns.
type pair[K comparable, V any] struct {
	Key   K
	Value V
}

// keyed reads a query whose first column is a key.
func keyed[K comparable, V any](ctx context.Context, s *Store, work, query string, args ...any) (map[K]V, error) {
	pairs, err := list[pair[K, V]](ctx, s, work, query, args...)
	values := make(map[K]V, len(pairs))
	for _, p := range pairs {
		values[p.Key] = p.Value
	}
	return values, err
}

// first reads the first row of a query; nil if there is none.
func first[T any](ctx context.Context, s *Store, work, query string, args ...any) (*T, error) {
	found, err := list[T](ctx, s, work, query, args...)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// one reads the row of a query that always has exactly one.
func one[T any](ctx context.Context, s *Store, work, query string, args ...any) (value T, err error) {
	row, err := first[T](ctx, s, work, query, args...)
	if err != nil {
		return value, err
	}
	if row == nil {
		return value, s.failed(work, sql.ErrNoRows)
	}
	return *row, nil
}

// find reads the row with an id, or returns ErrNotFound.
func find[T any](ctx context.Context, s *Store, what string, id int64, query string) (found T, err error) {
	row, err := first[T](ctx, s, fmt.Sprintf("read %s %d", what, id), query, id)
	if err != nil {
		return found, err
	}
	if row == nil {
		return found, fmt.Errorf("%s %d: %w", what, id, ErrNotFound)
	}
	return *row, nil
}

// exec runs a statement that changes rows.
func (s *Store) exec(ctx context.Context, work, query string, args ...any) error {
	_, err := s.changed(ctx, work, query, args...)
	return err
}

// insert adds a row and returns its id.
func (s *Store) insert(ctx context.Context, work, query string, args ...any) (int64, error) {
	return one[int64](ctx, s, work, query+` RETURNING id`, args...)
}

// changed runs a statement, and returns how many rows it changed.
func (s *Store) changed(ctx context.Context, work, query string, args ...any) (rows int64, err error) {
	result, err := s.conn.ExecContext(s.until(ctx), query, args...)
	if err != nil {
		return 0, s.failed(work, err)
	}
	rows, err = result.RowsAffected()
	return rows, s.failed(work, err)
}

// change runs a statement that must change the row with an id; if it does not, the error is ErrNotFound.
func (s *Store) change(ctx context.Context, what string, id int64, query string, args ...any) error {
	rows, err := s.changed(ctx, fmt.Sprintf("change %s %d", what, id), query, args...)
	if err == nil && rows == 0 {
		err = fmt.Errorf("%s %d: %w", what, id, ErrNotFound)
	}
	return err
}

// spans returns the times between each moment and the next, for json_each: [since, until].
func spans(moments []time.Time) (spans [][2]string) {
	for n := range len(moments) - 1 {
		spans = append(spans, [2]string{timeText(moments[n]), timeText(moments[n+1])})
	}
	return spans
}

// filter collects the conditions of a listing.
type filter struct {
	where string // ends with the last of them
	args  []any
}

// add adds a condition if wanted.
func (f *filter) add(wanted bool, condition string, args ...any) {
	if wanted {
		f.where += " AND " + condition
		f.args = append(f.args, args...)
	}
}

// listed reads the rows of a query that meet the filter, in an order; limit 0 means no limit.
func listed[T any](ctx context.Context, s *Store, work, query string, f filter, order string, limit int) ([]T, error) {
	if limit <= 0 {
		limit = -1
	}
	query += " WHERE TRUE" + f.where + " ORDER BY " + order + " LIMIT ?"
	return list[T](ctx, s, work, query, append(f.args, limit)...)
}

// Error means that the database could not be opened or that an operation on it failed.
type Error struct{ err error }

func (e *Error) Error() string { return e.err.Error() }
func (e *Error) Unwrap() error { return e.err }

// failed wraps an error with the operation on the database, and explains SQLite's message if necessary.
func (s *Store) failed(work string, err error) error {
	if err == nil {
		return nil
	}
	return &Error{fmt.Errorf("database %s: %s: %w", s.path, work, explain(err))}
}

// explain adds the meaning and a remedy to an error of SQLite.
func explain(err error) error {
	var e sqlite3.Error
	if !errors.As(err, &e) {
		return err
	}
	switch {
	case e.ExtendedCode == sqlite3.ErrConstraintForeignKey:
		return fmt.Errorf("it names a session or an incident that the database does not have: %w", err)
	case e.Code == sqlite3.ErrBusy || e.Code == sqlite3.ErrLocked:
		return fmt.Errorf("%w; close whatever has a transaction open in it: %w", ErrLocked, err)
	case e.Code == sqlite3.ErrNotADB || e.Code == sqlite3.ErrCorrupt:
		return &UnusableError{Why: e.Error()}
	case e.Code == sqlite3.ErrIoErr:
		return fmt.Errorf("%w: %w", ErrUnreadable, err)
	case e.Code == sqlite3.ErrFull:
		return fmt.Errorf("nothing was written, make room: %w", err)
	case e.Code == sqlite3.ErrReadonly || e.Code == sqlite3.ErrCantOpen || e.Code == sqlite3.ErrPerm:
		return fmt.Errorf("%w; run claudeops as the owner of the file and its directory: %w", ErrDenied, err)
	}
	return err
}

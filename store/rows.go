package store

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/mattn/go-sqlite3"
)

// timeLayout is the format of times in the database: UTC and of fixed width, so that text sorts by time.
const timeLayout = "2006-01-02T15:04:05.000Z"

func timeText(t time.Time) string { return t.UTC().Format(timeLayout) }

// orNow returns the text of t, or of now if t is zero.
func (s *Store) orNow(t time.Time) string {
	if t.IsZero() {
		t = s.Now()
	}
	return timeText(t)
}

// optionalText returns NULL for nil.
func optionalText(t *time.Time) any {
	if t == nil {
		return nil
	}
	return timeText(*t)
}

// readTime scans a time's text into to.
type readTime struct{ to *time.Time }

func (r readTime) Scan(value any) error {
	text, ok := value.(string)
	if !ok {
		return fmt.Errorf("a time is %T, not text", value)
	}
	t, err := time.Parse(time.RFC3339, text)
	*r.to = t.UTC()
	return err
}

// readOptional scans a time's text, or NULL as nil.
type readOptional struct{ to **time.Time }

func (r readOptional) Scan(value any) error {
	*r.to = nil
	if value == nil {
		return nil
	}
	var t time.Time
	if err := (readTime{&t}).Scan(value); err != nil {
		return err
	}
	*r.to = &t
	return nil
}

// row is one row of a result.
type row interface{ Scan(dest ...any) error }

// list reads all rows of a query whose columns are T's fields in order: those of nested structs too, and lists and maps as JSON. work names
// the operation in an error.
func list[T any](ctx context.Context, s *Store, work, query string, args ...any) ([]T, error) {
	return listBy(ctx, s, work, scanFields[T], query, args...)
}

// listBy is list with a custom scan function.
func listBy[T any](ctx context.Context, s *Store, work string, scan func(row, *T) error, query string, args ...any) (all []T, err error) {
	rows, err := s.conn.QueryContext(s.until(ctx), query, args...)
	if err != nil {
		return nil, s.failed(work, err)
	}
	defer func() { err = errors.Join(err, s.failed(work, rows.Close())) }()
	for rows.Next() {
		var one T
		if err := scan(timedRow{rows}, &one); err != nil {
			return nil, s.failed(work, err)
		}
		all = append(all, one)
	}
	return all, s.failed(work, rows.Err())
}

// scanFields scans a row into to: a struct's fields, or a single value.
func scanFields[T any](r row, to *T) error { return r.Scan(fields(reflect.ValueOf(to).Elem(), nil)...) }

func fields(v reflect.Value, into []any) []any {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return append(into, readJSON{v.Addr().Interface()})
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			break
		}
		for i := range v.NumField() {
			if v.Field(i).Type() != reflect.TypeFor[jsontext.Value]() { // unknown members are not stored
				into = fields(v.Field(i), into)
			}
		}
		return into
	}
	return append(into, v.Addr().Interface())
}

// readJSON scans a JSON text into to.
type readJSON struct{ to any }

func (r readJSON) Scan(value any) error {
	text, ok := value.(string)
	if !ok {
		return fmt.Errorf("a JSON text is %T", value)
	}
	return json.Unmarshal([]byte(text), r.to)
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
	err = s.failed(work, scanFields(s.row(ctx, query, args...), &value))
	return value, err
}

// row queries one row.
func (s *Store) row(ctx context.Context, query string, args ...any) row {
	return timedRow{s.conn.QueryRowContext(s.until(ctx), query, args...)}
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
	_, err := s.conn.ExecContext(s.until(ctx), query, args...)
	return s.failed(work, err)
}

// insert adds a row and returns its id.
func (s *Store) insert(ctx context.Context, work, query string, args ...any) (int64, error) {
	result, err := s.conn.ExecContext(s.until(ctx), query, args...)
	if err != nil {
		return 0, s.failed(work, err)
	}
	id, err := result.LastInsertId()
	return id, s.failed(work, err)
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

// jsonList returns a list for json_each.
func jsonList[T int64 | string | [2]int64](values []T) string {
	text, err := json.Marshal(values, jsontext.AllowInvalidUTF8(true))
	if err != nil { // impossible for numbers and strings
		panic(err)
	}
	return string(text)
}

// filter collects the conditions of a listing.
type filter struct {
	where []string
	args  []any
}

// add adds a condition with one parameter if wanted.
func (f *filter) add(wanted bool, condition string, arg any) {
	if wanted {
		f.where, f.args = append(f.where, condition), append(f.args, arg)
	}
}

// clause returns the WHERE clause; empty if there are no conditions.
func (f *filter) clause() string {
	if len(f.where) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(f.where, " AND ")
}

// newestFirst completes a query with the conditions, the order and the limit; 0 means no limit.
func (f *filter) newestFirst(query string, limit int) string {
	query += f.clause() + " ORDER BY id DESC"
	if limit > 0 {
		query += " LIMIT ?"
		f.args = append(f.args, limit)
	}
	return query
}

// timedRow is a row whose times are parsed from text.
type timedRow struct{ row }

func (r timedRow) Scan(dest ...any) error {
	to := slices.Clone(dest)
	for i, d := range dest {
		switch d := d.(type) {
		case *time.Time:
			to[i] = readTime{d}
		case **time.Time:
			to[i] = readOptional{d}
		}
	}
	return r.row.Scan(to...)
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

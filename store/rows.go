package store

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// timeLayout is how times stand in the database: UTC and of one width, so that text sorts as time does.
const timeLayout = "2006-01-02T15:04:05.000Z"

func timeText(t time.Time) string { return t.UTC().Format(timeLayout) }

// orNow is the text of t, or of now where t was left zero.
func (q queries) orNow(t time.Time) string {
	if t.IsZero() {
		t = q.store.Now()
	}
	return timeText(t)
}

// optionalText is NULL for nil.
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

// list reads all rows of a query, whose columns are T's fields in their order. work is what it is for, in an error.
func list[T any](ctx context.Context, q queries, work, query string, args ...any) ([]T, error) {
	return listBy(ctx, q, work, scanFields[T], query, args...)
}

// listBy is list for columns that are read in another way.
func listBy[T any](ctx context.Context, q queries, work string, scan func(row, *T) error, query string, args ...any) (all []T, err error) {
	rows, err := q.conn.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, q.failed(work, err)
	}
	defer func() { err = errors.Join(err, q.failed(work, rows.Close())) }()
	for rows.Next() {
		if len(all) == cap(all) {
			all = slices.Grow(all, len(all)+1) // append would copy a long list four times as often
		}
		all = all[:len(all)+1]
		if err := scan(boundedRow{rows}, &all[len(all)-1]); err != nil {
			return nil, q.failed(work, err)
		}
	}
	return all, q.failed(work, rows.Err())
}

// scanFields scans a row into what to is: a struct's fields in their order, those of structs in it among them, or a single value.
func scanFields[T any](r row, to *T) error { return r.Scan(fields(reflect.ValueOf(to).Elem(), nil)...) }

func fields(v reflect.Value, into []any) []any {
	if v.Kind() != reflect.Struct || v.Type() == reflect.TypeFor[time.Time]() {
		return append(into, v.Addr().Interface())
	}
	for i := range v.NumField() {
		field := v.Field(i)
		if field.Type() == reflect.TypeFor[jsontext.Value]() { // unknown members, which are not stored
			continue
		}
		text, is := field.Addr().Interface().(*string)
		if most, err := strconv.Atoi(v.Type().Field(i).Tag.Get("most")); err == nil && is {
			into = append(into, readText{text, most})
		} else {
			into = fields(field, into)
		}
	}
	return into
}

// pair is a row of two columns.
type pair[K comparable, V any] struct {
	Key   K `most:"1024"`
	Value V
}

// keyed reads a query whose first column is a key.
func keyed[K comparable, V any](ctx context.Context, q queries, work, query string, args ...any) (map[K]V, error) {
	pairs, err := list[pair[K, V]](ctx, q, work, query, args...)
	values := make(map[K]V, len(pairs))
	for _, p := range pairs {
		values[p.Key] = p.Value
	}
	return values, err
}

// first reads the first row of a query; nil where there is none.
func first[T any](ctx context.Context, q queries, work, query string, args ...any) (*T, error) {
	found, err := list[T](ctx, q, work, query, args...)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// one reads the one row of a query that always has one.
func one[T any](ctx context.Context, q queries, work, query string, args ...any) (value T, err error) {
	err = q.failed(work, scanFields(q.row(ctx, query, args...), &value))
	return value, err
}

// row asks for one row.
func (q queries) row(ctx context.Context, query string, args ...any) row {
	return boundedRow{q.conn.QueryRowContext(ctx, query, args...)}
}

// find reads the one row of an id; there may be none, which is ErrNotFound.
func find[T any](ctx context.Context, q queries, what string, id int64, query string) (T, error) {
	return findBy(ctx, q, what, id, scanFields[T], query)
}

func findBy[T any](ctx context.Context, q queries, what string, id int64, scan func(row, *T) error, query string) (one T, err error) {
	found, err := listBy(ctx, q, fmt.Sprintf("read %s %d", what, id), scan, query, id)
	if err != nil {
		return one, err
	}
	if len(found) == 0 {
		return one, fmt.Errorf("%s %d: %w", what, id, ErrNotFound)
	}
	return found[0], nil
}

// exec runs a statement that changes rows.
func (q queries) exec(ctx context.Context, work, query string, args ...any) error {
	_, err := q.conn.ExecContext(ctx, query, args...)
	return q.failed(work, err)
}

// insert adds a row and returns its id.
func (q queries) insert(ctx context.Context, work, query string, args ...any) (int64, error) {
	result, err := q.conn.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, q.failed(work, err)
	}
	id, err := result.LastInsertId()
	return id, q.failed(work, err)
}

// change runs a statement that must change the row of id; that it did not is ErrNotFound.
func (q queries) change(ctx context.Context, what string, id int64, query string, args ...any) error {
	work := fmt.Sprintf("change %s %d", what, id)
	result, err := q.conn.ExecContext(ctx, query, args...)
	if err != nil {
		return q.failed(work, err)
	}
	changed, err := result.RowsAffected()
	if err != nil {
		return q.failed(work, err)
	}
	if changed == 0 {
		return fmt.Errorf("%s %d: %w", what, id, ErrNotFound)
	}
	return nil
}

// filter collects the conditions of a listing.
type filter struct {
	where []string
	args  []any
}

// add adds a condition with one parameter where wanted.
func (f *filter) add(wanted bool, condition string, arg any) {
	if wanted {
		f.where, f.args = append(f.where, condition), append(f.args, arg)
	}
}

// clause is the conditions behind WHERE; empty where there are none.
func (f *filter) clause() string {
	if len(f.where) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(f.where, " AND ")
}

// newestFirst completes a query with the conditions, the order and the limit, where 0 is none.
func (f *filter) newestFirst(query string, limit int) string {
	query += f.clause() + " ORDER BY id DESC"
	if limit > 0 {
		query += " LIMIT ?"
		f.args = append(f.args, limit)
	}
	return query
}

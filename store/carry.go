package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mattn/go-sqlite3"
)

// carrier copies the readable rows of a damaged database into a new one.
type carrier struct {
	from       *sql.DB
	schema     string // the schema name of the damaged database
	to         *sql.DB
	rows       map[string]int  // copied rows by table
	incomplete map[string]bool // tables that could not be read completely
}

// carried is a table with the columns that both databases have.
type carried struct {
	name    string
	columns []string
	key     string // the sort key: rowid, or the columns of its primary key
	insert  *sql.Stmt
	misses  int // how often a range could not be read
}

// Errors are about the new database; unreadable parts of the old one are left out.
func (c *carrier) run(ctx context.Context) error {
	tables, err := c.tables(ctx)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if err := c.table(ctx, t); err != nil {
			return fmt.Errorf("table %s: %w", t.name, err)
		}
	}
	if err := c.sequences(ctx); err != nil {
		return err
	}
	for _, t := range tables {
		if err := c.references(ctx, t.name); err != nil {
			return fmt.Errorf("table %s: %w", t.name, err)
		}
	}
	return nil
}

// tables returns the tables of the new database, except goose's version table.
func (c *carrier) tables(ctx context.Context) (tables []carried, err error) {
	names, err := texts(ctx, c.to, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'goose_db_version'`)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		t := carried{name: name, key: "rowid"}
		ours, err := texts(ctx, c.to, `SELECT name FROM pragma_table_xinfo(?)`, name)
		if err != nil {
			return nil, err
		}
		keys, err := texts(ctx, c.to, `SELECT x.name FROM pragma_table_xinfo(?1) x JOIN pragma_table_list l ON l.name = ?1 WHERE wr AND pk > 0 ORDER BY pk`, name)
		if err != nil {
			return nil, err
		}
		if len(keys) > 0 {
			t.key = strings.Join(keys, ", ")
		}
		// Generated columns do not belong to our schema (checkShape).
		theirs, err := texts(ctx, c.from, `SELECT x.name FROM pragma_table_xinfo(?1, ?2) x JOIN `+c.schema+`.sqlite_schema s ON s.name = ?1
			WHERE hidden = 0 AND s.type = 'table' AND s.sql LIKE 'CREATE TABLE %'`, name, c.schema)
		if err := fatal(err); err != nil {
			return nil, err
		}
		t.columns = slices.DeleteFunc(ours, func(column string) bool { return !slices.Contains(theirs, column) })
		tables = append(tables, t)
	}
	return tables, nil
}

// table copies a table: all rows before the first unreadable one and all after the last. If the keys are numbers, the ranges in between
// are halved, so that a damaged page loses only its own rows.
func (c *carrier) table(ctx context.Context, t carried) (err error) {
	if len(t.columns) == 0 {
		c.incomplete[t.name] = true
		return nil
	}
	tx, err := c.to.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = tx.Rollback() // the new database is discarded
		}
	}()
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(t.columns)), ", ")
	insert := `INSERT OR IGNORE INTO ` + t.name + ` (` + strings.Join(t.columns, ", ") + `) VALUES (` + marks + `)` //nolint:gosec // names of our own schema
	t.insert, err = tx.PrepareContext(ctx, insert)
	if err != nil {
		return err
	}
	if t.key == "rowid" {
		err = c.between(ctx, &t, 0, math.MaxInt64-1)
	} else if _, whole, failed := c.read(ctx, &t, `ORDER BY `+t.key); failed != nil {
		err = failed
	} else if !whole {
		_, _, err = c.read(ctx, &t, `ORDER BY `+strings.ReplaceAll(t.key, ",", " DESC,")+` DESC`)
	}
	if err != nil {
		return err
	}
	return tx.Commit()
}

// maxMisses limits the search for rows in a mostly damaged table.
const maxMisses = 2000

// between copies the rows with keys in a range.
func (c *carrier) between(ctx context.Context, t *carried, from, to int64) error {
	if from > to || t.misses > maxMisses {
		return nil
	}
	read, whole, err := c.read(ctx, t, `WHERE rowid BETWEEN ? AND ? ORDER BY rowid`, from, to)
	if err != nil || whole {
		return err
	}
	if len(read) > 0 {
		from = read[1] + 1
	}
	if read, _, err = c.read(ctx, t, `WHERE rowid BETWEEN ? AND ? ORDER BY rowid DESC`, from, to); err != nil {
		return err
	}
	if len(read) > 0 {
		to = read[1] - 1
	}
	t.misses++
	middle := from + (to-from)/2
	if from >= to {
		return nil
	}
	if err := c.between(ctx, t, from, middle); err != nil {
		return err
	}
	return c.between(ctx, t, middle+1, to)
}

// read copies the rows of a query until one cannot be read. If the first column is a number, ends holds its values in the first and the
// last row; nil if there was none.
func (c *carrier) read(ctx context.Context, t *carried, query string, args ...any) (ends []int64, whole bool, err error) {
	first := "0"
	if t.key == "rowid" {
		first = "rowid"
	}
	defer func() { c.incomplete[t.name] = c.incomplete[t.name] || !whole }()
	query = fmt.Sprintf(`SELECT %s, %s FROM %s.%s %s`, first, strings.Join(t.columns, ", "), c.schema, t.name, query)
	rows, failed := c.from.QueryContext(ctx, query, args...)
	if failed != nil {
		return nil, false, fatal(failed)
	}
	defer func() { _ = rows.Close() }() // rows.Err has any error
	var number int64
	values, into := make([]any, len(t.columns)), []any{&number}
	for i := range values {
		into = append(into, &values[i])
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return ends, false, fatal(err)
		}
		result, err := t.insert.ExecContext(ctx, values...)
		if err != nil {
			return ends, false, err
		}
		added, err := result.RowsAffected()
		if err != nil {
			return ends, false, err
		}
		if added == 0 { // a constraint rejected it
			c.incomplete[t.name] = true
		}
		c.rows[t.name] += int(added)
		if ends == nil {
			ends = []int64{number, number}
		}
		ends[1] = number
	}
	return ends, rows.Err() == nil, fatal(rows.Err())
}

// fatal returns nil if err only means that rows cannot be read.
func fatal(err error) error {
	var e sqlite3.Error
	if errors.As(err, &e) && slices.Contains([]sqlite3.ErrNo{sqlite3.ErrCorrupt, sqlite3.ErrNotADB, sqlite3.ErrTooBig, sqlite3.ErrError}, e.Code) {
		return nil
	}
	return err
}

// sequences keeps ids of lost rows from being used again.
func (c *carrier) sequences(ctx context.Context) error {
	names, err := texts(ctx, c.from, fmt.Sprintf(`SELECT name FROM %s.sqlite_sequence`, c.schema))
	if err := fatal(err); err != nil {
		return err
	}
	for _, name := range names {
		var last sql.NullInt64
		query := fmt.Sprintf(`SELECT max(seq) FROM %s.sqlite_sequence WHERE name = ?`, c.schema)
		if err := fatal(c.from.QueryRowContext(ctx, query, name).Scan(&last)); err != nil {
			return err
		}
		if err := skipIDs(ctx, c.to, name, last.Int64); err != nil {
			return err
		}
	}
	return nil
}

// skipIDs makes the next id of a table higher than last.
func skipIDs(ctx context.Context, to conn, table string, last int64) error {
	result, err := to.ExecContext(ctx, `UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1`, table, last)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n > 0 {
		return err
	}
	_, err = to.ExecContext(ctx, `INSERT INTO sqlite_sequence (name, seq) SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?1)`, table, last)
	return err
}

// references repairs references to lost rows: they become NULL or, if that is not allowed, the referring row is deleted.
func (c *carrier) references(ctx context.Context, table string) error {
	broken, err := texts(ctx, c.to, `
		SELECT iif(x."notnull", 'DELETE FROM ' || ?1, 'UPDATE ' || ?1 || ' SET ' || f."from" || ' = NULL') ||
			' WHERE ' || f."from" || ' IS NOT NULL AND ' || f."from" || ' NOT IN (SELECT id FROM ' || f."table" || ')'
		FROM pragma_foreign_key_list(?1) f JOIN pragma_table_xinfo(?1) x ON x.name = f."from"`, table)
	if err != nil {
		return err
	}
	for _, statement := range broken {
		if _, err := c.to.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// texts returns the rows of a query with one column.
func texts(ctx context.Context, from *sql.DB, query string, args ...any) (all []string, err error) {
	rows, err := from.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err has any error
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, rows.Err()
}

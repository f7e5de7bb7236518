package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// tables are those that the migrations make.
var tables = []string{
	"clock", "container_restarts", "cooldown_actions", "cycles", "deliveries", "events", "goose_db_version", "health_checks", "incident_dependents",
	"incident_sessions", "incidents", "lost_counts", "notifications", "pruned_actions", "pruned_sessions", "sessions", "silences", "targets",
}

// shaped counts the tables of ours that are tables and keep what they show: what a view or a generated column shows is computed when it is
// read, by a database that anybody may have made, for as long and as large as that wants.
var shaped = `
	SELECT count(*) FROM sqlite_schema s
	WHERE type = 'table' AND name IN ` + oursByName + ` AND sql LIKE 'CREATE TABLE %'
		AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(s.name) WHERE hidden <> 0)`

// checkShape is ErrForeign where a database of our version does not have our tables. It looks again only where the schema has changed.
func (q queries) checkShape(ctx context.Context) error {
	var schema, found int64
	if err := q.conn.QueryRowContext(ctx, `PRAGMA schema_version`).Scan(&schema); err != nil {
		return err
	}
	if q.store.shape.Load() == schema+1 {
		return nil
	}
	if err := q.conn.QueryRowContext(ctx, shaped).Scan(&found); err != nil {
		return err
	}
	if found != int64(len(tables)) {
		return fmt.Errorf("%w: %d of its %d tables are not as we make them", ErrForeign, int64(len(tables))-found, len(tables))
	}
	q.store.shape.Store(schema + 1)
	return nil
}

// Foreign is a part of the schema that this program did not make.
type Foreign struct {
	Type    string // table, view, trigger or index
	Name    string
	Table   string // of ours, to which it belongs; empty where it stands for itself
	Removed bool
}

func (f Foreign) String() string {
	text := f.Type + " " + strings.ToValidUTF8(cut(f.Name, maxForeignName), "")
	if f.Table != "" {
		text += " on " + f.Table
	}
	return text
}

// oursByName is a list of our tables for SQL. SQLite does not tell names apart by their case.
var oursByName = `('` + strings.Join(tables, "', '") + `')`

// maxForeignName is how much of a name people are told.
const maxForeignName = 100

// Foreign are the parts of the schema that this program did not make. They do nothing to what is read.
func (q queries) Foreign(ctx context.Context) ([]Foreign, error) {
	all, err := list(ctx, q, "look for what is not ours", func(r row, f *Foreign) error { return r.Scan(&f.Type, &f.Name, &f.Table) }, `
		SELECT type, name, iif(type IN ('trigger', 'index') AND lower(tbl_name) IN `+oursByName+`, lower(tbl_name), '') FROM sqlite_schema
		WHERE name NOT LIKE 'sqlite\_%' ESCAPE '\' AND NOT (type = 'table' AND name IN `+oursByName+`) ORDER BY type, name`)
	if err != nil {
		return nil, err
	}
	made, err := madeIndexes()
	all = slices.DeleteFunc(all, func(f Foreign) bool { return f.Type == "index" && f.Table != "" && made[f.Name] })
	return all, err
}

// madeIndexes are the names of all indexes that the migrations make.
func madeIndexes() (map[string]bool, error) {
	made, createIndex := map[string]bool{}, regexp.MustCompile(`CREATE (?:UNIQUE )?INDEX (\w+)`)
	return made, fs.WalkDir(migrations, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := migrations.ReadFile(path)
		for _, found := range createIndex.FindAllSubmatch(text, -1) {
			made[string(found[1])] = true
		}
		return err
	})
}

// RemoveForeign is Foreign that removes what decides on our rows, for the holder of the cycle lock: a trigger on a table of ours can
// swallow what is written, an index can refuse it. No row is lost by that.
func (q queries) RemoveForeign(ctx context.Context) (found []Foreign, err error) {
	err = q.atomically(ctx, func(q queries) error {
		if found, err = q.Foreign(ctx); err != nil {
			return err
		}
		for i, f := range found {
			if f.Table == "" {
				continue
			}
			if err := q.exec(ctx, "remove the "+f.String(), `DROP `+f.Type+` "`+strings.ReplaceAll(f.Name, `"`, `""`)+`"`); err != nil {
				return err
			}
			found[i].Removed = true
		}
		return nil
	})
	return found, err
}

// checkTriggers is ErrForeign where a trigger stands on a table of ours: nobody who writes could tell whether it was written.
func (q queries) checkTriggers(ctx context.Context) error {
	var name string
	err := q.conn.QueryRowContext(ctx, `SELECT name FROM sqlite_schema WHERE type = 'trigger' AND lower(tbl_name) IN `+oursByName).Scan(&name)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return fmt.Errorf("%w: it has a trigger, %s, that could swallow what is written; the next cycle removes it", ErrForeign, cut(name, maxForeignName))
}

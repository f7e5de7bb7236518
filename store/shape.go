package store

import (
	"context"
	"fmt"
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
	WHERE type = 'table' AND name IN ('` + strings.Join(tables, "', '") + `') AND sql LIKE 'CREATE TABLE %'
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

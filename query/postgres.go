package query

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"
)

// question asks what an account may do beyond reading: rows of two columns.
//
//go:embed account.sql
var question string

// begin starts a transaction that stays read-only: once a statement has taken its snapshot, none can make it another. Poolers refuse
// parameters at the login, so all settings are those of the transaction.
var begin = fmt.Sprintf("BEGIN READ ONLY; SET LOCAL statement_timeout = %d; SET LOCAL client_encoding = 'UTF8'; ", within.Milliseconds())

// harmless are answers that do not count: rights that every account may have, which a read-only transaction cannot use.
var harmless = []string{"warn create in schema: public", "warn database: TEMP"}

type postgresSession struct{ *pgconn.PgConn }

func (pg postgresSession) exec(ctx context.Context, statement string) error {
	_, err := pg.Exec(ctx, statement).ReadAll()
	return err
}

// judge asks the question, so that its names mean no object of the account's own.
func (pg postgresSession) judge(ctx context.Context) (faults []string, err error) {
	results, err := pg.Exec(ctx, begin+"SET LOCAL search_path = pg_catalog; "+question+"; ROLLBACK").ReadAll()
	if err != nil {
		return nil, err
	}
	for _, row := range results[len(results)-2].Rows {
		if fault := string(row[0]) + ": " + string(row[1]); !slices.Contains(harmless, fault) {
			faults = append(faults, fault)
		}
	}
	return faults, nil
}

func (pg postgresSession) ask(ctx context.Context, statement string, to *answer, end *string) error {
	results, err := pg.Exec(ctx, begin+"SELECT pg_catalog.pg_backend_pid()").ReadAll()
	if err != nil {
		return err
	}
	*end = "SELECT pg_catalog.pg_terminate_backend(" + string(results[len(results)-1].Rows[0][0]) + ")"
	err = pg.rows(ctx, statement, to)
	if to.more || err != nil && !errors.As(err, new(*pgconn.PgError)) && !errors.As(err, new(Refusal)) {
		return err
	}
	// A pooler gives the server's connection to others, with the locks that it holds.
	if pg.exec(ctx, "ROLLBACK; SELECT pg_catalog.pg_advisory_unlock_all()") == nil {
		*end = ""
	}
	return err
}

// rows runs a statement of which the server itself says that it gives rows.
func (pg postgresSession) rows(ctx context.Context, statement string, to *answer) error {
	described, err := pg.Prepare(ctx, "", statement, nil)
	if err != nil {
		return err
	}
	if len(described.Fields) == 0 {
		return Refusal("not run: the statement gives no rows; only what reads is run, such as SELECT, SHOW or EXPLAIN")
	}
	names := make([]string, len(described.Fields))
	for i, field := range described.Fields {
		names[i] = field.Name
	}
	to.row(slices.Clone(names))
	to.rows, to.names = 0, names
	rows := pg.ExecPrepared(ctx, "", nil, nil, nil)
	for rows.NextRow() {
		values := make([]string, len(names))
		for i, value := range rows.Values() {
			values[i] = shown(value)
		}
		if to.row(values) {
			return nil // closing would read the rest
		}
	}
	_, err = rows.Close()
	return err
}

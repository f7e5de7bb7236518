package main

import (
	"context"

	"github.com/jackc/pgx/v5/pgconn"
)

func init() {
	register(Case{
		Name: "db-lock-other", Kind: Fault, Summary: "an export that hangs keeps a lock on the table of another service",
		Services: []string{"orders"}, Terms: [][]string{{"lock", "transaction"}, {"export", "nightly"}}, Needs: []string{postgres},
		Inject: func(ctx context.Context, lab *Lab) error {
			primary, err := lab.primary()
			if err != nil {
				return err
			}
			conn, err := pgconn.Connect(ctx, primary.url(dbOrders, primary.password, dbName)+"&application_name=nightly-export")
			if err != nil {
				return err
			}
			lab.Hold(conn.Conn())
			_, err = conn.Exec(ctx, "BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE").ReadAll()
			return err
		},
		Cure: "end_idle_transactions",
	})
}

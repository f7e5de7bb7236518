package main

import (
	"context"
)

func init() {
	register(Case{
		Name: "db-lock", Kind: Fault, Summary: "a service keeps a lock on its table in PostgreSQL",
		Services: []string{"orders"}, Terms: [][]string{{"lock", "transaction"}, {"import", "itself", "its own", "own session", "own connection", "own transaction", "orders holds", "orders keeps", "by orders"}}, Needs: []string{postgres},
		Inject: func(ctx context.Context, lab *Lab) error {
			_, err := lab.post(ctx, "orders", "/import")
			return err
		},
		Cure: "restart",
	})
}

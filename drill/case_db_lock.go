package drill

import (
	"context"
)

func init() {
	register(Case{
		Name: "db-lock", Kind: Fault, Summary: "a service keeps a lock on its table in PostgreSQL",
		Services: []string{"orders"}, Terms: [][]string{{"lock", "transaction"}}, Needs: []string{postgres},
		Inject: func(ctx context.Context, lab *Lab) error {
			_, err := lab.post(ctx, "orders", "/import")
			return err
		},
		Cure: func(*Lab) [][]string { return [][]string{{"labctl", "restart", "orders"}} },
	})
}

package drill

import (
	"context"
	"errors"
)

func init() {
	register(Case{
		Name: "db-password-stale", Kind: Fault, Summary: "the password of a service was changed everywhere, but the service still uses the old one",
		Services: []string{"orders"}, Terms: [][]string{{"password", "credential", "authentication"}}, Needs: []string{postgres},
		Inject: func(ctx context.Context, lab *Lab) error {
			return errors.Join(rotate(ctx, lab), deployOrders(lab))
		},
		Cure: func(*Lab) [][]string { return [][]string{{"labctl", "restart", "orders"}} },
	})
}

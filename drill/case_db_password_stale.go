package main

import (
	"context"
	"errors"
)

func init() {
	register(Case{
		Name: "db-password-stale", Kind: Fault, Summary: "the password of a service was changed everywhere, but the service still uses the old one",
		Services: []string{"orders"}, Terms: [][]string{{"password", "credential", "authentication"}, {"still use", "in memory", "at its start", "at start", "since its start", "since it started", "before it", "reload", "running process", "already", "not restarted"}}, Needs: []string{postgres},
		Inject: func(ctx context.Context, lab *Lab) error {
			return errors.Join(rotate(ctx, lab), deployOrders(lab))
		},
		Cure: "restart",
	})
}

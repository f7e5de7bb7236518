package main

import (
	"context"
)

func init() {
	register(Case{
		Name: "db-password-rotated", Kind: Fault, Summary: "the password of a service was changed in PostgreSQL and in the vault, not in its file",
		Services: []string{"orders"}, Terms: [][]string{{"password", "credential", "authentication"}, {"file", "vault", "on disk", "deployed", "configur"}}, Needs: []string{postgres},
		Inject: func(ctx context.Context, lab *Lab) error {
			return rotate(ctx, lab)
		},
		Cure: "redeploy",
	})
}

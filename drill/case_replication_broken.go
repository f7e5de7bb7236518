package main

import (
	"context"
	"errors"
)

func init() {
	register(Case{
		Name: "replication-broken", Kind: Fault, Summary: "a replica of PostgreSQL has the wrong password of its primary",
		Services: []string{"db-replica"}, Terms: [][]string{{"replica", "replication"}, {"password", "authentication", "credential"}}, Needs: []string{postgres},
		Inject: func(ctx context.Context, lab *Lab) error {
			replica, err := lab.replica()
			if err != nil {
				return err
			}
			return errors.Join(replica.setPrimary(lab.Port("db"), "yesterday"), lab.Restart(ctx, "db-replica"))
		},
		Cure: "redeploy",
	})
}

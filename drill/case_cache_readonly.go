package main

import (
	"context"
)

func init() {
	register(Case{
		Name: "cache-readonly", Kind: Fault, Summary: "Redis was made the replica of a server that is not there",
		Services: []string{"cache"}, Terms: [][]string{{"replica", "slave", "master"}}, Needs: []string{redis},
		Inject: func(ctx context.Context, lab *Lab) error {
			r, err := lab.cache()
			if err != nil {
				return err
			}
			return r.do(ctx, "REPLICAOF 127.0.0.1 1")
		},
		Cure: "restart",
	})
}

package main

import (
	"context"
)

func init() {
	register(Case{
		Name: "cache-memory", Kind: Fault, Summary: "Redis is full and refuses to write",
		Services: []string{"cache"}, Terms: [][]string{{"memory", "OOM"}}, Needs: []string{redis},
		Inject: func(ctx context.Context, lab *Lab) error {
			r, err := lab.cache()
			if err != nil {
				return err
			}
			return r.fill(ctx)
		},
		Cure: "restart",
	})
}

package main

import (
	"context"
)

func init() {
	register(Case{
		Name: "container-paused", Kind: Fault, Summary: "a container was paused",
		Services: []string{"box"}, Terms: [][]string{{"pause"}}, Needs: []string{containers},
		Inject: func(ctx context.Context, lab *Lab) error {
			return lab.docker(ctx, "pause", lab.box())
		},
		Cure: "restart",
	})
}

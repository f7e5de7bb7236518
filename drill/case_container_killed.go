package main

import (
	"context"
)

func init() {
	register(Case{
		Name: "container-killed", Kind: Fault, Summary: "a container was killed",
		Services: []string{"box"}, Terms: [][]string{{"exited", "137", "killed"}}, Needs: []string{containers},
		Inject: func(ctx context.Context, lab *Lab) error {
			return lab.docker(ctx, "kill", lab.box())
		},
		Cure: "restart",
	})
}

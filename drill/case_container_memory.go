package main

import (
	"context"
	"errors"
)

func init() {
	register(Case{
		Name: "container-memory", Kind: Fault, Summary: "a container was ended because it used too much memory",
		Services: []string{"box"}, Terms: [][]string{{"memory", "OOM"}}, Needs: []string{containers},
		Inject: func(ctx context.Context, lab *Lab) error {
			return errors.Join(lab.docker(ctx, "kill", "--signal", "USR1", lab.box()), await(ctx, lab.boxIs("exited")))
		},
		Cure: "restart",
	})
}

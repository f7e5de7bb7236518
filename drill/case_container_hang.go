package main

import (
	"context"
	"errors"
)

func init() {
	register(Case{
		Name: "container-hang", Kind: Fault, Summary: "the program in a container hangs",
		Services: []string{"box"}, Terms: [][]string{{"hang", "hung", "stopped", "frozen", "unresponsive", "suspended", "stuck", "SIGSTOP"}}, Needs: []string{containers},
		Inject: func(ctx context.Context, lab *Lab) error {
			return errors.Join(lab.docker(ctx, "kill", "--signal", "STOP", lab.box()), await(ctx, lab.boxIs("unhealthy")))
		},
		Cure: "restart",
	})
}

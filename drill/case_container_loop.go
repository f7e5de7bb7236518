package main

import (
	"context"
	"errors"
)

func init() {
	register(Case{
		Name: "container-loop", Kind: Fault, Summary: "a container starts again and again, with a configuration that it does not understand",
		Services: []string{"box"}, Terms: [][]string{{"config", "box.conf", "dealy"}}, Needs: []string{containers},
		Inject: func(ctx context.Context, lab *Lab) error {
			if err := errors.Join(lab.write("box.conf", "dealy=20ms\n"), lab.docker(ctx, "cp", lab.Path("box.conf"), lab.box()+":"+boxConfig)); err != nil {
				return err
			}
			return errors.Join(lab.docker(ctx, "update", "--restart", "always", lab.box()), lab.docker(ctx, "restart", lab.box()), await(ctx, lab.boxIs("restarting")))
		},
		Cure: "redeploy",
	})
}

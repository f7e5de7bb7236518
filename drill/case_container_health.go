package main

import (
	"context"
	"errors"
)

func init() {
	register(Case{
		Name: "container-health", Kind: Fault, Summary: "the health check of a container is stricter than the container is fast",
		Services: []string{"box"}, Terms: [][]string{{"health check", "healthcheck", "health-check"}, {"strict", "1ms", "1 ms", "too short", "too tight", "too low", "too small", "too fast", "aggressive", "slower"}}, Needs: []string{containers},
		Inject: func(ctx context.Context, lab *Lab) error {
			return errors.Join(lab.runBox(ctx, tooStrict), await(ctx, lab.boxIs("unhealthy")))
		},
		Cure: "redeploy",
	})
}

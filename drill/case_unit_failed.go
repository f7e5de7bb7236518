package main

import (
	"context"
)

func init() {
	register(Case{
		Name: "unit-failed", Kind: Fault, Summary: "a unit of systemd was killed",
		Services: []string{"unit"}, Terms: [][]string{{"killed", "signal", "SIGKILL", "crash"}}, Needs: []string{units},
		Inject: func(ctx context.Context, lab *Lab) error {
			if err := lab.systemctl(ctx, "kill", "--signal=KILL", lab.unit()); err != nil {
				return err
			}
			return await(ctx, lab.unitIs("failed"))
		},
		Cure: "restart",
	})
}

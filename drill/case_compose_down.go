package main

import "context"

func init() {
	register(Case{
		Name: "compose-down", Kind: Fault, Summary: "a compose project was taken down: its container was removed",
		Services: []string{"till"}, Terms: [][]string{{"removed", "compose down", "taken down", "no such container", "does not exist", "gone", "missing", "deleted"}}, Needs: []string{compose},
		Inject: func(ctx context.Context, lab *Lab) error {
			return lab.docker(ctx, "compose", "--file", lab.composeFile(), "down")
		},
		Cure: "restart",
	})
}

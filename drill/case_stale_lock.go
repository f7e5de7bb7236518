package main

import (
	"context"
	"os"
	"path/filepath"
)

func init() {
	register(Case{
		Name: "stale-lock", Kind: Fault, Summary: "the data is locked by a host that is no more",
		Services: []string{"queue"}, Terms: [][]string{{"lock"}},
		Inject: func(ctx context.Context, lab *Lab) error {
			if err := os.WriteFile(filepath.Join(lab.Folder("queue"), "data", "lock"), []byte("old-node-3\n"), 0o600); err != nil {
				return err
			}
			return mustNotStart(lab.Restart(ctx, "queue"))
		},
		Cure: "redeploy",
	})
}

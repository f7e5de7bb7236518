package main

import (
	"context"
	"os"
	"path/filepath"
)

func init() {
	register(Case{
		Name: "bad-configuration", Kind: Fault, Summary: "a configuration with a fault ends the process at its start",
		Services: []string{"shop"}, Terms: [][]string{{"config"}, {"invalid", "syntax", "json", "broken", "fault", "pars"}},
		Inject: func(ctx context.Context, lab *Lab) error {
			if err := os.WriteFile(filepath.Join(lab.Folder("shop"), "config.json"), []byte("{\n  \"name\": \"shop\"\n  \"pages\": 12\n}\n"), 0o600); err != nil {
				return err
			}
			return mustNotStart(lab.Restart(ctx, "shop"))
		},
		Cure: "redeploy",
	})
}

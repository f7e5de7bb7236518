package main

import (
	"context"
	"os"
	"path/filepath"
)

func init() {
	register(Case{
		Name: "crash-loop", Kind: Fault, Summary: "a broken template ends the process soon after each start",
		Services: []string{"catalog"}, Terms: [][]string{{"template", "page.html"}},
		Inject: func(ctx context.Context, lab *Lab) error {
			if err := os.WriteFile(filepath.Join(lab.Folder("catalog"), "page.html"), []byte("<h1>{{.Title</h1>\n"), 0o600); err != nil {
				return err
			}
			if err := lab.Restart(ctx, "catalog"); err != nil {
				return err
			}
			return await(ctx, lab.endedBySelf("catalog", 4))
		},
		Cure: "redeploy",
	})
}

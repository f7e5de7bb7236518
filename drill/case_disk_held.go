package main

import (
	"context"
	"os"
	"path/filepath"
)

func init() {
	register(Case{
		Name: "disk-held", Kind: Fault, Summary: "a log that was deleted, and is still open, fills the disk",
		Services: []string{"uploads"}, Terms: [][]string{{"disk", "space", "ENOSPC"}, {"deleted", "unlinked", "hold", "held", "open", "freed", "releas"}}, Needs: []string{disk},
		Inject: func(ctx context.Context, lab *Lab) error {
			if _, err := lab.post(ctx, "uploads", "/debug"); err != nil {
				return err
			}
			return os.Remove(filepath.Join(lab.disk(), "debug.log"))
		},
		Cure: "restart",
	})
}

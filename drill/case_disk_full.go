package main

import (
	"context"
	"path/filepath"
)

func init() {
	register(Case{
		Name: "disk-full", Kind: Fault, Summary: "an export has filled the disk",
		Services: []string{"uploads"}, Terms: [][]string{{"disk", "space", "ENOSPC"}}, Needs: []string{disk},
		Inject: func(_ context.Context, lab *Lab) error {
			export, err := fillDisk(filepath.Join(lab.disk(), "export.tar"))
			if err != nil {
				return err
			}
			return export.Close()
		},
		Cure: "redeploy",
	})
}

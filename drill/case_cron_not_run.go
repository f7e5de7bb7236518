package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"
)

func init() {
	register(Case{
		Name: "cron-not-run", Kind: Fault, Unseen: true, Summary: "a job's schedule is not understood: the backup is made no more",
		Services: []string{"jobs"}, Terms: [][]string{{"backup"}, {"schedule", "not run", "not made", "cron"}},
		Inject: func(ctx context.Context, lab *Lab) error {
			if err := lab.configure("jobs", func(s *settings) { s.Backup = "each second" }); err != nil {
				return err
			}
			return errors.Join(lab.Restart(ctx, "jobs"), os.Remove(filepath.Join(lab.Folder("jobs"), "data", "backup")))
		},
		Well: func(_ context.Context, lab *Lab) error {
			made, err := os.Stat(filepath.Join(lab.Folder("jobs"), "data", "backup"))
			if err == nil && time.Since(made.ModTime()) > 10*time.Second {
				err = errors.New("the last backup is too old")
			}
			return err
		},
		Cure: "redeploy",
	})
}

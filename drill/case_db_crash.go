package main

import (
	"context"
	"syscall"
)

func init() {
	register(Case{
		Name: "db-crash", Kind: Fault, Summary: "PostgreSQL was killed",
		Services: []string{"db"}, Terms: [][]string{{"killed", "crash", "not running", "ended", "exited", "died"}}, Needs: []string{postgres},
		Inject: func(_ context.Context, lab *Lab) error {
			return lab.Signal("db", syscall.SIGKILL)
		},
		Cure: "restart",
	})
}

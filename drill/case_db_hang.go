package main

import (
	"context"
	"syscall"
)

func init() {
	register(Case{
		Name: "db-hang", Kind: Fault, Summary: "PostgreSQL takes connections and says nothing",
		Services: []string{"db"}, Terms: [][]string{{"hang", "hung", "stopped", "frozen", "unresponsive", "suspended", "stuck", "SIGSTOP"}}, Needs: []string{postgres},
		Inject: func(_ context.Context, lab *Lab) error {
			return lab.Signal("db", syscall.SIGSTOP)
		},
		Cure: "restart",
	})
}

package main

import (
	"context"
	"syscall"
)

func init() {
	register(Case{
		Name: "dependency-down", Kind: Fault, Summary: "a service suffers because the one that it needs was killed",
		Services: []string{"ledger"}, Terms: [][]string{{"killed", "crash", "not running", "ended", "exited", "died"}},
		Inject: func(_ context.Context, lab *Lab) error { return lab.Signal("ledger", syscall.SIGKILL) },
		Cure:   "restart",
	})
}

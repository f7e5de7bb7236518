package main

import (
	"context"
	"syscall"
)

func init() {
	register(Case{
		Name: "crash", Kind: Fault, Summary: "a process was killed",
		Services: []string{"mirror"}, Terms: [][]string{{"killed", "crash", "not running", "ended", "exited", "died"}},
		Inject: func(_ context.Context, lab *Lab) error { return lab.Signal("mirror", syscall.SIGKILL) },
		Cure:   "restart",
	})
}

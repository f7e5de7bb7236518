package main

import (
	"context"
	"errors"
	"syscall"
)

func init() {
	register(Case{
		Name: "two-faults", Kind: Fault, Summary: "two processes, which have nothing to do with each other, were killed",
		Services: []string{"jobs", "mirror"}, Terms: [][]string{{"killed", "crash", "not running", "ended", "exited", "died"}},
		Inject: func(_ context.Context, lab *Lab) error {
			return errors.Join(lab.Signal("jobs", syscall.SIGKILL), lab.Signal("mirror", syscall.SIGKILL))
		},
		Cure: "restart",
	})
}

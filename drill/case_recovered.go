package main

import (
	"context"
	"syscall"
)

func init() {
	register(Case{
		Name: "recovered", Kind: NoAct, Summary: "a process hangs for one cycle, and goes on by itself",
		Inject: func(_ context.Context, lab *Lab) error { return lab.Signal("times", syscall.SIGSTOP) },
		Between: func(_ context.Context, lab *Lab, cycle int) error {
			if cycle > 1 {
				return nil
			}
			return lab.Signal("times", syscall.SIGCONT)
		},
	})
}

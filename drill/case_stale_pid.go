package main

import (
	"context"
	"syscall"
)

func init() {
	register(Case{
		Name: "stale-pid", Kind: Fault, Summary: "a killed process left its pid file, and so does not start by itself",
		Services: []string{"queue"}, Terms: [][]string{{"pid file", "pidfile", "pid-file", "run/pid", "killed"}},
		Inject: func(_ context.Context, lab *Lab) error { return lab.Signal("queue", syscall.SIGKILL) },
		Cure:   "restart",
	})
}

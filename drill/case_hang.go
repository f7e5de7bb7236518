package main

import (
	"context"
	"syscall"
)

func init() {
	register(Case{
		Name: "hang", Kind: Fault, Summary: "a process takes connections and answers none",
		Services: []string{"sessions"}, Terms: [][]string{{"hang", "hung", "stopped", "frozen", "unresponsive", "suspended", "stuck", "SIGSTOP"}},
		Inject: func(_ context.Context, lab *Lab) error { return lab.Signal("sessions", syscall.SIGSTOP) },
		Cure:   "restart",
	})
}

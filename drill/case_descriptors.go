package main

import (
	"context"
	"net"
	"time"
)

func init() {
	register(Case{
		Name: "descriptors", Kind: Fault, Summary: "idle connections use all descriptors of a process",
		Services: []string{"mirror"}, Terms: [][]string{{"open files", "descriptor", "file limit", "nofile", "EMFILE", "idle connections", "too many connections"}},
		Inject: func(ctx context.Context, lab *Lab) error {
			dialer := net.Dialer{Timeout: time.Second}
			for range 60 {
				if conn, err := dialer.DialContext(ctx, "tcp", lab.Address("mirror")); err == nil { // else it takes no more
					lab.Hold(conn)
				}
			}
			return nil
		},
		Cure: "restart",
	})
}

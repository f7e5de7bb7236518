package main

import (
	"context"
	"fmt"
	"net"
	"time"
)

// await waits until something is as it should be. look returns whether it is, and how it is now.
func await(ctx context.Context, look func(context.Context) (is bool, now string, err error)) error {
	ctx, stop := context.WithTimeoutCause(ctx, readyWithin, fmt.Errorf("after %v", readyWithin))
	defer stop()
	for {
		is, now, err := look(ctx)
		if is || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", now, context.Cause(ctx))
		case <-time.After(2 * pace):
		}
	}
}

// listens returns a func for Program.Ready: something takes connections at the address.
func listens(address string) func(context.Context) error {
	return func(ctx context.Context) error {
		var d net.Dialer
		conn, err := d.DialContext(ctx, "tcp", address)
		if err != nil {
			return err
		}
		return conn.Close()
	}
}

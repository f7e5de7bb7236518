package drill

import (
	"context"
	"net"
)

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

package drill

import (
	"context"
	"net"
	"strconv"
	"syscall"
)

// program is a program of the homelab that the drill's supervisor runs.
type program struct {
	name     string
	args     []string            // its path first
	user     *syscall.Credential // nil for the drill's own
	stop     syscall.Signal      // for a fast and orderly end; 0 is SIGTERM
	orphaned syscall.Signal      // sent by the kernel when the drill is killed; 0 is SIGKILL
	ready    func(ctx context.Context) error
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// listens reports whether a port of loopback takes a connection.
func listens(ctx context.Context, port int) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", loopback(port))
	if err != nil {
		return err
	}
	return conn.Close()
}

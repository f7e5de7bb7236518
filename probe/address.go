package probe

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"strings"
	"syscall"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/strict"
)

func init() {
	register(Type{Name: "service", Key: "address", What: "a service check", Doc: "Connects to an address.", Recorded: check.Service,
		Called: "tcp port socket", Written: "a port is written type: service, address: HOST:PORT",
		Options: func() Options { return &TCP{} }})
}

// TCP connects to an address.
type TCP struct{ Address string } // host:port, or the path of a socket

// Fields returns the keys of the services file.
func (t *TCP) Fields() []strict.Field {
	return []strict.Field{{
		Name: "address", Doc: "a host with a port (`db1:5432`, `[2001:db8::1]:53`), or the path of a socket: it takes a connection",
		Takes: reached(&t.Address, `"pattern":"^(/[^\\x00-\\x1f\\x7f]+|(`+hostPattern+`|\\[`+ip6Pattern+`\\]):[0-9]{1,5})$"`, addressHost),
	}}
}

// Finish does nothing.
func (*TCP) Finish(*strict.Reader, *strict.Node, string) {}

// About describes the check.
func (t *TCP) About() About {
	about := About{Target: t.Address, Asked: t.Address, Needs: "tcp"}
	if !strings.HasPrefix(t.Address, "/") {
		about.Host = BareHost(t.Address)
	}
	return about
}

// Prepare returns the attempt, which connects to the address and hangs up. It only shows that something listens.
func (t *TCP) Prepare(_ *Client, k *Check, _ string) Try {
	network, address := "tcp", ascii(t.Address)
	if strings.HasPrefix(t.Address, "/") {
		network, address = "unix", t.Address
	}
	return func(ctx context.Context) check.Result {
		began := time.Now()
		var dialer net.Dialer
		connection, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return failed(err, notConnected(address, err, k.Timeout))
		}
		took := time.Since(began)
		_ = connection.Close() // nothing was sent
		return check.Result{Status: check.Healthy, ResponseTimeMS: milliseconds(took)}
	}
}

// notConnected says why address, HOST:PORT or the path of a socket, was not reached.
func notConnected(address string, err error, timeout time.Duration) string {
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused by " + address + ": nothing listens there"
	case isTimeout(err), errors.Is(err, context.DeadlineExceeded), errors.Is(err, syscall.ETIMEDOUT):
		return lateFault("no answer from "+address, timeout)
	case errors.Is(err, fs.ErrNotExist):
		return "there is no socket " + address
	case errors.Is(err, fs.ErrPermission):
		return "not allowed to connect to " + address + " (permission denied)"
	case errors.Is(err, syscall.EAGAIN):
		return "no connection to " + address + ": too many wait there already"
	}
	return networkFault(err, address)
}

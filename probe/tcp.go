package probe

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/claudeops/claudeops/check"
)

// Prepare makes the attempt, which connects to the address and hangs up: that somebody listens is all that it sees.
func (t *TCP) Prepare(_ *Client, k *Check, _ string) Try {
	network, address := "tcp", t.Address
	if strings.HasPrefix(address, "/") {
		network = "unix"
	}
	return func(ctx context.Context) Finding {
		began := time.Now()
		var dialer net.Dialer
		connection, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return Finding{Status: check.Down, Error: notConnected(address, err, k.Timeout)}
		}
		took := time.Since(began)
		_ = connection.Close() // nothing was sent
		return Finding{Status: check.Healthy, Took: took}
	}
}

// notConnected says why nobody was reached at address, a host with a port or the path of a socket.
func notConnected(address string, err error, timeout time.Duration) string {
	var name *net.DNSError
	var wrong *net.AddrError
	switch {
	case errors.As(err, &name):
		return notFound(name, timeout)
	case errors.As(err, &wrong):
		return fmt.Sprintf("%s is not an address: %s; write it like db1:5432", address, wrong.Err)
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused by " + address + ": nothing listens there"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, syscall.ETIMEDOUT):
		return fmt.Sprintf("no answer from %s within %s", address, timeout)
	case errors.Is(err, fs.ErrNotExist):
		return "there is no socket " + address
	case errors.Is(err, fs.ErrPermission):
		return "not allowed to connect to " + address + " (permission denied)"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return fmt.Sprintf("%s cannot be reached: %s", address, cause(err))
	case errors.Is(err, syscall.EAGAIN):
		return "no connection to " + address + ": too many wait there already"
	}
	return fmt.Sprintf("no connection to %s: %s", address, cause(err))
}

func notFound(err *net.DNSError, timeout time.Duration) string {
	switch {
	case err.IsNotFound:
		return "the name " + err.Name + " was not found"
	case err.IsTimeout:
		return fmt.Sprintf("the name %s was not found within %s: the DNS server does not answer", err.Name, timeout)
	}
	return fmt.Sprintf("the name %s was not found: %s", err.Name, err.Err)
}

// cause is what the system says, without what was called.
func cause(err error) string {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number.Error()
	}
	return err.Error()
}

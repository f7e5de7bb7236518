// Package resolver lets a test choose the DNS server that names are looked up with.
package resolver

import (
	"cmp"
	"context"
	"net"
	"sync/atomic"
	"testing"
)

// chosen is the address of the server that a test has chosen; empty for the machine's own.
var chosen atomic.Pointer[string]

// Set before any test runs, and never again: a look-up may outlive the test that made it, and reads it.
func init() {
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, cmp.Or(*chosen.Load(), address))
	}}
	chosen.Store(new(string))
}

// Use has names looked up with the DNS server at an address, "HOST:PORT", until the test ends.
func Use(t testing.TB, address string) {
	was := chosen.Swap(&address)
	t.Cleanup(func() { chosen.Store(was) })
}

// Package netname has what several packages must agree on about the hosts of addresses.
package netname

import (
	"net/netip"
	"net/url"
	"strings"
)

// Loopback reports whether a name or an address means this machine alone to every program, regardless of DNS.
func Loopback(name string) bool {
	if ip, err := netip.ParseAddr(name); err == nil {
		return ip.Unmap().IsLoopback()
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	return name == "localhost" || strings.HasSuffix(name, ".localhost")
}

// Port returns the port that a URL means; empty if it has none, and its scheme is neither http nor https.
func Port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "http":
		return "80"
	case u.Scheme == "https":
		return "443"
	}
	return ""
}

package web

import (
	"net/http"
	"net/netip"
)

// who says in words who sent a request: "page, from 192.0.2.7".
func who(r *http.Request) string { return "page, from " + sender(r) }

// sender returns the address that a request came from; of a proxy, it is the proxy's.
func sender(r *http.Request) string {
	from, _ := netip.ParseAddrPort(r.RemoteAddr)
	return from.Addr().WithZone("").Unmap().String()
}

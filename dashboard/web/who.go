package web

import (
	"net"
	"net/http"
	"net/netip"
)

// who says in words who sent a request: "page, from 192.0.2.7".
func who(r *http.Request) string { return "page, from " + sender(r).String() }

// whoByLink is who for a decision by the link of a target's message.
func whoByLink(r *http.Request, target string) string {
	return "link of " + target + ", from " + sender(r).String()
}

// sender returns the address that a request came from; of a proxy, it is the proxy's.
func sender(r *http.Request) netip.Addr {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	ip, _ := netip.ParseAddr(host)
	return ip.WithZone("").Unmap()
}

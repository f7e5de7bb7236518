package web

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/internal/text"
)

// mostUser limits a user's name that a proxy passes on, in bytes.
const mostUser = 100

// who says in words who sent a request: "page, from 192.0.2.7", or "alice, through the proxy 10.0.0.2" where that proxy is one that the
// operator named. Anybody else's header counts for nothing.
func (s *server) who(r *http.Request) string {
	from := sender(r)
	if user := s.user(r, from); user != "" {
		return user + ", through the proxy " + from.String()
	}
	return "page, from " + from.String()
}

// whoByLink is who for a decision by the link of a target's message.
func (s *server) whoByLink(r *http.Request, target string) string {
	from := sender(r)
	if user := s.user(r, from); user != "" {
		return user + ", by the link of " + target + ", through the proxy " + from.String()
	}
	return "link of " + target + ", from " + from.String()
}

// user returns the user that a named proxy says; empty if none does.
func (s *server) user(r *http.Request, from netip.Addr) string {
	named := slices.ContainsFunc(s.options.Proxies, func(p netip.Prefix) bool { return p.Contains(from) })
	said := r.Header.Values(s.options.UserHeader)
	if !named || s.options.UserHeader == "" || len(said) != 1 { // of two, one may be the client's
		return ""
	}
	return text.Clip(strings.Join(strings.Fields(text.Clean(said[0])), " "), mostUser)
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

package web

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// loopbackAddress reports whether nobody but this machine reaches the address host:port. An empty host is every address.
func loopbackAddress(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && loopbackName(host)
}

// loopbackName is about what means this machine to every browser, whatever a name server says.
func loopbackName(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback()
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// knowsHost reports whether a request asks for a host that we are. A page from elsewhere whose name was pointed at us afterwards (DNS
// rebinding) asks for its own. Behind an address that others reach a token is demanded, which such a page does not have.
func (s *server) knowsHost(r *http.Request) bool {
	if !s.loopback {
		return true
	}
	host := hostName(r.Host)
	if loopbackName(host) {
		return true
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.WithZone("").Unmap() == cameBy(r)
	}
	return slices.ContainsFunc(s.options.Hosts, func(known string) bool {
		return host != "" && strings.EqualFold(strings.TrimSuffix(known, "."), strings.TrimSuffix(host, "."))
	})
}

// hostName is the host without its port, and without the brackets of an IPv6 address.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	if inner, found := strings.CutPrefix(host, "["); found {
		return strings.TrimSuffix(inner, "]")
	}
	return host
}

// cameBy is the address of ours that a request came in by; the zero one where that is not known.
func cameBy(r *http.Request) netip.Addr {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return local.AddrPort().Addr().WithZone("").Unmap()
}

// checkHost refuses requests for hosts that we are not.
func (s *server) checkHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.knowsHost(r) {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Connection", "close")
		s.fail(w, r, &fault{
			status: http.StatusMisdirectedRequest, title: "Not a name of this dashboard",
			detail: "This request asked for the host " + quoted(r.Host) + ".",
			advice: "If you gave this machine that name, start the dashboard with --host NAME. Otherwise open it by its address, such as " +
				"http://localhost:PORT/.",
		})
	})
}

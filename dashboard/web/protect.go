package web

import (
	"errors"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/justinas/nosurf"
)

// contentPolicy lets a page load our own assets and nothing else, run no script but our own files, and be in no frame.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"

// withHeaders sets what every answer has. Handlers may replace Cache-Control alone.
func withHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, header := range [][2]string{
			{"Content-Security-Policy", contentPolicy},
			{"X-Content-Type-Options", "nosniff"},
			{"X-Frame-Options", "DENY"},
			{"Referrer-Policy", "same-origin"}, // with no-referrer browsers would send forms with the Origin null
			{"Cross-Origin-Opener-Policy", "same-origin"},
			{"Cross-Origin-Resource-Policy", "same-origin"},
			{"Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"},
			{"Cache-Control", "no-store"},
		} {
			w.Header().Set(header[0], header[1])
		}
		next.ServeHTTP(w, r)
	})
}

// writeBody sends a whole answer. That a client left meanwhile is no error.
func writeBody(w http.ResponseWriter, status int, kind string, body []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) //nolint:gosec // pages are made by html/template and cleaned; other answers are of types that are no markup
}

// seeOther sends a browser to an address of this dashboard, below the root.
func seeOther(w http.ResponseWriter, address string) {
	w.Header().Set("Location", address)
	w.WriteHeader(http.StatusSeeOther)
}

// byTLS reports whether the client speaks TLS: to us, or to the proxy before us. A false claim weakens the client's own
// cookies alone.
func byTLS(r *http.Request) bool {
	return r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https"
}

// loopbackAddress reports whether the address host:port is reached from this machine alone. An empty host is every address.
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
	if !s.loopback && s.options.Token != "" {
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

// cameBy is the local address that a request came in by; the zero one where that is not known.
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
			Status: http.StatusMisdirectedRequest, Title: "Not a name of this dashboard",
			Detail: "This request asked for the host " + quoted(r.Host) + ".",
			Advice: "If you gave this machine that name, start the dashboard with --host NAME. Otherwise open it by its address, such as " +
				"http://localhost:PORT/.",
		})
	})
}

// limitBody bounds what a request may send, and reads the form of one that changes something: before nosurf does, which would ignore what is
// wrong with it.
func (s *server) limitBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBodyBytes)
		if r.Method == http.MethodPost {
			if f := readForm(r); f != nil {
				s.fail(w, r, f)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// readForm parses the body, which must be a form as browsers send it; nil is that it is one.
func readForm(r *http.Request) *fault {
	const advice = "Use the buttons of the pages."
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if r.ContentLength != 0 && (err != nil || kind != "application/x-www-form-urlencoded") {
		return &fault{
			Status: http.StatusUnsupportedMediaType, Title: "Not a form", Detail: "What was sent is no application/x-www-form-urlencoded.", Advice: advice,
		}
	}
	err = r.ParseForm()
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return &fault{Status: http.StatusRequestEntityTooLarge, Title: "Too much was sent", Detail: "A request may send 64 KiB at most.", Advice: advice}
	case err != nil:
		return &fault{Status: http.StatusBadRequest, Title: "Not a form", Detail: "What was sent cannot be read: " + err.Error() + ".", Advice: advice}
	}
	return nil
}

const csrfCookie = "claudeops_csrf"

// guardForms lets requests that change something pass only where they come from a page of this dashboard: by what browsers say of the page's origin,
// and by a token that only our pages have.
func (s *server) guardForms(next http.Handler) http.Handler {
	refused := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, &fault{
			Status: http.StatusForbidden, Title: "Not sent from this dashboard", Detail: "This request does not come from a page of this dashboard, " +
				"or the page was open for too long.",
			Advice: "Open the page anew and press the button again. Cookies must be allowed.",
		})
	})
	tokens := map[bool]http.Handler{} // by whether the client speaks TLS
	for _, secure := range []bool{false, true} {
		h := nosurf.New(next)
		h.SetBaseCookie(http.Cookie{ //nolint:gosec // without TLS browsers would not send a Secure one
			Name: csrfCookie, Path: "/", MaxAge: nosurf.MaxAge, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: secure,
		})
		h.SetIsTLSFunc(func(*http.Request) bool { return secure })
		h.SetFailureHandler(refused)
		tokens[secure] = h
	}
	origins := http.NewCrossOriginProtection()
	origins.SetDenyHandler(refused)
	return origins.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if kindOf(r) != forPeople && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
			next.ServeHTTP(w, r) // there is no form in it, and programs keep no cookies
			return
		}
		tokens[byTLS(r)].ServeHTTP(w, r)
	}))
}

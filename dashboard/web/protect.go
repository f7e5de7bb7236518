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

	"github.com/claudeops/claudeops/internal/netname"
)

// contentPolicy lets a page load only our own assets, run only our own script files, and not be framed.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"

// withHeaders sets the headers of every answer. Handlers may only replace Cache-Control.
func withHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, header := range [][2]string{
			{"Content-Security-Policy", contentPolicy},
			{"X-Content-Type-Options", "nosniff"},
			{"X-Frame-Options", "DENY"},
			{"Referrer-Policy", "same-origin"}, // see guardForms
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

// writeBody sends a complete answer. A client that is gone is not an error.
func writeBody(w http.ResponseWriter, status int, kind string, body []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// seeOther redirects a browser to a path of this dashboard.
func seeOther(w http.ResponseWriter, address string) {
	w.Header().Set("Location", address)
	w.WriteHeader(http.StatusSeeOther)
}

// byTLS reports whether the client uses TLS, to us or to a proxy. A false claim only weakens the client's own cookies.
func byTLS(r *http.Request) bool {
	return r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https"
}

// loopbackAddress reports whether the address host:port is reachable only from this machine. An empty host means every address.
func loopbackAddress(addr string) bool {
	name, _, err := net.SplitHostPort(addr)
	return err == nil && netname.Loopback(name)
}

// knowsHost reports whether a request's host is one of ours. A foreign page whose name was later pointed at us (DNS rebinding) sends its
// own name. If the address is reachable by others, a token is required, which such a page does not have.
func (s *server) knowsHost(r *http.Request) bool {
	if !s.loopback {
		return true
	}
	host := hostName(r.Host)
	if _, err := netip.ParseAddr(host); err == nil || netname.Loopback(host) { // an address is pointed at nobody else
		return true
	}
	return slices.ContainsFunc(s.options.Hosts, func(known string) bool {
		return host != "" && strings.EqualFold(strings.TrimSuffix(known, "."), strings.TrimSuffix(host, "."))
	})
}

// hostName returns the host without its port and without the brackets of an IPv6 address.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	if inner, found := strings.CutPrefix(host, "["); found {
		return strings.TrimSuffix(inner, "]")
	}
	return host
}

// checkHost refuses requests for other hosts.
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

// limitBody limits a request's body, and parses the form of a request that changes something.
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

// readForm parses the body, which must be a browser's form; it returns nil if it is.
func readForm(r *http.Request) *fault {
	const advice = "Use the buttons of the pages. Alerts are sent to " + alertsPath + "."
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

// guardForms refuses what a page of another site makes a browser send. It relies on the Referrer-Policy of our pages:
// with no-referrer, browsers would send our own forms with the Origin null.
func (s *server) guardForms(next http.Handler) http.Handler {
	origins := http.NewCrossOriginProtection()
	origins.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, &fault{
			Status: http.StatusForbidden, Title: "Not sent from this dashboard",
			Detail: "This request does not come from a page of this dashboard.",
			Advice: "Open the page anew and press the button again.",
		})
	}))
	return origins.Handler(next)
}

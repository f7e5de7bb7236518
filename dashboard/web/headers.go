package web

import (
	"io"
	"log"
	"net/http"
	"strconv"
)

// contentPolicy lets a page load our own assets and nothing else, run no script that is not a file of ours, and stand in no frame.
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

// writeBody sends a whole answer. That a client went away meanwhile is nothing to tell anybody.
func writeBody(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) //nolint:gosec // pages are made by html/template and cleaned; other answers are of types that are no markup
}

// seeOther sends a browser to an address of ours, below the root.
func seeOther(w http.ResponseWriter, address string) {
	w.Header().Set("Location", address)
	w.WriteHeader(http.StatusSeeOther)
}

// byTLS reports whether the client speaks TLS: to us, or to the proxy before us. What a stranger may say of it weakens that stranger's own
// cookies alone.
func byTLS(r *http.Request) bool {
	return r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https"
}

// silent drops what net/http says of broken connections.
func silent() *log.Logger { return log.New(io.Discard, "", 0) }

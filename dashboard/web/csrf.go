package web

import (
	"net/http"

	"github.com/justinas/nosurf"
)

const csrfCookie = "claudeops_csrf"

// guardForms lets requests that change something pass only where they come from a page of ours: by what browsers say of the page's origin,
// and by a token that only our pages have.
func (s *server) guardForms(next http.Handler) http.Handler {
	origins := http.NewCrossOriginProtection()
	refused := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.fail(w, r, errForeignForm()) })
	origins.SetDenyHandler(refused)
	plain, secure := tokens(next, refused, false), tokens(next, refused, true)
	return origins.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case kindOf(r) != forPeople && (r.Method == http.MethodGet || r.Method == http.MethodHead):
			next.ServeHTTP(w, r) // there is no form in it, and who reads it keeps no cookies
		case byTLS(r):
			secure.ServeHTTP(w, r)
		default:
			plain.ServeHTTP(w, r)
		}
	}))
}

func tokens(next, refused http.Handler, secure bool) http.Handler {
	h := nosurf.New(next)
	h.SetBaseCookie(http.Cookie{ //nolint:gosec // without TLS browsers would not send a Secure one
		Name: csrfCookie, Path: "/", MaxAge: nosurf.MaxAge, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: secure,
	})
	h.SetIsTLSFunc(func(*http.Request) bool { return secure })
	h.SetFailureHandler(refused)
	return h
}

func errForeignForm() error {
	return &fault{
		status: http.StatusForbidden, title: "Not sent from this dashboard", detail: "This request does not come from a page of this dashboard, " +
			"or the page was open for too long.",
		advice: "Open the page anew and press the button again. Cookies must be allowed.",
	}
}

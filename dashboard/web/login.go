package web

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
)

// loginLasts is how long a browser keeps a login.
const loginLasts = 30 * 24 * time.Hour

// logins decides who is admitted if a token is required. Wrong tokens are not counted: 16 characters of
// `openssl rand -hex` take 2^64 requests, and behind a proxy all clients have one address.
type logins struct {
	token [sha256.Size]byte
	// The cookie of a login is derived from the token, so that a new token ends all logins; its name too, because
	// browsers send it to every port of a host, where another dashboard may have another token.
	name, value string
}

// newLogins returns nil if there is no token, so that none is required.
func newLogins(token string) *logins {
	if token == "" {
		return nil
	}
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte("claudeops dashboard login"))
	value := hex.EncodeToString(mac.Sum(nil))
	name := sha256.Sum256([]byte(value))
	return &logins{
		token: sha256.Sum256([]byte(token)), name: "claudeops_login_" + hex.EncodeToString(name[:4]), value: value,
	}
}

func (l *logins) right(token string) bool {
	sum := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(sum[:], l.token[:]) == 1
}

// loggedIn reports whether a request has the cookie of a login.
func (l *logins) loggedIn(r *http.Request) bool {
	// Another server on this host may have set one, too.
	return slices.ContainsFunc(r.CookiesNamed(l.name), func(c *http.Cookie) bool {
		return subtle.ConstantTimeCompare([]byte(c.Value), []byte(l.value)) == 1
	})
}

func (l *logins) cookie(r *http.Request, value string, maxAge int) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // without TLS, on loopback or in a network of one's own, browsers would not send a Secure one
		Name: l.name, Value: value, Path: "/", MaxAge: maxAge, HttpOnly: true, Secure: byTLS(r), SameSite: http.SameSiteLaxMode,
	}
}

// bearer returns the token that a program sends.
func bearer(r *http.Request) (token string, sent bool) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(token), strings.EqualFold(scheme, "Bearer")
}

// admits reports whether a request has a login or the token.
func (l *logins) admits(r *http.Request) bool {
	if l == nil || l.loggedIn(r) {
		return true
	}
	token, sent := bearer(r)
	return sent && l.right(token)
}

// demandLogin admits only clients with a login or the token. Other clients' connections are closed after the answer, so that they do not
// use up the limit.
func (s *server) demandLogin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		admitted := s.logins.admits(r)
		if !admitted {
			w.Header().Set("Connection", "close")
		}
		if admitted || open(r) {
			next.ServeHTTP(w, r)
			return
		}
		if s.mayOpenByLink(r) {
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), byLinkKey{}, true)))
			return
		}
		s.askForLogin(w, r)
	})
}

// open reports whether a request needs no login.
func open(r *http.Request) bool {
	at := r.URL.Path
	return at == "/healthz" || at == "/login" || strings.HasPrefix(at, "/assets/") && path.Clean(at) == at
}

// askForLogin redirects people to the login page; programs and background requests of a page get 401.
func (s *server) askForLogin(w http.ResponseWriter, r *http.Request) {
	if kindOf(r) == forPeople && r.Header.Get("HX-Request") == "" && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		seeOther(w, loginAddress(r.URL.RequestURI()))
		return
	}
	if r.Header.Get("HX-Request") != "" {
		w.Header().Set("HX-Redirect", loginAddress(r.URL.RequestURI()))
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="claudeops"`)
	s.fail(w, r, &fault{
		Status: http.StatusUnauthorized, Title: "Not logged in", Detail: "This dashboard demands its token.",
		Advice: "Send the header `Authorization: Bearer TOKEN` with the value of CLAUDEOPS_DASHBOARD_TOKEN, or log in at /login.",
	})
}

func loginAddress(next string) string { return "/login?next=" + url.QueryEscape(ownAddress(next)) }

// ownAddress returns a URL of this dashboard that a client named, or the first page if some browser would take it for a foreign one
// (browsers skip blanks, and read a backslash as a slash) or if it is the login itself.
func ownAddress(next string) string {
	const first, longest = "/", 2000
	if !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.ContainsFunc(next, func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f }) {
		return first
	}
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" || strings.HasPrefix(u.EscapedPath(), "//") {
		return first
	}
	switch path.Clean(u.Path) {
	case "/login", logoutPath:
		return first
	}
	u.Fragment, u.RawFragment = "", ""
	if own := u.String(); len(own) <= longest {
		return own
	}
	return first
}

// loginPage handles GET /login.
func (s *server) loginPage(w http.ResponseWriter, r *http.Request) {
	next := ownAddress(r.URL.Query().Get("next"))
	if s.logins == nil || s.logins.loggedIn(r) {
		seeOther(w, next)
		return
	}
	s.page(w, r, http.StatusOK, "login", s.view(r, "Log in", "login", loginView{Next: next}))
}

// login handles POST /login.
func (s *server) login(w http.ResponseWriter, r *http.Request) {
	next := ownAddress(r.PostForm.Get("next"))
	if s.logins == nil {
		seeOther(w, next)
		return
	}
	if !s.logins.right(r.PostForm.Get("token")) {
		data := loginView{Next: next, Fault: "This is not the token. It is the value of CLAUDEOPS_DASHBOARD_TOKEN."}
		s.page(w, r, http.StatusUnauthorized, "login", s.view(r, "Log in", "login", data))
		return
	}
	http.SetCookie(w, s.logins.cookie(r, s.logins.value, int(loginLasts/time.Second)))
	seeOther(w, next)
}

const logoutPath = "/logout"

// logout handles POST /logout.
func (s *server) logout(w http.ResponseWriter, r *http.Request) {
	if s.logins == nil {
		seeOther(w, "/")
		return
	}
	http.SetCookie(w, s.logins.cookie(r, "", -1))
	seeOther(w, "/login")
}

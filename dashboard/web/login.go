package web

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

const (
	loginLasts = 30 * 24 * time.Hour

	// The rate limits of failed logins, for one address and for all: a burst, then one per interval.
	failuresAtOnce, allFailuresAtOnce = 10, 100
	failureEvery, allFailuresEvery    = 6 * time.Second, 600 * time.Millisecond
	maxFailing                        = 1024 // remembered addresses
)

// logins decides who is admitted if a token is required.
type logins struct {
	token [sha256.Size]byte
	key   []byte // for cookies: derived from the token, so that a new token ends all logins
	name  string // of the cookie: browsers send it to every port of a host, where another dashboard may have another token
	now   func() time.Time

	mu      sync.Mutex
	failing map[netip.Addr]*rate.Limiter
	all     *rate.Limiter
}

// newLogins returns nil if there is no token, so that none is required.
func newLogins(token string, now func() time.Time) *logins {
	if token == "" {
		return nil
	}
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte("claudeops dashboard login"))
	key := mac.Sum(nil)
	name := sha256.Sum256(key)
	return &logins{
		token: sha256.Sum256([]byte(token)), key: key, name: "claudeops_login_" + hex.EncodeToString(name[:4]), now: now,
		failing: map[netip.Addr]*rate.Limiter{}, all: rate.NewLimiter(rate.Every(allFailuresEvery), allFailuresAtOnce),
	}
}

var (
	errWrongToken  = errors.New("this is not the token")
	errManyFailing = errors.New("too many wrong tokens were tried")
)

// try compares a token. The right one is always accepted, however often others have failed, because behind a proxy all have the same
// address. This does not help guessing: 16 characters of `openssl rand -hex` take 2^64 requests. The limit only makes a person or a
// program with an old token notice.
func (l *logins) try(r *http.Request, token string) error {
	if l.right(token) {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	limit := l.limiter(remote(r), now)
	if limit.TokensAt(now) < 1 || l.all.TokensAt(now) < 1 {
		return errManyFailing
	}
	limit.AllowN(now, 1)
	if limit != l.all {
		l.all.AllowN(now, 1)
	}
	return errWrongToken
}

func (l *logins) right(token string) bool {
	sum := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(sum[:], l.token[:]) == 1
}

// limiter returns the rate limiter of an address, or the common one if there is no room for another.
func (l *logins) limiter(from netip.Addr, now time.Time) *rate.Limiter {
	if limit := l.failing[from]; limit != nil {
		return limit
	}
	if len(l.failing) >= maxFailing {
		maps.DeleteFunc(l.failing, func(_ netip.Addr, limit *rate.Limiter) bool { return limit.TokensAt(now) >= failuresAtOnce }) // recovered
	}
	if len(l.failing) >= maxFailing {
		return l.all
	}
	limit := rate.NewLimiter(rate.Every(failureEvery), failuresAtOnce)
	l.failing[from] = limit
	return limit
}

// remote returns the client's address; for IPv6 the network that one customer usually has.
func remote(r *http.Request) netip.Addr {
	ip := sender(r)
	if ip.Is6() {
		if network, err := ip.Prefix(64); err == nil {
			return network.Addr()
		}
	}
	return ip
}

// cookieValue returns the signed end of a login.
func (l *logins) cookieValue(until time.Time) string {
	value := binary.BigEndian.AppendUint64(nil, uint64(until.Unix()))
	return base64.RawURLEncoding.EncodeToString(append(value, l.sign(value)...))
}

func (l *logins) sign(value []byte) []byte {
	mac := hmac.New(sha256.New, l.key)
	mac.Write(value)
	return mac.Sum(nil)
}

// login returns the value of a request's cookie of a valid login; empty without one.
func (l *logins) login(r *http.Request) string {
	for _, cookie := range r.CookiesNamed(l.name) { // another server on this host may have set one for another path
		value, err := base64.RawURLEncoding.Strict().DecodeString(cookie.Value)
		if err != nil || len(value) != 8+sha256.Size || !hmac.Equal(value[8:], l.sign(value[:8])) {
			continue
		}
		if l.now().Unix() < int64(binary.BigEndian.Uint64(value)) {
			return cookie.Value
		}
	}
	return ""
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
	if l == nil || l.login(r) != "" {
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
		if token, sent := bearer(r); sent && errors.Is(s.logins.try(r, token), errManyFailing) {
			s.fail(w, r, &fault{
				Status: http.StatusTooManyRequests, Title: "Too many wrong tokens", Detail: sentence(errManyFailing.Error()),
				Advice: "Wait a minute and try again.",
			})
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
	if s.logins == nil || s.logins.login(r) != "" {
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
	status, data := http.StatusUnauthorized, loginView{Next: next, Fault: "This is not the token. It is the value of CLAUDEOPS_DASHBOARD_TOKEN."}
	switch err := s.logins.try(r, r.PostForm.Get("token")); {
	case errors.Is(err, errManyFailing):
		status, data.Fault = http.StatusTooManyRequests, sentence(err.Error())+" Wait a minute and try again."
		fallthrough
	case err != nil:
		s.page(w, r, status, "login", s.view(r, "Log in", "login", data))
	default:
		value := s.logins.cookieValue(s.now().Add(loginLasts))
		http.SetCookie(w, s.logins.cookie(r, value, int(loginLasts/time.Second)))
		seeOther(w, next)
	}
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

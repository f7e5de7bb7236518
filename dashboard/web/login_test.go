package web

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/dashboard"
)

// addresses are all paths for GET.
func addresses(s *site) []string {
	var all []string
	for _, r := range s.server.routes() {
		if r.method == http.MethodGet {
			all = append(all, strings.NewReplacer("{$}", "", "{id}", "1", "{name}", "jellyfin").Replace(r.path))
		}
	}
	return append(all, "/api/v1/openapi.yaml", "/nothing", "/api/nothing")
}

func TestWithoutLoginNothingIsShown(t *testing.T) {
	s := newTestServer(t, withToken)
	for _, path := range addresses(s) {
		got := s.get(path)
		if strings.Contains(got.body, "jellyfin") || strings.Contains(got.body, "claudeops_cycle") {
			t.Errorf("%s shows what it has:\n%s", path, got.body)
		}
		switch {
		case strings.HasPrefix(path, "/api/"):
			wantReply(t, got, http.StatusUnauthorized, `"status":401`, `"advice"`)
			if got.Header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s does not say how to log in", path)
			}
		case path == "/metrics", strings.HasSuffix(path, "/stream"), strings.HasSuffix(path, ".md"):
			wantReply(t, got, http.StatusUnauthorized, "Not logged in")
		default:
			if to := got.Header.Get("Location"); got.StatusCode != http.StatusSeeOther || to != "/login?next="+url.QueryEscape(path) {
				t.Errorf("%s: %d to %q", path, got.StatusCode, to)
			}
		}
	}
	wantReply(t, s.get("/healthz"), http.StatusOK, "ok")
	wantReply(t, s.get("/login"), http.StatusOK, "</form>")
	wantReply(t, s.get("/assets/app.css"), http.StatusOK)
}

func TestAssetsAreNoWayAroundTheLogin(t *testing.T) {
	s := newTestServer(t, withToken)
	for _, path := range []string{
		"/assets/../sessions", "/assets/%2e%2e/sessions", "/assets/..%2fsessions", "/assets//../sessions", "/assets/./../sessions", "/assets/%2e%2e%2fsessions",
		"/assets/../assets/../sessions", "/healthz/../sessions", "/login/../sessions", "/assets/../../../etc/passwd", "/assets/..%2f..%2f..%2fetc%2fpasswd",
		"/assets/../web.go", "/assets/..%2ftemplates%2flayout.html", "/assets/vendor/../../templates/layout.html", "/assets/", "/assets/vendor/", "/assets/vendor",
		`/assets/..%5c..%5cweb.go`, "/assets/app.css%00.html",
	} {
		got := s.get(path)
		if got.StatusCode == http.StatusOK {
			t.Errorf("%s: %d\n%s", path, got.StatusCode, got.body)
		}
		for _, secret := range []string{"jellyfin", "root:", "define"} {
			if strings.Contains(got.body, secret) {
				t.Errorf("%s shows %q", path, secret)
			}
		}
	}
}

func TestBearer(t *testing.T) {
	s := newTestServer(t, withToken)
	last := testToken[len(testToken)-1] + 1
	for _, row := range []struct {
		value string
		want  int
	}{
		{"Bearer " + testToken, http.StatusOK},
		{"bearer  " + testToken, http.StatusOK},
		{"Bearer " + testToken[:len(testToken)-1] + string(last), http.StatusUnauthorized},
		{"Bearer " + testToken[:len(testToken)-1], http.StatusUnauthorized},
		{"Bearer " + testToken + "x", http.StatusUnauthorized},
		{"Bearer " + strings.ToUpper(testToken), http.StatusUnauthorized},
		{"Bearer", http.StatusUnauthorized},
		{"Basic " + base64.StdEncoding.EncodeToString([]byte("x:"+testToken)), http.StatusUnauthorized},
		{testToken, http.StatusUnauthorized},
		{"", http.StatusUnauthorized},
	} {
		for _, path := range []string{"/api/v1/overview", "/metrics"} {
			if got := s.get(path, header("Authorization", row.value)); got.StatusCode != row.want {
				t.Errorf("%s with %q: %d, want %d", path, row.value, got.StatusCode, row.want)
			}
		}
	}
	wantReply(t, s.get("/sessions", header("Authorization", "Bearer "+testToken)), http.StatusOK)
	if got := s.get("/api/v1/overview?token=" + testToken); got.StatusCode != http.StatusUnauthorized {
		t.Errorf("a token in the address: %d", got.StatusCode)
	}
}

func TestLogin(t *testing.T) {
	s := newTestServer(t, withToken)
	b := s.browser()
	got := b.submit("/login", url.Values{"token": {"wrong-horse-battery-staple"}, "next": {"/sessions?tier=2"}})
	wantReply(t, got, http.StatusUnauthorized, "This is not the token", `value="/sessions?tier=2"`)
	if strings.Contains(got.body, "wrong-horse") {
		t.Error("what was typed is shown")
	}
	got = b.submit("/login", url.Values{"token": {testToken}, "next": {"/sessions?tier=2"}})
	if to := got.Header.Get("Location"); got.StatusCode != http.StatusSeeOther || to != "/sessions?tier=2" {
		t.Errorf("%d to %q", got.StatusCode, to)
	}
	cookie := cookieOf(t, got)
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Secure || cookie.MaxAge != 30*24*3600 || cookie.Path != "/" || cookie.Domain != "" {
		t.Errorf("cookie: %v", cookie)
	}
	if strings.Contains(cookie.Value, testToken) {
		t.Error("the cookie holds the token")
	}
	wantReply(t, b.get("/sessions"), http.StatusOK, "Log out")
	wantReply(t, b.get("/api/v1/overview"), http.StatusOK)
	if got := b.get("/login?next=/events"); got.StatusCode != http.StatusSeeOther || got.Header.Get("Location") != "/events" {
		t.Errorf("who is logged in is asked again: %d", got.StatusCode)
	}
	got = b.submit("/logout", url.Values{})
	if to := got.Header.Get("Location"); got.StatusCode != http.StatusSeeOther || to != "/login" {
		t.Errorf("logout: %d to %q", got.StatusCode, to)
	}
	wantReply(t, b.get("/sessions"), http.StatusSeeOther)
}

func TestLoginCookieIsSecureBehindTLS(t *testing.T) {
	s := newTestServer(t, withToken)
	b := s.browser()
	https := "https" + strings.TrimPrefix(s.http.URL, "http")
	got := b.submit("/login", url.Values{"token": {testToken}}, header("X-Forwarded-Proto", "https"), header("Origin", https))
	if cookie := cookieOf(t, got); !cookie.Secure {
		t.Errorf("cookie: %v", cookie)
	}
}

func cookieOf(t *testing.T, got reply) *http.Cookie {
	t.Helper()
	for _, c := range got.Cookies() {
		if strings.HasPrefix(c.Name, "claudeops_login_") {
			return c
		}
	}
	t.Fatalf("%d without a login cookie\n%s", got.StatusCode, got.body)
	return nil
}

func TestCookiesThatAreNoLogin(t *testing.T) {
	s := newTestServer(t, withToken)
	l := s.server.logins
	good := l.value
	for name, value := range map[string]string{
		"empty":             "",
		"the token":         testToken,
		"of another token":  newLogins(testToken + "2").value,
		"cut":               good[:len(good)-4],
		"longer":            good + "AAAA",
		"another character": flip(good),
	} {
		t.Run(name, func(t *testing.T) {
			wantReply(t, s.get("/sessions", header("Cookie", l.name+"="+value)), http.StatusSeeOther)
			wantReply(t, s.get("/api/v1/overview", header("Cookie", l.name+"="+value)), http.StatusUnauthorized)
		})
	}
	wantReply(t, s.get("/sessions", header("Cookie", l.name+"="+good)), http.StatusOK)
	wantReply(t, s.get("/sessions", header("Cookie", l.name+"=stale; "+l.name+"="+good)), http.StatusOK)
}

// Only clients that are logged in keep a connection; otherwise others could use up all of them.
func TestConnectionsOfStrangersEndWithTheAnswer(t *testing.T) {
	s := newTestServer(t, withToken)
	token, cookie := header("Authorization", "Bearer "+testToken), header("Cookie", s.cookieName()+"="+s.server.logins.value)
	for _, path := range []string{"/", "/login", "/healthz", "/api/v1/overview", "/metrics", "/assets/app.css", "/nothing"} {
		for name, change := range map[string]func(*http.Request){"a stranger": header("X-Nobody", "1"), "wrong": header("Authorization", "Bearer wrong")} {
			if got := s.get(path, change); !got.Close {
				t.Errorf("%s: the connection of %s stays", path, name)
			}
		}
		for name, change := range map[string]func(*http.Request){"the token": token, "a login": cookie} {
			if got := s.get(path, change); got.Close {
				t.Errorf("%s: the connection of %s ends", path, name)
			}
		}
	}
	s = newTestServer(t)
	if s.get("/").Close {
		t.Error("where no token is set, connections end")
	}
	if got := s.get("/", header("Host", "evil.example")); got.StatusCode != http.StatusMisdirectedRequest || !got.Close {
		t.Errorf("for another host: %d, the connection stays", got.StatusCode)
	}
}

// Browsers send the cookies of a host to all of its ports.
func TestTwoDashboardsOfAHostKeepTheirLogins(t *testing.T) {
	one := newTestServer(t, withToken)
	other := newTestServer(t, func(o *dashboard.Options) { o.Token = testToken + "2" })
	if one.cookieName() == other.cookieName() {
		t.Errorf("both logins are called %s", one.cookieName())
	}
}

func (s *site) cookieName() string { return s.server.logins.name }

func TestTokensThatServeRefuses(t *testing.T) {
	for name, row := range map[string]struct {
		o    dashboard.Options
		want string
	}{
		"none elsewhere": {dashboard.Options{Addr: "0.0.0.0:0"}, "reachable from other machines"},
		"none on any":    {dashboard.Options{Addr: ":0"}, "reachable from other machines"},
		"short":          {dashboard.Options{Addr: "127.0.0.1:0", Token: "fifteen-letters"}, "it takes 16"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := Serve(t.Context(), row.o); err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("Serve: %v", err)
			}
		})
	}
}

func TestNextLeadsNowhereElse(t *testing.T) {
	for next, want := range map[string]string{
		"/sessions": "/sessions", "/sessions?tier=2&x=%2F": "/sessions?tier=2&x=%2F", "/services/a%2Fb": "/services/a%2Fb",
		"": "/", "sessions": "/", "//": "/", "//evil": "/", "///evil": "/", `/\evil`: "/", `\\evil`: "/", "http://evil/": "/", "javascript:alert(1)": "/",
		"/\t/evil": "/", "/\n/evil": "/", " //evil": "/", "/login": "/", "/login?next=/login": "/", "/logout": "/", "/x/../login": "/",
		"/%": "/", "/a\r\nSet-Cookie: x=y": "/", "/a b": "/", "/a#b": "/a", strings.Repeat("/a", 2000): "/",
	} {
		if got := ownAddress(next); got != want {
			t.Errorf("ownAddress(%q) = %q, want %q", next, got, want)
		}
	}
	s := newTestServer(t, withToken)
	for _, next := range []string{"//evil.example", "https://evil.example/", `/\evil.example`} {
		b := s.browser()
		got := b.submit("/login", url.Values{"token": {testToken}, "next": {next}})
		if to := got.Header.Get("Location"); got.StatusCode != http.StatusSeeOther || to != "/" {
			t.Errorf("next=%s: %d to %q", next, got.StatusCode, to)
		}
		if got := b.get("/login?next=" + url.QueryEscape(next)); got.Header.Get("Location") != "/" {
			t.Errorf("next=%s, logged in: to %q", next, got.Header.Get("Location"))
		}
	}
}

func TestWhatPagesAskForIsToldOfTheLogin(t *testing.T) {
	s := newTestServer(t, withToken)
	got := s.get("/sessions?tier=2", header("HX-Request", "true"))
	wantReply(t, got, http.StatusUnauthorized)
	if to := got.Header.Get("HX-Redirect"); to != "/login?next=%2Fsessions%3Ftier%3D2" {
		t.Errorf("HX-Redirect: %q", to)
	}
}

func FuzzNext(f *testing.F) {
	for _, seed := range []string{"/", "//", "//evil", `/\evil`, "/a?b#c", "/./\\x", "/%2f/evil", "/..//evil", "/\x00", "/login/", "http:/x", "/:@evil", "/é", "/" + strings.Repeat("é", 900)} {
		f.Add(seed)
	}
	ours := &url.URL{Scheme: "http", Host: "localhost:1", Path: "/login"}
	f.Fuzz(func(t *testing.T, next string) {
		got := ownAddress(next)
		if !strings.HasPrefix(got, "/") || strings.HasPrefix(got, "//") || strings.ContainsAny(got, "\\\r\n\t ") {
			t.Fatalf("ownAddress(%q) = %q", next, got)
		}
		u, err := ours.Parse(got)
		if err != nil || u.Host != ours.Host || u.Scheme != ours.Scheme || u.User != nil {
			t.Fatalf("ownAddress(%q) = %q leads to %v (%v)", next, got, u, err)
		}
		if again := ownAddress(got); again != got {
			t.Fatalf("ownAddress(%s) = %q, and of that %q", strconv.Quote(next), got, again)
		}
	})
}

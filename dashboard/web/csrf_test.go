package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/store"
)

func TestNoticesOfOthersAreNotShown(t *testing.T) {
	s := newTestServer(t)
	for _, notice := range []string{"counters", "<b>hacked</b>", "--", ""} {
		wantReply(t, s.get("/services/jellyfin", header("Cookie", noticeCookie+"="+url.QueryEscape("<b>"+notice))), http.StatusOK)
		got := s.get("/services/jellyfin?notice=" + url.QueryEscape(notice))
		wantReply(t, got, http.StatusOK)
		if strings.Contains(got.body, "were reset") || strings.Contains(got.body, "<b>hacked") || strings.Contains(got.body, "banner ok") {
			t.Errorf("notice=%s is shown", notice)
		}
	}
}

func TestActionsThatFail(t *testing.T) {
	for _, row := range []struct {
		err    error
		status int
		word   string
	}{
		{fmt.Errorf("begin: %w", store.ErrLocked), http.StatusServiceUnavailable, "The database is locked"},
		{fmt.Errorf("service nobody: %w", store.ErrNotFound), http.StatusNotFound, "/services"},
		{fmt.Errorf("cooldown.json: disk full"), http.StatusInternalServerError, "disk full"},
	} {
		s := newTestServer(t)
		s.deeds.err = row.err
		wantReply(t, s.browser().submit("/services/jellyfin", "/services/jellyfin/reset", url.Values{}), row.status, row.word)
	}
}

// What a page of somebody else can make a browser send.
func TestCrossSiteRequestsChangeNothing(t *testing.T) {
	s := newTestServer(t)
	b := s.browser()
	token := b.csrf("/services/jellyfin")
	at := must(url.Parse(s.http.URL))(t)
	cookies := b.client.Jar.Cookies(at)
	foreign := s.browser().csrf("/services/jellyfin")
	own := header("Origin", s.http.URL)
	same := header("Sec-Fetch-Site", "same-origin")
	for name, row := range map[string]struct {
		token  string
		change []func(*http.Request)
	}{
		"no token":                      {"", []func(*http.Request){own, same}},
		"foreign token":                 {foreign, []func(*http.Request){own, same}},
		"token with one bit changed":    {flip(token), []func(*http.Request){own, same}},
		"short token":                   {token[:20], []func(*http.Request){own, same}},
		"foreign origin":                {token, []func(*http.Request){header("Origin", "http://evil.example")}},
		"origin null":                   {token, []func(*http.Request){header("Origin", "null")}},
		"origin of another port":        {token, []func(*http.Request){header("Origin", "http://127.0.0.1:1")}},
		"origin with our name in it":    {token, []func(*http.Request){header("Origin", s.http.URL+".evil.example")}},
		"cross-site":                    {token, []func(*http.Request){header("Sec-Fetch-Site", "cross-site")}},
		"same-site":                     {token, []func(*http.Request){header("Sec-Fetch-Site", "same-site")}},
		"cross-site with our origin":    {token, []func(*http.Request){own, header("Sec-Fetch-Site", "cross-site")}},
		"no origin at all":              {token, nil},
		"foreign referrer":              {token, []func(*http.Request){header("Referer", "http://evil.example/")}},
		"no cookie":                     {token, []func(*http.Request){own, same, func(r *http.Request) { r.Header.Del("Cookie") }}},
		"a cookie that somebody put in": {token, []func(*http.Request){own, same, header("Cookie", csrfCookie+"=AAAA")}},
	} {
		t.Run(name, func(t *testing.T) {
			client := s.browser() // an answer may have put another cookie in the place of the token's
			if name != "no cookie" {
				client.client.Jar.SetCookies(at, cookies)
			}
			form := url.Values{}
			if row.token != "" {
				form.Set("csrf_token", row.token)
			}
			for _, action := range []string{"/services/jellyfin/reset", "/pause", "/logout", "/login"} {
				form.Set("for", "1h")
				got := client.post(action, form, row.change...)
				wantReply(t, got, http.StatusForbidden, "Not sent from this dashboard")
			}
		})
	}
	if len(s.deeds.done) != 0 {
		t.Errorf("done: %q", s.deeds.done)
	}
	wantReply(t, b.post("/services/jellyfin/reset", url.Values{"csrf_token": {token}}, own, same), http.StatusSeeOther)
}

func flip(token string) string {
	last := token[0]
	replacement := byte('A')
	if last == 'A' {
		replacement = 'B'
	}
	return string(replacement) + token[1:]
}

func TestTokensAreEachForm(t *testing.T) {
	s := newTestServer(t)
	b := s.browser()
	first, second := b.csrf("/services/jellyfin"), b.csrf("/services/jellyfin")
	if first == second {
		t.Error("the token is the same on each page: compressed answers would betray it")
	}
}

func TestCSRFCookie(t *testing.T) {
	s := newTestServer(t)
	for secure, change := range map[bool][]func(*http.Request){false: nil, true: {header("X-Forwarded-Proto", "https")}} {
		cookies := s.get("/", change...).Cookies()
		if len(cookies) != 1 || cookies[0].Name != csrfCookie {
			t.Fatalf("cookies: %v", cookies)
		}
		if c := cookies[0]; !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Secure != secure || c.Domain != "" {
			t.Errorf("cookie: %v", c)
		}
	}
	for _, path := range []string{"/metrics", "/healthz", "/assets/app.css", "/api/v1/overview"} {
		if cookies := s.get(path).Cookies(); len(cookies) != 0 {
			t.Errorf("%s sets %v", path, cookies)
		}
	}
}

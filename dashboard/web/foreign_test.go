package web

import (
	"context"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
)

// newDatabase makes a database.
func newDatabase(t *testing.T, fill func(context.Context, *store.Store) error) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), store.FileName)
	s := must(store.Open(t.Context(), path, store.ReadWrite))(t)
	fine(t, fill(t.Context(), s))
	fine(t, s.Close())
	return path
}

func ofDatabase(path string) func(*dashboard.Options) {
	return func(o *dashboard.Options) {
		o.Config.StateDir, o.Inventory = filepath.Dir(path), func() *inventory.Inventory { return nil }
	}
}

func emptyInstance(t *testing.T) func(*dashboard.Options) {
	t.Helper()
	return ofDatabase(newDatabase(t, func(context.Context, *store.Store) error { return nil }))
}

// strangeNames may stand in a database, whatever our own rule for names is.
var strangeNames = []string{
	"a/b", "/", "//", "/etc/passwd", "../../etc/passwd", ".", "..", "...", "%", "%2f", "%2e%2e", "a%b", "100%", "a?b", "a#b", "a&b=c", "a b", " ", "+", "a+b", `"`, "'",
	"`", `\`, `..\..`, "<script>alert(1)</script>", "javascript:alert(1)", "http://evil.example/", "{{.}}", "\u202egnp.exe", "a\nb", "a\r\nSet-Cookie: x=y", "a\tb",
	"\x1b[31m", "reset", "a/reset", "log/stream", "x/log/stream", "postmortem.md", "日本", "é", "\uFFFD", "-", "~", ";", "a;b", "%00", "\u2028", strings.Repeat("x", 1000),
}

func TestServicesOfAnyNameHaveAPage(t *testing.T) {
	s := newTestServer(t, ofDatabase(newDatabase(t, func(ctx context.Context, s *store.Store) error {
		for _, name := range strangeNames {
			result := check.Result{Service: name, Type: check.HTTP, Status: check.Healthy}
			if err := s.AddChecks(ctx, store.Reported, 0, testNow.Add(-time.Minute), []check.Result{result}); err != nil {
				return err
			}
		}
		return nil
	})))
	for _, name := range strangeNames {
		for _, path := range []string{servicePath(name), apiPrefix + servicePath(name)} {
			got := s.get(path)
			if got.StatusCode != http.StatusOK {
				t.Errorf("the service %q at %s: %d to %s\n%.300s", name, path, got.StatusCode, got.Header.Get("Location"), got.body)
			}
			if got.Header.Get("Set-Cookie") != "" {
				t.Errorf("the service %q sets %q", name, got.Header.Get("Set-Cookie"))
			}
		}
	}
	next := s.get("/services?limit=1&after=" + url.QueryEscape(`"><script>`))
	wantReply(t, next, http.StatusOK)
	if strings.Contains(next.body, "<script>\n") || strings.Contains(next.body, `"><script>`) {
		t.Error("a filter became markup")
	}
}

func TestActionsOnAnyName(t *testing.T) {
	s := newTestServer(t)
	b := s.browser()
	for _, name := range strangeNames {
		path := "/services/" + url.PathEscape(name) + "/reset"
		if strings.HasPrefix(servicePath(name), "/services/-?") {
			path = "/services/-/reset?name=" + url.QueryEscape(name)
		}
		got := b.submit(path, url.Values{})
		wantReply(t, got, http.StatusSeeOther)
		if done := s.deeds.done[len(s.deeds.done)-1]; done != "counters "+name+": page, from 127.0.0.1" {
			t.Errorf("of %q: %q", name, done)
		}
		to, err := url.Parse(got.Header.Get("Location"))
		if err != nil || to.Host != "" || to.Scheme != "" || !strings.HasPrefix(to.Path, "/services/") {
			t.Errorf("of %q: leads to %q", name, got.Header.Get("Location"))
		}
		if cookies := got.Cookies(); len(cookies) != 1 || cookies[0].Name != noticeCookie {
			t.Errorf("of %q: sets %q", name, got.Header.Values("Set-Cookie"))
		}
	}
}

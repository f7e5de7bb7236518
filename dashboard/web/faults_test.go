package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/store"
)

func TestErrorsArePages(t *testing.T) {
	s := newTestServer(t)
	for path, row := range map[string]struct {
		status int
		words  []string
	}{
		"/sessions?status=done":              {http.StatusBadRequest, []string{"status=&#34;done&#34;", "one of running, completed"}},
		"/incidents?open=perhaps":            {http.StatusBadRequest, []string{"true or false"}},
		"/sessions/999999":                   {http.StatusNotFound, []string{"There is no such session", `href="/sessions"`}},
		"/sessions/0":                        {http.StatusNotFound, []string{"There is no such session", `href="/sessions"`}},
		"/sessions/..%2f..%2fetc":            {http.StatusNotFound, []string{"There is no such session"}},
		"/sessions/999999/log":               {http.StatusNotFound, []string{"There is no such session"}},
		"/incidents/999999":                  {http.StatusNotFound, []string{"There is no such incident", `href="/incidents"`}},
		"/services/nobody":                   {http.StatusNotFound, []string{"There is no such service", `href="/services"`}},
		"/nothing":                           {http.StatusNotFound, []string{"There is no such page", `href="/"`}},
		"/%3Cscript%3Ealert(1)%3C/script%3E": {http.StatusNotFound, []string{"&lt;script&gt;"}},
		"/services/jellyfin/reset":           {http.StatusMethodNotAllowed, []string{"it takes POST"}},
		"/logout":                            {http.StatusMethodNotAllowed, []string{"it takes POST"}},
	} {
		got := s.get(path)
		wantReply(t, got, row.status, append(row.words, "</html>", "<h1>")...)
		if row.status == http.StatusMethodNotAllowed && got.Header.Get("Allow") != "POST" {
			t.Errorf("%s: Allow: %q", path, got.Header.Get("Allow"))
		}
	}
}

func TestMethodsThatAreNotAllowed(t *testing.T) {
	s := newTestServer(t)
	b := s.browser()
	for _, path := range []string{"/", "/sessions", "/sessions/1", "/services/jellyfin", "/settings"} {
		got := b.submit(path, map[string][]string{})
		wantReply(t, got, http.StatusMethodNotAllowed)
		if allow := got.Header.Get("Allow"); allow != "GET, HEAD" {
			t.Errorf("%s: Allow: %q", path, allow)
		}
	}
	for _, method := range []string{"TRACE", "CONNECT", "BREW", "OPTIONS"} {
		if got := s.ask(method, "/sessions"); got.StatusCode < 400 || got.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: %d %v", method, got.StatusCode, got.Header)
		}
	}
}

func TestUnavailableRecordsArePages(t *testing.T) {
	s := newTestServer(t, unavailableInstance)
	for _, path := range []string{"/", "/sessions", "/sessions/1", "/sessions/1/log", "/incidents", "/incidents/1", "/services", "/services/x", "/events", "/cooldowns"} {
		got := s.get(path)
		wantReply(t, got, http.StatusServiceUnavailable, "<h1>", `hx-trigger="every 5s"`)
		if got.Header.Get("Retry-After") == "" {
			t.Errorf("%s does not say when to come back", path)
		}
	}
	got := s.get("/metrics")
	wantReply(t, got, http.StatusServiceUnavailable)
	if kind := got.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/plain") {
		t.Errorf("/metrics is %q", kind)
	}
}

func TestFaultsOfErrors(t *testing.T) {
	for name, row := range map[string]struct {
		err    error
		status int
		word   string
	}{
		"deadline":     {fmt.Errorf("read sessions: %w", context.DeadlineExceeded), http.StatusGatewayTimeout, "10s"},
		"not found":    {fmt.Errorf("session 9: %w", store.ErrNotFound), http.StatusNotFound, "Session 9: not in the database."},
		"unavailable":  {&dashboard.UnavailableError{Title: "No cycle has run yet", Advice: "Run one.", Err: errors.New("no file")}, http.StatusServiceUnavailable, "No file."},
		"any":          {errors.New("disk full"), http.StatusInternalServerError, "Disk full."},
		"a joined one": {errors.Join(errors.New("x"), &dashboard.UnavailableError{Title: "T", Err: errors.New("y")}), http.StatusServiceUnavailable, "Y."},
	} {
		t.Run(name, func(t *testing.T) {
			f := faultOf(row.err)
			if f.Status != row.status || !strings.Contains(f.Detail, row.word) {
				t.Errorf("%d %q: %q", f.Status, f.Title, f.Detail)
			}
			if f.Title == "" || f.Status == http.StatusInternalServerError && f.Advice == "" {
				t.Errorf("it does not say what to do: %+v", f)
			}
		})
	}
}

func TestErrorsHaveNoSecrets(t *testing.T) {
	secret := "hunter2+<&>\"'x/y"
	s := newTestServer(t, func(o *dashboard.Options) {
		o.Redactor = mask.New([]string{secret})
		o.Config.StateDir = filepath.Join(t.TempDir(), secret+"\u202e\x1b[31m")
	})
	for _, path := range []string{"/sessions", apiPrefix + "/sessions"} {
		got := s.get(path)
		wantReply(t, got, http.StatusServiceUnavailable, "[redacted]")
		if strings.Contains(got.body, "hunter2") || strings.ContainsAny(got.body, "\u202e\x1b") {
			t.Errorf("%s says\n%s", path, got.body)
		}
	}
}

func TestPanicsArePages(t *testing.T) {
	s := newTestServer(t)
	broken := s.server.recovered(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("index out of range") }))
	for path, word := range map[string]string{
		"/services":             "A fault of this program: index out of range.",
		apiPrefix + "/services": `"status":500`,
	} {
		got := httptest.NewRecorder()
		broken.ServeHTTP(got, httptest.NewRequest(http.MethodGet, path, nil))
		if got.Code != http.StatusInternalServerError || !strings.Contains(got.Body.String(), word) {
			t.Errorf("%s: %d %s", path, got.Code, got.Body)
		}
	}
}

func TestTemplatesThatFailAreAnAnswer(t *testing.T) {
	s := newTestServer(t)
	got := httptest.NewRecorder()
	s.server.page(got, httptest.NewRequest(http.MethodGet, "/", nil), http.StatusOK, "session", view{Data: 1})
	if got.Code != http.StatusInternalServerError || !strings.Contains(got.Body.String(), "This did not work") {
		t.Errorf("%d %s", got.Code, got.Body)
	}
}

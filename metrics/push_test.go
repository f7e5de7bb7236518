package metrics_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/testkit/port"
)

// gateway is a server that keeps the last request, and answers as the test sets it.
func gateway(t *testing.T, answer http.HandlerFunc) (server *httptest.Server, last *http.Request, body *string) {
	t.Helper()
	last, body = &http.Request{}, new(string)
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		if err != nil {
			t.Error(err)
		}
		*last, *body = *r, string(text)
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	return server, last, body
}

func accept(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }

func TestPushReplacesTheGroupOfThisInstance(t *testing.T) {
	for path, want := range map[string]string{
		"":          "/metrics/job/claudeops/instance/watch",
		"/":         "/metrics/job/claudeops/instance/watch",
		"/metrics":  "/metrics/job/claudeops/instance/watch",
		"/gateway/": "/gateway/metrics/job/claudeops/instance/watch",
	} {
		server, last, body := gateway(t, accept)
		address := strings.Replace(server.URL, "http://", "http://ops:hunter%3222@", 1) + path
		if err := exporter.Push(t.Context(), address, figures()); err != nil {
			t.Fatal(err)
		}
		if last.Method != http.MethodPut || last.URL.Path != want || last.UserAgent() != "claudeops/v1.2.3" {
			t.Errorf("%s %s by %s, want PUT %s", last.Method, last.URL.Path, last.UserAgent(), want)
		}
		if user, password, given := last.BasicAuth(); !given || user != "ops" || password != "hunter222" {
			t.Errorf("user %q, password %q", user, password)
		}
		if kind := last.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/plain; version=0.0.4") {
			t.Errorf("content type %q", kind)
		}
		if diff := cmp.Diff(text(t, figures()), *body); diff != "" {
			t.Errorf("not what Text says; -want +got:\n%s", diff)
		}
	}
	server, last, _ := gateway(t, accept)
	if err := exporter.Push(t.Context(), server.URL, figures()); err != nil {
		t.Fatal(err)
	}
	if _, _, given := last.BasicAuth(); given {
		t.Error("a user was given where none is configured")
	}
}

func TestPushSaysWhyItFailed(t *testing.T) {
	elsewhere, _, _ := gateway(t, func(http.ResponseWriter, *http.Request) { t.Error("it followed a redirect") })
	for name, tt := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"refused": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "pushed metrics are\n\tinvalid \x1b[31m\u202e", http.StatusBadRequest)
		}, "it answered 400 Bad Request: pushed metrics are invalid"},
		"quotes the password": {func(w http.ResponseWriter, r *http.Request) {
			_, password, _ := r.BasicAuth()
			http.Error(w, "not "+password, http.StatusUnauthorized)
		}, "it answered 401 Unauthorized: not [redacted]"},
		"says nothing": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }, "it answered 502 Bad Gateway:"},
		"redirects": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}, "it answered 307 Temporary Redirect: it redirects, which is not followed"},
		"endless": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusInternalServerError)
			for {
				if _, err := w.Write([]byte(strings.Repeat("x", 1<<10))); err != nil {
					return
				}
			}
		}, "it answered 500 Internal Server Error: xxx"},
		"cut off": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			server, _, _ := gateway(t, tt.answer)
			err := exporter.Push(t.Context(), strings.Replace(server.URL, "http://", "http://ops:hunter22@", 1), figures())
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), strings.TrimPrefix(server.URL, "http://")) {
				t.Fatalf("error %v, want %q and the gateway's address", err, tt.want)
			}
			if text := err.Error(); len(text) > 500 || strings.Contains(text, "hunter22") || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Errorf("not one line without the password: %q", text)
			}
		})
	}
}

func TestPushEndsWithItsContext(t *testing.T) {
	arrived, done := make(chan struct{}), make(chan struct{})
	server, _, _ := gateway(t, func(_ http.ResponseWriter, r *http.Request) {
		close(arrived)
		select {
		case <-r.Context().Done():
		case <-done:
		}
	})
	defer close(done)
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		<-arrived
		cancel(errors.New("enough"))
	}()
	if err := exporter.Push(ctx, server.URL, figures()); err == nil || !strings.Contains(err.Error(), "cancel") && !strings.Contains(err.Error(), "enough") {
		t.Errorf("error %v", err)
	}
}

func TestPushToNobody(t *testing.T) {
	address := port.Keep(t)
	err := exporter.Push(t.Context(), "http://ops:hunter22@"+address, figures())
	if err == nil || err.Error() != "push to the Pushgateway at "+address+": dial tcp "+address+": connect: connection refused" {
		t.Errorf("error %v", err)
	}
	for _, address := range []string{"", "http://", "http://%zz:hunter22@x", "ftp://ops:hunter22@127.0.0.1/"} {
		if err := exporter.Push(t.Context(), address, figures()); err == nil || strings.Contains(err.Error(), "hunter22") {
			t.Errorf("%q: error %v", address, err)
		}
	}
}

package web

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/dashboard"
)

func TestLimitsOfTheServer(t *testing.T) {
	h := newTestServer(t).server.httpServer()
	for name, row := range map[string][2]time.Duration{
		"ReadHeaderTimeout": {h.ReadHeaderTimeout, 5 * time.Second},
		"ReadTimeout":       {h.ReadTimeout, 10 * time.Second},
		"WriteTimeout":      {h.WriteTimeout, 30 * time.Second},
		"IdleTimeout":       {h.IdleTimeout, time.Minute},
	} {
		if row[0] != row[1] {
			t.Errorf("%s is %s, not %s", name, row[0], row[1])
		}
	}
	if h.MaxHeaderBytes != 16<<10 {
		t.Errorf("MaxHeaderBytes is %d", h.MaxHeaderBytes)
	}
}

func TestLargeHeadersAreRefused(t *testing.T) {
	s := newTestServer(t, withToken)
	for name, change := range map[string]func(*http.Request){
		"header":  header("X-Large", strings.Repeat("x", 24<<10)),
		"cookie":  header("Cookie", s.cookieName()+"="+strings.Repeat("A", 24<<10)),
		"address": func(r *http.Request) { r.URL.RawQuery = "q=" + strings.Repeat("x", 24<<10) },
	} {
		if got := s.get("/services", change); got.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
			t.Errorf("%s: %d", name, got.StatusCode)
		}
	}
	wantReply(t, newTestServer(t).get("/services?after="+strings.Repeat("x", 10<<10)), http.StatusOK)
}

func TestLargeBodiesAreRefused(t *testing.T) {
	s := newTestServer(t)
	b := s.browser()
	wantReply(t, b.submit("/services/jellyfin/reset", url.Values{"x": {strings.Repeat("x", 65<<10)}}), http.StatusRequestEntityTooLarge, "64 KiB")
	wantReply(t, b.submit("/services/jellyfin/reset", url.Values{"x": {strings.Repeat("x", 60<<10)}}), http.StatusSeeOther)
	if len(s.deeds.done) != 1 {
		t.Errorf("done: %d", len(s.deeds.done))
	}
}

func TestBodiesThatAreNoForm(t *testing.T) {
	s := newTestServer(t)
	b := s.browser()
	send := func(kind, body string) reply {
		return b.askBy(b.client, http.MethodPost, "/services/jellyfin/reset", body, header("Sec-Fetch-Site", "same-origin"), header("Content-Type", kind))
	}
	for _, kind := range []string{"multipart/form-data; boundary=x", "application/json", "text/plain", "", ";"} {
		wantReply(t, send(kind, "x=x"), http.StatusUnsupportedMediaType, "Not a form")
	}
	wantReply(t, send("application/x-www-form-urlencoded", "x=%zz"), http.StatusBadRequest, "Not a form")
	wantReply(t, send("application/x-www-form-urlencoded; charset=utf-8", "x=x"), http.StatusSeeOther)
}

func TestHeadersOfEveryAnswer(t *testing.T) {
	s := newTestServer(t)
	for _, path := range append(addresses(s), "/healthz", "/login", "/assets/app.css", "/assets/nothing", "/sessions?tier=9", "/services//x") {
		if strings.HasSuffix(path, "/stream") {
			continue
		}
		got := s.get(path)
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; " +
				"base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'",
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "same-origin",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			if all := got.Header.Values(name); len(all) != 1 || all[0] != want {
				t.Errorf("%s: %s: %q", path, name, all)
			}
		}
		if got.Header.Get("Permissions-Policy") == "" {
			t.Errorf("%s has no Permissions-Policy", path)
		}
		if cache := got.Header.Get("Cache-Control"); cache != "no-store" && !strings.HasPrefix(path, "/assets/") {
			t.Errorf("%s: Cache-Control: %q", path, cache)
		}
		if got.Header.Get("Access-Control-Allow-Origin") != "" || got.Header.Get("Server") != "" {
			t.Errorf("%s says too much: %v", path, got.Header)
		}
	}
}

func TestHealthzIsOk(t *testing.T) {
	got := newTestServer(t, withToken, unavailableInstance).get("/healthz")
	if got.StatusCode != http.StatusOK || got.body != "ok\n" {
		t.Errorf("%d %q", got.StatusCode, got.body)
	}
}

func TestMetrics(t *testing.T) {
	s := newTestServer(t)
	got := s.get("/metrics")
	wantReply(t, got, http.StatusOK, "# TYPE claudeops_", "jellyfin")
	if kind := got.Header.Get("Content-Type"); kind != "text/plain; version=0.0.4; charset=utf-8" {
		t.Errorf("Content-Type: %q", kind)
	}
	s = newTestServer(t, withToken)
	wantReply(t, s.get("/metrics", header("Authorization", "Bearer "+testToken)), http.StatusOK, "# TYPE claudeops_")
}

func TestServeListensUntilItsContextEnds(t *testing.T) {
	lab := must(homelab())(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	addr, ended := make(chan string, 1), make(chan error, 1)
	o := dashboard.Options{
		Addr: "127.0.0.1:0", Config: config.Config{StateDir: lab.StateDir}, Now: func() time.Time { return testNow },
		Listening: func(at string) { addr <- at },
	}
	go func() { ended <- Serve(ctx, o) }()
	var at string
	select {
	case at = <-addr:
	case err := <-ended:
		t.Fatal(err)
	}
	r := must(http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+at+"/healthz", nil))(t)
	response, err := http.DefaultClient.Do(r)
	fine(t, err)
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("%s: %d", at, response.StatusCode)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Serve: %v", err)
	}
	if _, err := net.Dial("tcp", at); err == nil {
		t.Error("it still listens")
	}
}

func TestServeSaysWhyItCannotListen(t *testing.T) {
	taken := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer taken.Close()
	err := Serve(t.Context(), dashboard.Options{Addr: taken.Addr().String(), Now: func() time.Time { return testNow }})
	if err == nil || !strings.Contains(err.Error(), "listen for the dashboard") {
		t.Errorf("Serve: %v", err)
	}
}

func TestRequestsWithStrangeFirstLines(t *testing.T) {
	s := newTestServer(t)
	for _, line := range []string{
		"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n", "GET / HTTP/1.0\r\n", "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n",
		"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n", "GET /\x00 HTTP/1.1\r\nHost: localhost\r\n", "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n",
		"GET //evil.example/ HTTP/1.1\r\nHost: evil.example\r\n",
	} {
		c := must(net.Dial("tcp", s.http.Listener.Addr().String()))(t)
		_, err := c.Write([]byte(line + "Connection: close\r\n\r\n"))
		response, readErr := http.ReadResponse(bufio.NewReader(c), nil)
		if err := errors.Join(err, readErr); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if response.StatusCode < 400 {
			t.Errorf("%q: %d", line, response.StatusCode)
		}
		response.Body.Close()
		c.Close()
	}
}

package web

import (
	"net/http"
	"testing"

	"github.com/claudeops/claudeops/dashboard"
)

func TestHostsThatAreOurs(t *testing.T) {
	s := newTestServer(t, func(o *dashboard.Options) { o.Hosts = []string{"ops.example.org", "Box."} })
	for _, host := range []string{
		"localhost", "localhost:9000", "LOCALHOST", "localhost.", "ops.localhost:80", "127.0.0.1", "127.0.0.1:1", "127.9.9.9", "[::1]", "[::1]:80",
		"[::ffff:127.0.0.1]:80", "192.0.2.7", "[2001:db8::1]:80", "ops.example.org", "OPS.example.ORG.:443", "box", "box:8080",
	} {
		if got := s.get("/sessions", header("Host", host)); got.StatusCode != http.StatusOK {
			t.Errorf("Host: %s: %d", host, got.StatusCode)
		}
	}
}

func TestDNSRebindingIsRefused(t *testing.T) {
	s := newTestServer(t, func(o *dashboard.Options) { o.Hosts = []string{"ops.example.org"} })
	for _, host := range []string{
		"evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", "xlocalhost", "ops.example.org.evil.example",
		"2130706433", "0x7f.1", "127.1",
	} {
		for _, path := range []string{"/", "/sessions", "/api/v1/overview", "/metrics", "/healthz", "/assets/app.css", "/login", "/nothing"} {
			got := s.get(path, header("Host", host))
			if got.StatusCode != http.StatusMisdirectedRequest {
				t.Errorf("Host: %s at %s: %d", host, path, got.StatusCode)
			}
		}
	}
	wantReply(t, s.get("/", header("Host", "evil.example")), http.StatusMisdirectedRequest, "--host NAME", "evil.example")
	wantReply(t, s.get("/", header("Host", "evil.example"), header("X-Forwarded-Host", "localhost")), http.StatusMisdirectedRequest)
}

func TestBehindAnAddressOfOthersAnyHostIsOurs(t *testing.T) {
	s := newTestServer(t, withToken, func(o *dashboard.Options) { o.Addr = "0.0.0.0:8080" })
	bearer := header("Authorization", "Bearer "+testToken)
	for _, host := range []string{"ops.example.org", "192.0.2.7:8080"} {
		wantReply(t, s.get("/sessions", bearer, header("Host", host)), http.StatusOK)
	}
}

func TestLoopbackAddress(t *testing.T) {
	for addr, want := range map[string]bool{
		"127.0.0.1:0": true, "127.8.8.8:80": true, "[::1]:80": true, "localhost:80": true, "[::ffff:127.0.0.1]:80": true,
		":80": false, "0.0.0.0:80": false, "[::]:80": false, "192.0.2.1:80": false, "example.org:80": false, "127.0.0.1": false, "": false,
		"localhost.example.org:80": false,
	} {
		if got := loopbackAddress(addr); got != want {
			t.Errorf("loopbackAddress(%q) = %v", addr, got)
		}
	}
}

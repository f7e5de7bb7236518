package probe

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/testkit/resolver"
)

// Hosts and names beyond ASCII are asked for as DNS has them.
func TestInternationalNames(t *testing.T) {
	ours := dnsmasq(t)
	resolver.Use(t, ours.Addr)
	named := func(address string) string { return strings.Replace(address, "127.0.0.1", "MÜLLER.test", 1) }
	var web *httptest.Server
	web = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(w, r, strings.ToLower(named(web.URL))+"/well", http.StatusFound)
		} else if r.Header.Get("X-Key") != "k" {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	defer web.Close()
	checks := map[string]Options{
		"http":       &HTTP{URL: named(web.URL), Redirects: 1, Headers: map[string]string{"X-Key": "k"}, Status: []StatusRange{{200, 200}}},
		"tcp":        &TCP{Address: named(ours.Addr)},
		"dns server": &DNS{Name: "www.test", Server: named(ours.Addr)},
		"dns name":   &DNS{Name: "_dmarc.müller.test", Record: "TXT", Server: ours.Addr},
		"dns answer": &DNS{Name: "müller.test", Record: "MX", Server: ours.Addr, Answer: []string{"10 mail.müller.test"}},
	}
	for name, s := range networked(t) {
		good := s.good()
		checks[name] = &Database{URL: named(good.URL)}
	}
	for name, options := range checks {
		t.Run(name, func(t *testing.T) {
			if got := attemptOnce(t, &Check{Timeout: long, Options: options}, Settings{}); got.Status != check.Healthy {
				t.Errorf("%s %q", got.Status, got.Error)
			}
		})
	}
}

func FuzzHost(f *testing.F) {
	for _, seed := range []string{"db1", "[::1]:80", "a:80", "a.", "A..", "[a:1]", "::ffff:1.2.3.4", "fe80::1%eth0", "-x", "1.2.3.4:5", "::% ", "::1%a.."} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		bare := BareHost(text)
		if !isHost(bare) {
			return
		}
		if again := BareHost(bare); again != bare {
			t.Errorf("%q is the host %q, and that is %q", text, bare, again)
		}
		if strings.HasPrefix(bare, "-") || strings.ContainsAny(bare, " /@[]$`'\";&|\x00\n") {
			t.Errorf("%q is the host %q", text, bare)
		}
	})
}

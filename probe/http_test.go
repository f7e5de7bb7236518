package probe

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/testkit/port"
	"github.com/claudeops/claudeops/testkit/servers"
)

// nginx is shared by the tests that do not stop it.
var nginx = servers.Share(&suite, func(t servers.T) *servers.NginxServer {
	return servers.Nginx(t, 9*24*time.Hour+time.Hour, `
		location = /ok { return 200 "all is well\n"; }
		location = /missing { return 404; }
		location = /broken { return 502 "bad"; }
		location = /redirect { return 302 /ok; }
		location = /loop { return 301 /loop; }
		location = /ftp { return 302 ftp://127.0.0.1/file; }
		location = /asked { return 200 "$request_method $server_protocol h=$http_host x=$http_x_probe a=$http_authorization accept=$http_accept ua=$http_user_agent"; }
		location = /private { if ($http_authorization != "Bearer right") { return 401; } return 200 "well"; }
		location = /forbidden { return 403; }
		location = /see-other { return 303 /asked; }
		location = /keep { return 307 /asked; }
		location = /drip { limit_rate 2; }
		location /uri { return 200 "uri=$request_uri;"; }
		location = /spaced { return 302 "/uri?to=a b"; }
		location = /consent {
			if ($cookie_consent = "") { add_header Set-Cookie consent=given; return 302 /consent; }
			return 200 "cookie=$http_cookie;";
		}
	`)
})

// ask makes one attempt of an http check.
func ask(t testing.TB, h HTTP, environ ...string) check.Result {
	t.Helper()
	return askWithin(t, time.Minute, h, environ...)
}

func askWithin(t testing.TB, timeout time.Duration, h HTTP, environ ...string) check.Result {
	t.Helper()
	c := newClient(Settings{Environ: environ})
	defer c.close()
	return askOf(t, c, timeout, h)
}

// askingWeb returns a function that makes an attempt with a timeout.
func askingWeb(t testing.TB, h HTTP) func(timeout time.Duration) check.Result {
	return func(timeout time.Duration) check.Result { return askWithin(t, timeout, h) }
}

func askOf(t testing.TB, c *Client, timeout time.Duration, h HTTP) check.Result {
	t.Helper()
	if h.Status == nil {
		h.Status = []StatusRange{{From: 200, To: 299}}
	}
	return attemptBy(t, c, &Check{Type: check.HTTP, Timeout: timeout, Attempts: 1, Options: &h})
}

// wantHTTP fails unless the finding is as expected; in want, * stands for anything.
func wantHTTP(t testing.TB, got check.Result, status check.Status, want string) {
	t.Helper()
	if got.Status != status || !matches(unmarked(got.Error), want) {
		t.Errorf("got %s: %s\nwant %s: %s", got.Status, got.Error, status, want)
	}
	if status == check.Healthy && got.ResponseTimeMS == nil {
		t.Error("healthy, without a time")
	}
}

func matches(text, pattern string) bool {
	return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*") + "$").MatchString(text)
}

func TestHTTPAgainstNginx(t *testing.T) {
	s := nginx(t)
	type h = HTTP
	only := func(codes ...int) (ranges []StatusRange) {
		for _, code := range codes {
			ranges = append(ranges, StatusRange{From: code, To: code})
		}
		return ranges
	}
	for _, c := range []struct {
		name   string
		check  h
		status check.Status
		want   string
	}{
		{"ok", h{URL: "/ok"}, check.Healthy, ""},
		{"not found", h{URL: "/missing"}, check.Down, "HTTP 404 from " + s.URL + "/missing"},
		{"bad gateway", h{URL: "/broken"}, check.Down, "HTTP 502 from " + s.URL + "/broken"},
		{"expected to be missing", h{URL: "/missing", Status: only(404)}, check.Healthy, ""},
		{"another status", h{URL: "/ok", Status: append(only(204), StatusRange{From: 300, To: 399})}, check.Down,
			"HTTP 200 from " + s.URL + "/ok, expected 204 or 300-399"},
		{"redirected", h{URL: "/redirect", Redirects: 5, Body: "all is well"}, check.Healthy, ""},
		{"redirect is the answer", h{URL: "/redirect", Status: only(302)}, check.Healthy, ""},
		{"redirect is not expected", h{URL: "/redirect"}, check.Down, "HTTP 302 from " + s.URL + "/redirect to " + s.URL + "/ok"},
		{"redirect loop", h{URL: "/loop", Redirects: 5}, check.Down, "more than 5 redirects, last to " + s.URL + "/loop"},
		{"redirect out of http", h{URL: "/ftp", Redirects: 5}, check.Down,
			s.URL + "/ftp redirects to ftp://127.0.0.1/file, which is not http"},
		{"method", h{URL: "/asked", Method: "DELETE", Body: "DELETE HTTP/1.1"}, check.Healthy, ""},
		{"method after 303", h{URL: "/see-other", Method: "POST", Redirects: 1, Body: "GET HTTP/1.1"}, check.Healthy, ""},
		{"method after 307", h{URL: "/keep", Method: "PUT", Redirects: 1, Body: "PUT HTTP/1.1"}, check.Healthy, ""},
		{"header", h{URL: "/asked", Headers: map[string]string{"X-Probe": "one"}, Body: "x=one "}, check.Healthy, ""},
		{"Host header", h{URL: "/asked", Headers: map[string]string{"Host": "shop.example"}, Body: "h=shop.example "}, check.Healthy, ""},
		{"User-Agent", h{URL: "/asked", Body: "ua=claudeops/"}, check.Healthy, ""},
		{"other User-Agent", h{URL: "/asked", Headers: map[string]string{"User-Agent": "mine"}, Body: "ua=mine"}, check.Healthy, ""},
		{"Accept", h{URL: "/asked", Body: "accept=*/* "}, check.Healthy, ""},
		{"query as people write it", h{URL: `/uri?q=up{job="a b"}<ü|^`, Body: "uri=/uri?q=up%7Bjob=%22a%20b%22%7D%3C%C3%BC%7C%5E;"}, check.Healthy, ""},
		{"query as browsers write it", h{URL: "/uri?a[]=%20+%zz&b='x'", Body: "uri=/uri?a[]=%20+%zz&b='x';"}, check.Healthy, ""},
		{"redirect with a blank", h{URL: "/spaced", Redirects: 1, Body: "uri=/uri?to=a%20b;"}, check.Healthy, ""},
		{"cookie and a redirect to itself", h{URL: "/consent", Redirects: 1, Headers: map[string]string{"Cookie": "lang=de"}, Body: "cookie=lang=de; consent=given;"},
			check.Healthy, ""},
		{"no credential", h{URL: "/private"}, check.Down, "HTTP 401 from " + s.URL + "/private"},
		{"the right credential", h{URL: "/private", Headers: map[string]string{"Authorization": "Bearer right"}}, check.Healthy, ""},
		{"a wrong credential", h{URL: "/private", Headers: map[string]string{"Authorization": "Bearer wrong"}}, check.Unknown,
			"HTTP 401 from " + s.URL + "/private although the check sends a credential: give it the right one"},
		{"a wrong user", h{URL: strings.Replace(s.URL, "://", "://probe:wrong@", 1) + "/private"}, check.Unknown, "HTTP 401 from *"},
		{"a key that is not permitted", h{URL: "/forbidden", Headers: map[string]string{"X-Api-Key": "k"}}, check.Unknown, "HTTP 403 from *"},
		{"a key in the query", h{URL: "/forbidden?api_key=k"}, check.Unknown, "HTTP 403 from *"},
		{"a session", h{URL: "/forbidden", Headers: map[string]string{"Cookie": "sid=k"}}, check.Unknown, "HTTP 403 from *"},
		{"what is no credential", h{URL: "/forbidden?lang=de", Headers: map[string]string{"X-Lang": "de"}}, check.Down, "HTTP 403 from *"},
		{"a refusal that is expected", h{URL: "/forbidden", Headers: map[string]string{"X-Api-Key": "k"}, Status: only(403)}, check.Healthy, ""},
		{"a fault of the server", h{URL: "/broken", Headers: map[string]string{"X-Api-Key": "k"}}, check.Down, "HTTP 502 from *"},
		{"regular expression", h{URL: "/ok", BodyRegex: regexp.MustCompile(`is\s+well$|^nothing`)}, check.Down,
			"HTTP 200 from " + s.URL + `/ok, but its body does not match is\s+well$|^nothing (12 B)`},
		{"regular expression that matches", h{URL: "/ok", BodyRegex: regexp.MustCompile(`(?m)well$`)}, check.Healthy, ""},
		{"text", h{URL: "/ok", Body: "all is lost"}, check.Down, "HTTP 200 from " + s.URL + `/ok, but "all is lost" is not in its body (12 B)`},
		{"no body", h{URL: "/ok", Method: "HEAD", Body: "all"}, check.Down, "HTTP 200 from " + s.URL + `/ok, but "all" is not in its body (0 B)`},
		{"fragment", h{URL: "/ok#top"}, check.Healthy, ""},
		{"plain HTTP to TLS", h{URL: strings.Replace(s.TLSURL, "https", "http", 1) + "/ok"}, check.Down, "HTTP 400 from *"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.HasPrefix(c.check.URL, "/") {
				c.check.URL = s.URL + c.check.URL
			}
			wantHTTP(t, ask(t, c.check), c.status, c.want)
		})
	}
}

// A check of a server that fails in several ways, and recovers.
func TestHTTPWhenNginxIsBroken(t *testing.T) {
	s := servers.Nginx(t, time.Hour, `location = /ok { return 200; }`)
	address := strings.TrimPrefix(s.URL, "http://")
	wantHTTP(t, ask(t, HTTP{URL: s.URL + "/ok"}), check.Healthy, "")
	s.Pause()
	wantLate(t, askingWeb(t, HTTP{URL: s.URL + "/ok"}), "connected to "+address+", but no answer within TIME")
	wantLate(t, askingWeb(t, HTTP{URL: s.TLSURL + "/ok"}),
		"connected to "+strings.TrimPrefix(s.TLSURL, "https://")+", but no TLS session within TIME")
	s.Stop()
	wantHTTP(t, ask(t, HTTP{URL: s.URL + "/ok"}), check.Down, "connection refused by "+address)
	s.Start()
	wantHTTP(t, ask(t, HTTP{URL: s.URL + "/ok"}), check.Healthy, "")
}

func TestHTTPWithTLS(t *testing.T) {
	s := nginx(t)
	conn, err := tls.Dial("tcp", strings.TrimPrefix(s.TLSURL, "https://"), &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		t.Fatal(err)
	}
	ends := conn.ConnectionState().PeerCertificates[0].NotAfter // it was created before, perhaps yesterday
	_ = conn.Close()
	for _, c := range []struct {
		name   string
		check  HTTP
		status check.Status
		want   string
	}{
		{"trusted authority", HTTP{CA: s.Authority.File}, check.Healthy, ""},
		{"HTTP/2", HTTP{CA: s.Authority.File, Body: "HTTP/2.0"}, check.Healthy, ""},
		{"not trusted", HTTP{}, check.Down, "the certificate of 127.0.0.1 is not signed by an authority that is trusted here (CN=Test Authority)"},
		{"whoever it is", HTTP{Insecure: true}, check.Healthy, ""},
		{"long enough", HTTP{CA: s.Authority.File, CertificateDays: 9}, check.Healthy, ""},
		{"ends soon", HTTP{CA: s.Authority.File, CertificateDays: 14}, check.Degraded,
			"certificate of 127.0.0.1 ends in 9 days (" + day(ends) + "), sooner than 14 days"},
		{"ends soon, whoever it is", HTTP{Insecure: true, CertificateDays: 14}, check.Degraded, "certificate of 127.0.0.1 ends in 9 days *"},
		{"down counts more", HTTP{CA: s.Authority.File, CertificateDays: 14, Body: "lost"}, check.Down, "HTTP 200 from *"},
		{"no CA file", HTTP{CA: "/nowhere/ca.pem"}, check.Unknown,
			"the check's ca file /nowhere/ca.pem cannot be read: no such file or directory"},
		{"no CA in the file", HTTP{CA: "/dev/null"}, check.Unknown,
			"the check's ca file /dev/null has no certificate in it (PEM is expected)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.check.URL = s.TLSURL + "/asked"
			wantHTTP(t, ask(t, c.check), c.status, c.want)
		})
	}
}

// tlsServer starts a server with a certificate.
func tlsServer(t *testing.T, cert tls.Certificate, change func(*tls.Config)) (url string) {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{cert}}
	if change != nil {
		change(s.TLS)
	}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL
}

func TestHTTPWithBadCertificates(t *testing.T) {
	a := servers.NewAuthority(t)
	now := time.Now()
	const days = 24 * time.Hour
	good := a.Issue(now.Add(-days), now.Add(100*days), "127.0.0.1")
	for _, c := range []struct {
		name   string
		url    string
		status check.Status
		want   string
	}{
		{"good", tlsServer(t, good, nil), check.Healthy, ""},
		{"expired", tlsServer(t, a.Issue(now.Add(-30*days), now.Add(-3*days-time.Hour), "127.0.0.1"), nil), check.Down,
			"the certificate of 127.0.0.1 ended 3 days ago (" + day(now.Add(-3*days-time.Hour)) + ")"},
		{"not yet valid", tlsServer(t, a.Issue(now.Add(days), now.Add(3*days), "127.0.0.1"), nil), check.Down,
			"the certificate of 127.0.0.1 is not valid before " + now.Add(days).UTC().Format("2006-01-02 15:04 UTC")},
		{"another name", tlsServer(t, a.Issue(now.Add(-days), now.Add(days), "example.org", "10.0.0.1"), nil), check.Down,
			"the certificate of 127.0.0.1 is for another name: example.org, 10.0.0.1"},
		{"within hours", tlsServer(t, a.Issue(now.Add(-days), now.Add(5*time.Hour+29*time.Minute), "127.0.0.1"), nil), check.Degraded,
			"certificate of 127.0.0.1 ends in 5 h (*), sooner than 14 days"},
		{"asks for a client's", tlsServer(t, good, func(c *tls.Config) { c.ClientAuth = tls.RequireAnyClientCert }), check.Unknown,
			"127.0.0.1 refuses TLS with us: certificate required (it asks for a client's certificate, which checks do not have)"},
		{"old TLS", tlsServer(t, good, func(c *tls.Config) { c.MinVersion, c.MaxVersion = tls.VersionTLS10, tls.VersionTLS11 }), check.Down,
			"127.0.0.1 refuses TLS with us: protocol version not supported"},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantHTTP(t, ask(t, HTTP{URL: c.url, CA: a.File, CertificateDays: 14}), c.status, c.want)
		})
	}
}

// raw starts a server that calls serve for each connection.
func raw(t testing.TB, serve func(net.Conn)) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { l.Close(); <-done })
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() { defer conn.Close(); serve(conn) }()
		}
	}()
	return l.Addr().String()
}

// says answers each request with a text and hangs up.
func says(text string) func(net.Conn) {
	return func(conn net.Conn) {
		_, _ = http.ReadRequest(bufio.NewReader(conn))
		_, _ = io.WriteString(conn, text)
	}
}

func untilClosed(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }

func TestHTTPFromBadServers(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\n"
	for _, c := range []struct {
		name  string
		serve func(net.Conn)
		check HTTP
		want  string
	}{
		{"says nothing", untilClosed, HTTP{}, "connected to ADDR, but no answer within TIME"},
		{"hangs up", says(""), HTTP{}, "ADDR closed the connection without an answer"},
		{"resets", func(conn net.Conn) {
			_, _ = http.ReadRequest(bufio.NewReader(conn))
			_ = conn.(*net.TCPConn).SetLinger(0)
		}, HTTP{}, "connection reset by ADDR"},
		{"is no web server", says("SSH-2.0-OpenSSH_9.2\r\n"), HTTP{}, "ADDR answered what is not HTTP"},
		{"speaks TLS", says("\x15\x03\x01\x00\x02\x02\x0a"), HTTP{}, "ADDR speaks TLS, not plain HTTP"},
		{"sends garbage", says("\x00\x01\x02\xff\xfe\x1b[31m\r\n\r\n"), HTTP{}, "ADDR answered what is not HTTP"},
		{"half a header", says(ok + "Content-"), HTTP{}, "ADDR answered what is not HTTP"},
		{"headers without end", func(conn net.Conn) {
			go untilClosed(conn)
			_, err := io.WriteString(conn, ok)
			for n := 0; err == nil; n++ {
				_, err = fmt.Fprintf(conn, "X-%d: %s\r\n", n, strings.Repeat("x", 1000))
			}
		}, HTTP{}, "ADDR answered with more than 256 KiB of headers"},
		{"body too short", says(ok + "Content-Length: 10\r\n\r\nabc"), HTTP{Body: "x"},
			"HTTP 200 from http://ADDR/, but its body ended too early, after 3 B"},
		{"no gzip", says(ok + "Content-Encoding: gzip\r\n\r\nplain text that is not compressed"), HTTP{Body: "x"},
			"HTTP 200 from http://ADDR/, but its body is not compressed as its Content-Encoding says"},
		{"an empty gzip", says(ok + "Content-Encoding: gzip\r\n\r\n"), HTTP{Body: "x"}, `HTTP 200 from http://ADDR/, but "x" is not in its body (0 B)`},
		{"body that stalls", func(conn net.Conn) {
			says(ok + "Content-Length: 10\r\n\r\nabc")(conn)
			untilClosed(conn)
		}, HTTP{Body: "x"}, "HTTP 200 from http://ADDR/, but its body was not complete within TIME (3 B came)"},
		{"redirect to nonsense", says("HTTP/1.1 302 Found\r\nLocation: http://[bad\r\n\r\n"), HTTP{Redirects: 1},
			"http://ADDR/ redirects to what is no URL: http://[bad"},
		{"redirect to no host", says("HTTP/1.1 302 Found\r\nLocation: http:///x\r\n\r\n"), HTTP{Redirects: 1},
			"http://ADDR/ redirects to a URL without a host: http:///x"},
		{"redirect to a script", says("HTTP/1.1 302 Found\r\nLocation: javascript:alert(1)\r\n\r\n"), HTTP{Redirects: 1},
			"http://ADDR/ redirects to javascript:alert(1), which is not http"},
		{"redirect to itself for ever", says("HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n"), HTTP{Redirects: 3},
			"more than 3 redirects, last to /"},
	} {
		t.Run(c.name, func(t *testing.T) {
			address := raw(t, c.serve)
			c.check.URL = "http://" + address + "/"
			if want := strings.ReplaceAll(c.want, "ADDR", address); strings.Contains(want, "TIME") {
				wantLate(t, askingWeb(t, c.check), want)
			} else {
				wantHTTP(t, ask(t, c.check), check.Down, want)
			}
		})
	}
	t.Run("plain HTTP on the TLS port", func(t *testing.T) {
		address := raw(t, says("HTTP/1.1 400 Bad Request\r\n\r\n"))
		wantHTTP(t, ask(t, HTTP{URL: "https://" + address + "/"}), check.Down, "127.0.0.1 does not speak TLS on this port")
	})
}

// A body that is not searched is not waited for.
func TestHTTPDoesNotWaitForABodyThatNobodySearches(t *testing.T) {
	address := raw(t, func(conn net.Conn) {
		says("HTTP/1.1 200 OK\r\n\r\nabc")(conn)
		untilClosed(conn)
	})
	wantHTTP(t, askWithin(t, time.Minute, HTTP{URL: "http://" + address}), check.Healthy, "")
}

// The text may be at the end of what a stream has sent so far.
func TestHTTPFindsWhatAStreamHasSent(t *testing.T) {
	address := raw(t, func(conn net.Conn) {
		says("HTTP/1.1 200 OK\r\n\r\nevent: rea")(conn)
		_, _ = io.WriteString(conn, "dy")
		untilClosed(conn)
	})
	for _, h := range []HTTP{{Body: "ready"}, {BodyRegex: regexp.MustCompile("rea.y")}} {
		h.URL = "http://" + address
		wantHTTP(t, askWithin(t, time.Minute, h), check.Healthy, "")
	}
}

// A body is compared as a browser shows it, whatever was asked for.
func TestHTTPBodiesAreReadAsABrowserShowsThem(t *testing.T) {
	const text = "Grüße"
	zipped := func(text string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := io.WriteString(w, text); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	long := strings.Repeat("<!-- words -->", 500)
	for _, c := range []struct {
		name, kind, coding, body string
		status                   check.Status
	}{
		{"UTF-8", "text/html; charset=utf-8", "", text, check.Healthy},
		{"UTF-8 that comes late", "text/html", "", long + text, check.Healthy},
		{"UTF-8 with a byte order mark", "text/plain", "", "\ufeff" + text, check.Healthy},
		{"Latin 1", "text/plain; charset=ISO-8859-1", "", "Gr\xfc\xdfe", check.Healthy},
		{"Latin 1 that the page declares", "text/html", "", "<meta charset=latin1>" + long + "Gr\xfc\xdfe", check.Healthy},
		{"Latin 1 that nobody declares", "text/html", "", "Gr\xfc\xdfe", check.Healthy},
		{"UTF-16", "application/xml", "", "\xff\xfeG\x00r\x00\xfc\x00\xdf\x00e\x00", check.Healthy},
		{"gzip by its old name, in Latin 1", "text/plain; charset=latin1", "X-GZIP", zipped("Gr\xfc\xdfe"), check.Healthy},
		{"no coding at all", "text/plain", "UTF-8", text, check.Healthy},
		{"what checks cannot read", "text/plain", "br", "\x0b\x02\x80Gr", check.Unknown},
		{"another text", "text/plain", "gzip", zipped("Gruss"), check.Down},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", c.kind)
				if c.coding != "" {
					w.Header().Set("Content-Encoding", c.coding)
				}
				_, _ = io.WriteString(w, c.body)
			}))
			defer s.Close()
			for _, asked := range []map[string]string{nil, {"Accept-Encoding": "gzip, br"}} {
				for _, h := range []HTTP{{Body: text}, {BodyRegex: regexp.MustCompile(text + "$")}} {
					h.URL, h.Headers = s.URL, asked
					if got := ask(t, h); got.Status != c.status || c.status == check.Unknown && !strings.Contains(unmarked(got.Error), "encoded as br") {
						t.Errorf("asked with %v: %s %q, want %s", asked, got.Status, got.Error, c.status)
					}
				}
			}
		})
	}
}

// Of any response, only a limited part is kept, and little more is read.
func TestHTTPReadsBoundedly(t *testing.T) {
	endless := func(header string, chunk []byte) string {
		return "http://" + raw(t, func(conn net.Conn) {
			_, err := http.ReadRequest(bufio.NewReader(conn))
			if err == nil {
				_, err = io.WriteString(conn, "HTTP/1.1 200 OK\r\n"+header+"\r\n")
			}
			for sent := 0; err == nil && sent < 1<<30; sent += len(chunk) {
				_, err = conn.Write(chunk)
			}
		})
	}
	zeros := make([]byte, 64<<10)
	bomb := "http://" + raw(t, func(conn net.Conn) {
		_, err := http.ReadRequest(bufio.NewReader(conn))
		if err == nil {
			_, err = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
		}
		z := gzip.NewWriter(conn)
		for sent := 0; err == nil && sent < 1<<30; sent += len(zeros) {
			_, err = z.Write(zeros)
		}
	})
	sparse := filepath.Join(nginx(t).Root, "sparse")
	if err := errors.Join(os.WriteFile(sparse, nil, 0o644), os.Truncate(sparse, 1<<30)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		check  HTTP
		status check.Status
		want   string
	}{
		{"endless, of which nothing is asked", HTTP{URL: endless("", zeros)}, check.Healthy, ""},
		{"endless", HTTP{URL: endless("", zeros), Body: "x"}, check.Down, `HTTP 200 *, but "x" is not in its body (of which the first 1.0 MiB were read)`},
		{"endless, and a regular expression", HTTP{URL: endless("", zeros), BodyRegex: regexp.MustCompile("x+y")}, check.Down,
			`HTTP 200 *, but its body does not match x+y (of which the first 1.0 MiB were read)`},
		{"1 GB", HTTP{URL: endless("Content-Length: 1073741824\r\n", zeros), Body: "x"}, check.Down, `* is not in its body *`},
		{"found at the start", HTTP{URL: endless("", []byte("needle")), Body: "needle"}, check.Healthy, ""},
		{"gzip bomb", HTTP{URL: bomb, Body: "x"}, check.Down, `* is not in its body *`},
		{"gzip bomb, of which nothing is asked", HTTP{URL: bomb}, check.Healthy, ""},
		{"1 GB of nginx", HTTP{URL: nginx(t).URL + "/sparse", Body: "x"}, check.Down, `* is not in its body *`},
		{"1 GB of nginx with TLS", HTTP{URL: nginx(t).TLSURL + "/sparse", Body: "x", Insecure: true}, check.Down, `* is not in its body *`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			wantHTTP(t, ask(t, c.check), c.status, c.want)
			runtime.ReadMemStats(&after)
			if used, most := after.TotalAlloc-before.TotalAlloc, uint64(16<<20); used > most {
				t.Errorf("%d bytes were allocated, at most %d are meant to be", used, most)
			}
		})
	}
}

func TestHTTPHeadersFromTheEnvironment(t *testing.T) {
	s := nginx(t)
	h := HTTP{URL: s.URL + "/asked", HeadersEnv: map[string]string{"Authorization": "API_AUTH"}, Body: "a=Bearer abc "}
	wantHTTP(t, ask(t, h, "API_AUTH=Bearer abc\n"), check.Healthy, "")
	wantHTTP(t, ask(t, h, "OTHER=x"), check.Unknown, "the variable API_AUTH is not set, from which this check has its header Authorization")
	wantHTTP(t, ask(t, h, "API_AUTH=a\r\nX-Evil: b"), check.Unknown, "the variable API_AUTH has several lines, and cannot be the header Authorization")
}

func TestHTTPUserOfTheURL(t *testing.T) {
	s := nginx(t)
	url := strings.Replace(s.URL, "http://", "http://ops:p%40ss@", 1)
	wantHTTP(t, ask(t, HTTP{URL: url + "/asked", Body: "a=Basic b3BzOnBAc3M= "}), check.Healthy, "")
	wantHTTP(t, ask(t, HTTP{URL: url + "/missing"}), check.Down, "HTTP 404 from "+s.URL+"/missing")
}

// Headers for one host are not sent to another one to which a redirect leads, nor to later ones.
func TestHTTPSecretsStayWithTheirHost(t *testing.T) {
	var seen []string
	note := func(r *http.Request) {
		seen = append(seen, fmt.Sprintf("%s auth=%q env=%q token=%q plain=%q host=%t", r.URL.Path, r.Header.Get("Authorization"),
			r.Header.Get("X-Env"), r.Header.Get("X-Api-Token"), r.Header.Get("X-Plain"), r.Host == "named.example"))
	}
	var home string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		note(r)
		http.Redirect(w, r, home+"/back", http.StatusFound)
	}))
	defer other.Close()
	first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		note(r)
		switch r.URL.Path {
		case "/":
			http.Redirect(w, r, home+"/same", http.StatusFound)
		case "/same":
			http.Redirect(w, r, other.URL+"/other", http.StatusFound)
		}
	}))
	defer first.Close()
	home = first.URL
	finding := ask(t, HTTP{
		URL: home, Redirects: 5, HeadersEnv: map[string]string{"X-Env": "E"},
		Headers: map[string]string{"Authorization": "secret", "X-Api-Token": "t", "X-Plain": "p", "Host": "named.example"},
	}, "E=env")
	wantHTTP(t, finding, check.Healthy, "")
	want := []string{
		`/ auth="secret" env="env" token="t" plain="p" host=true`,
		`/same auth="secret" env="env" token="t" plain="p" host=true`,
		`/other auth="" env="" token="" plain="" host=false`,
		`/back auth="" env="" token="" plain="" host=false`,
	}
	if strings.Join(seen, "\n") != strings.Join(want, "\n") {
		t.Errorf("seen:\n%s\nwant:\n%s", strings.Join(seen, "\n"), strings.Join(want, "\n"))
	}
}

// A check that changes something on its own host does not do so on another that a redirect names.
func TestHTTPRedirectsToOtherHostsOnlyRead(t *testing.T) {
	var other string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/abroad" {
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "x"})
			http.Redirect(w, r, other+"/abroad", http.StatusTemporaryRedirect)
			return
		}
		_, _ = fmt.Fprintf(w, "%s %q %q %q", r.Method, r.Header["X-Shop"], r.Header["Cookie"], r.Header["Accept"])
	}))
	defer s.Close()
	other = strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
	for method, want := range map[string]string{"": "", "GET": "", "HEAD": "", "DELETE": "not followed", "POST": "not followed"} {
		h := HTTP{URL: s.URL, Method: method, Redirects: 3, Headers: map[string]string{"X-Shop": "plain", "Accept": "text/plain"}}
		if method != "HEAD" {
			h.Body = `GET [] [] ["text/plain"]`
		}
		if want == "" {
			wantHTTP(t, ask(t, h), check.Healthy, "")
			continue
		}
		wantHTTP(t, ask(t, h), check.Down, s.URL+" redirects a "+method+" to another host, "+strings.TrimPrefix(other, "http://")+", which is not followed")
	}
}

// Reading a body ends with the attempt, and so does searching it; what is not searched again is not kept.
func TestHTTPBodiesAreSearchedInBoundedTimeAndMemory(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	given := 0
	body := reader(func(p []byte) (int, error) {
		if given += len(p); given > 8<<10 {
			cancel()
		}
		for i := range p {
			p[i] = 'x'
		}
		return len(p), nil
	})
	slow := regexp.MustCompile(`(x{0,31}y?){0,31}z$`)
	fault, _ := searchBody(ctx, body, &HTTP{BodyRegex: slow}, time.Second)
	if fault == "" || given > maxEarly+64<<10 {
		t.Errorf("%d KiB were read, and found %q, after the attempt had ended", given>>10, fault)
	}

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	given = 0
	for want, h := range map[string]HTTP{
		`"zzzz" is not in its body (of which the first 1.0 MiB were read)`:   {Body: "zzzz"},
		"its body does not match z+y (of which the first 1.0 MiB were read)": {BodyRegex: regexp.MustCompile("z+y")},
		`"y" is not in its body (of which the first 1.0 MiB were read)`:      {Body: "y", BodyRegex: regexp.MustCompile("xx")},
		"its body does not match ^y (64 KiB)":                                {Body: "x", BodyRegex: regexp.MustCompile("^y")},
		"":                                                                   {Body: "xxx", BodyRegex: regexp.MustCompile("^x+$")},
	} {
		if fault, _ := searchBody(t.Context(), body, &h, time.Second); fault != want {
			t.Errorf("found %q, want %q", fault, want)
		}
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 2<<20 {
		t.Errorf("%d KiB were allocated", grown>>10)
	}
}

type reader func([]byte) (int, error)

func (r reader) Read(p []byte) (int, error) { return r(p) }

// If the end matters, a partial body is not searched, and a text is found across the pieces in which it arrives.
func TestHTTPBodiesAreSearchedAsAWhole(t *testing.T) {
	for _, c := range []struct {
		pieces []string
		want   HTTP
		fault  string
	}{
		{[]string{"ok", " or not"}, HTTP{BodyRegex: regexp.MustCompile("ok$")}, "its body does not match ok$ (9 B)"},
		{[]string{"not", " ok"}, HTTP{BodyRegex: regexp.MustCompile("ok$")}, ""},
		{[]string{"brok", "en"}, HTTP{BodyRegex: regexp.MustCompile(`rok\b`)}, `its body does not match rok\b (6 B)`},
		{[]string{"al", "l is", " we", "ll"}, HTTP{Body: "all is well"}, ""},
		{[]string{"all", " is well"}, HTTP{Body: "well", BodyRegex: regexp.MustCompile("^all")}, ""},
		{[]string{"a", "", "ll"}, HTTP{Body: "l", BodyRegex: regexp.MustCompile("ll")}, ""},
	} {
		left := c.pieces
		body := reader(func(p []byte) (int, error) {
			if len(left) == 0 {
				return 0, io.EOF
			}
			n := copy(p, left[0])
			left = left[1:]
			return n, nil
		})
		if fault, _ := searchBody(t.Context(), body, &c.want, time.Second); fault != c.fault {
			t.Errorf("%q: found %q, want %q", c.pieces, fault, c.fault)
		}
	}
}

func TestHTTPThroughAProxy(t *testing.T) {
	var asked atomic.Value
	p := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.Method + " " + r.RequestURI)
		if r.Method == http.MethodConnect || r.URL.Path == "/refused" {
			w.WriteHeader(http.StatusProxyAuthRequired)
		}
	}))
	defer p.Close()
	address := strings.TrimPrefix(p.URL, "http://")
	wantHTTP(t, ask(t, HTTP{URL: "http://app.example/x", Proxy: "environment"}, "http_proxy="+p.URL), check.Healthy, "")
	if got := asked.Load(); got != "GET http://app.example/x" {
		t.Errorf("the proxy was asked %q", got)
	}
	wantHTTP(t, ask(t, HTTP{URL: "https://app.example/", Proxy: "environment"}, "HTTPS_PROXY=http://u:hunter2@"+address), check.Unknown,
		"the proxy "+address+" does not connect us: HTTP 407")
	wantHTTP(t, ask(t, HTTP{URL: "http://app.example/refused", Proxy: p.URL}), check.Unknown, "the proxy "+address+" does not connect us: HTTP 407")
	wantHTTP(t, ask(t, HTTP{URL: p.URL + "/refused"}), check.Down, "HTTP 407 from "+p.URL+"/refused") // no proxy says so
	wantHTTP(t, ask(t, HTTP{URL: "http://app.example/", Proxy: "http://" + port.Keep(t)}), check.Unknown,
		"connection refused by 127.0.0.1:* (the proxy)")
	wantHTTP(t, ask(t, HTTP{URL: nginx(t).URL + "/ok"}, "http_proxy=http://127.0.0.1:1"), check.Healthy, "") // nobody has asked for it
}

func TestHTTPNamesThatAreNotFound(t *testing.T) {
	got := ask(t, HTTP{URL: "http://nowhere.invalid/"})
	if got.Status != check.Down || !strings.Contains(got.Error, "nowhere.invalid") || strings.Contains(got.Error, "lookup") {
		t.Errorf("got %+v", got)
	}
}

// Each check has a connection of its own, and none remains.
func TestHTTPChecksHaveTheirOwnConnections(t *testing.T) {
	for _, tls := range []bool{false, true} {
		open, closed := make(chan struct{}, 10), make(chan struct{}, 10)
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") }))
		s.EnableHTTP2 = true
		s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew:
				open <- struct{}{}
			case http.StateClosed:
				closed <- struct{}{}
			}
		}
		start := s.Start
		if tls {
			start = s.StartTLS
		}
		start()
		for _, body := range []string{"", "ok"} {
			wantHTTP(t, ask(t, HTTP{URL: s.URL, Body: body, Insecure: true}), check.Healthy, "")
			<-open
			<-closed
		}
		s.Close()
	}
}

// A dial that is not finished in time does not continue in the background.
func TestHTTPDialsEndWithTheirAttempt(t *testing.T) {
	before := runtime.NumGoroutine()
	silent := raw(t, untilClosed)
	for range 20 {
		wantLate(t, func(timeout time.Duration) check.Result {
			return askWithin(t, timeout/6, HTTP{URL: "https://" + silent})
		}, "connected to * within *")
	}
	wantGoroutines(t, before+2) // the server's own
}

// Checks that hang delay no others, and end with the run.
func TestHTTPServersThatHangDelayNoOthers(t *testing.T) {
	s := nginx(t)
	service := func(name, url string) Service {
		service := Service{Name: name}
		for range 50 {
			service.Checks = append(service.Checks, Check{Type: check.HTTP, Timeout: time.Hour, Attempts: 1, Options: &HTTP{
				URL: url, Status: []StatusRange{{From: 200, To: 299}}, Headers: map[string]string{"Host": "localhost"},
			}})
		}
		return service
	}
	silent := strings.Replace(raw(t, untilClosed), "127.0.0.1", "localhost", 1) // another host than nginx's
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	good := 0
	report := Run(ctx, []Service{service("silent", "http://"+silent), service("good", s.URL+"/ok")}, Settings{},
		Bounds{}, func(check.Result) {
			if good++; good == 50 {
				cancel()
			}
		})
	if worst := check.Worst(report); worst["good"] != check.Healthy || worst["silent"] != check.Unknown || report[0].Error != check.NoTime {
		t.Errorf("results: %+v", report)
	}
}

// Secrets that a server repeats do not reach the result.
func TestHTTPServersCannotTellSecrets(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "/"+r.Header.Get("X-Api-Key")+"?q="+r.Header.Get("Authorization"))
		w.WriteHeader(http.StatusFound)
	}))
	defer s.Close()
	services := []Service{{Name: "web", Checks: []Check{{
		Type: check.HTTP, Timeout: time.Minute, Attempts: 1, Options: &HTTP{
			URL:    strings.Replace(s.URL, "http://", "http://ops:hunter2hunter2@", 1) + "/?token=t0k3nt0k3n",
			Status: []StatusRange{{From: 200, To: 299}}, HeadersEnv: map[string]string{"X-Api-Key": "KEY"},
		},
	}}}}
	report := Run(t.Context(), services, Settings{Environ: []string{"KEY=s3cr3ts3cr3t"}}, Bounds{}, nil)
	wantHTTP(t, check.Result{Status: report[0].Status, Error: report[0].Error}, check.Down,
		"HTTP 302 from "+s.URL+"/?token=*** to /***?q=Basic ***")
}

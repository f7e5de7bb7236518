package notify

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/receiver"
)

const secret = "sesame-open"

// stateless returns settings that send a URL to the receiver's API.
func stateless(r *receiver.Receiver) Settings {
	return Settings{APIURL: r.URL, URLs: []string{"json://me:" + secret + "@127.0.0.1:9/x"}, Version: "1.2.3"}
}

func sendBy(ctx context.Context, t *testing.T, s Settings) error {
	t.Helper()
	return send(ctx, t, New(s), Message{Type: store.WarningMessage, Title: "shop_1 is down", Body: "What *was* tried:\n- `restart`"})
}

// answering returns a receiver that gives the same answer to every request.
func answering(t *testing.T, answer receiver.Answer) *receiver.Receiver {
	t.Helper()
	r := receiver.New(t)
	r.Answer(func(int, receiver.Message) receiver.Answer { return answer })
	return r
}

func TestStatelessMessageIsPostedWithItsURL(t *testing.T) {
	r := receiver.New(t)
	for _, row := range []struct{ below, query, format, body string }{
		{"", "", "markdown", "What `*was*` tried:\n\n- `restart`"},
		{"/", "?format=text", "text", "What *was* tried:\n- `restart`"},
		{"/notify/", "", "markdown", "What `*was*` tried:\n\n- `restart`"},
	} {
		s := stateless(r)
		s.APIURL = strings.Replace(r.URL, "://", "://user:pass%40word@", 1) + row.below
		s.URLs[0] += row.query
		if err := sendBy(t.Context(), t, s); err != nil {
			t.Fatal(err)
		}
		all := r.Messages()
		got := all[len(all)-1]
		user, password, _ := (&http.Request{Header: got.Header}).BasicAuth()
		if got.Path != "/notify/" || len(got.URLs) != 1 || got.URLs[0] != s.URLs[0] || got.Format != row.format || got.Type != "warning" ||
			got.Body != row.body || got.Header.Get("User-Agent") != "claudeops/1.2.3" || user != "user" || password != "pass@word" {
			t.Errorf("%+v: %+v", row, got)
		}
	}
}

func TestStoredConfigurationIsNamedByKeyAndTags(t *testing.T) {
	r := receiver.New(t)
	r.Store("the-key", "ops")
	s := Settings{APIURL: r.URL, Key: "the-key", Tags: "ops"}
	if err := sendBy(t.Context(), t, s); err != nil {
		t.Fatal(err)
	}
	if got := r.Messages()[0]; got.Path != "/notify/the-key" || got.Tag != "ops" || got.Title != "`shop_1` is down" {
		t.Errorf("%+v", got)
	}
	s.Tags = "night"
	wantSendError(t, sendBy(t.Context(), t, s), r.URL+" answered 204", "nothing stored under that key or tag")
	if len(r.Messages()) != 2 {
		t.Errorf("%d messages; want no second attempt", len(r.Messages()))
	}
}

func TestUnusableURLIsAFailure(t *testing.T) {
	r := receiver.New(t)
	s := stateless(r)
	s.URLs = []string{"nosuch://" + secret}
	wantSendError(t, sendBy(t.Context(), t, s), "answered 204", "nothing of the target's URL")
}

func TestAFailureSaysWhy(t *testing.T) {
	for _, row := range []struct {
		answer receiver.Answer
		parts  []string
	}{
		{receiver.Answer{Status: 500, Body: "no " + secret + " here"}, []string{"answered 500: no [redacted] here"}},
		{receiver.Answer{Status: 500, Body: "{}"}, []string{"answered 500: internal server error"}},
		{receiver.Answer{Status: 502}, []string{"answered 502: bad gateway"}},
		{receiver.Answer{Status: 503, Body: "<html>"}, []string{"answered 503: service unavailable"}},
		{receiver.Answer{Status: 504}, []string{"answered 504"}},
		{receiver.Answer{Status: 429}, []string{"answered 429: too many requests"}},
		{receiver.Answer{Status: 408}, []string{"answered 408"}},
		{receiver.Answer{Status: 501}, []string{"answered 501"}},
		{receiver.Answer{Status: 400, Body: `{"error":"bad format"}`}, []string{"answered 400: bad format"}},
		{receiver.Answer{Status: 413}, []string{"answered 413"}},
		{receiver.Answer{Status: 422}, []string{"answered 422"}},
		{receiver.Answer{Status: 401}, []string{"answered 401", "user and password"}},
		{receiver.Answer{Status: 404}, []string{"answered 404", "no Apprise API at this address"}},
		{receiver.Undelivered(), []string{"answered 424", "could not bring it to the service (One or more"}},
		{receiver.Undelivered("Failed to send Telegram notification to " + secret + ": can't parse, error=400."),
			[]string{"answered 424", "could not bring it to the service (Failed to send Telegram notification to [redacted]: can't parse, error=400.)"}},
		{receiver.Undelivered("A Connection error occurred sending JSON notification to h."), []string{"answered 424", "(A Connection error"}},
		{receiver.Undelivered("Failed to send x: error=503."), []string{"answered 424", "error=503"}},
		{receiver.Answer{Status: 200, Body: `{"error":"it broke\nin ` + secret + `"}`}, []string{"answered 200, and that it failed: it broke in [redacted]"}},
		{receiver.Answer{Status: 200, Body: `{"error":"at once","details":"`, Endless: true}, []string{"that it failed: at once"}},
		{receiver.Answer{Raw: raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"error\":\"cut\",\"d")}, []string{"that it failed: cut"}},
		{receiver.Answer{Status: 200, Header: page, Body: "<html>"}, []string{"with a page"}},
		{receiver.Answer{Status: 200, Header: page, Endless: true}, []string{"with a page"}},
		{receiver.Answer{Close: true}, []string{"gave no answer: EOF"}},
		{receiver.Answer{Raw: raw("220 mail.example ESMTP\r\n")}, []string{"gave no answer: "}},
		{receiver.Answer{Raw: endlessHeader}, []string{"gave no answer: "}},
	} {
		t.Run(row.parts[0], func(t *testing.T) {
			t.Parallel()
			r := answering(t, row.answer)
			wantSendError(t, sendBy(t.Context(), t, stateless(r)), append(row.parts, r.URL+" ")...)
			if got := len(r.Messages()); got != 1 {
				t.Errorf("%d attempts; want one", got)
			}
		})
	}
}

var page = http.Header{"Content-Type": {"text/html"}}

func raw(text string) func(net.Conn) {
	return func(c net.Conn) { _, _ = io.WriteString(c, text) }
}

func endlessHeader(c net.Conn) {
	_, err := io.WriteString(c, "HTTP/1.1 200 OK\r\n")
	for i := 0; err == nil; i++ {
		_, err = fmt.Fprintf(c, "X-%d: %s\r\n", i, strings.Repeat("x", 1000))
	}
}

func TestAnswersThatAreSuccess(t *testing.T) {
	for _, answer := range []receiver.Answer{
		{Status: 200}, {Status: 200, Body: `{"error":null,"details":[]}`}, {Status: 200, Body: `{"error":"","success":true,"status":"ok"}`},
		{Status: 202, Body: "queued"},
		{Status: 200, Endless: true},
		{Status: 200, Body: `{"error":null,"details":"`, Endless: true},
		{Raw: raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")},
		{Raw: raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno chunk")},
	} {
		r := answering(t, answer)
		if err := sendBy(t.Context(), t, stateless(r)); err != nil {
			t.Errorf("%+v: %v", answer, err)
		}
		if got := len(r.Messages()); got != 1 {
			t.Errorf("%+v: sent %d times; want once", answer, got)
		}
	}
}

func TestRedirectIsNotFollowed(t *testing.T) {
	elsewhere := receiver.New(t)
	for _, status := range []int{301, 302, 303, 307, 308} {
		r := answering(t, receiver.Answer{
			Status: status, Redirect: strings.Replace(elsewhere.URL, "://", "://u:"+secret+"@", 1) + "/notify/?q=" + secret,
		})
		wantSendError(t, sendBy(t.Context(), t, stateless(r)),
			fmt.Sprintf("answered %d, to %s: name that in CLAUDEOPS_APPRISE_API_URL", status, elsewhere.URL))
		if len(r.Messages()) != 1 {
			t.Errorf("%d attempts; want one", len(r.Messages()))
		}
	}
	if got := elsewhere.Messages(); len(got) != 0 {
		t.Errorf("the other server got %+v", got)
	}
}

func TestASendEndsWithItsTime(t *testing.T) {
	r := receiver.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r.Answer(func(int, receiver.Message) receiver.Answer {
		cancel() // the time limit is reached
		return receiver.Answer{Hang: true}
	})
	wantSendError(t, sendBy(ctx, t, stateless(r)), "gave no answer in the time that was left")
	if got := len(r.Messages()); got != 1 {
		t.Errorf("sent %d times; want once", got)
	}
}

func TestServerThatIsNotThereIsSaidSo(t *testing.T) {
	r := receiver.New(t)
	r.Down()
	s := stateless(r)
	s.APIURL = strings.Replace(s.APIURL, "://", "://me:"+secret+"@", 1)
	wantSendError(t, sendBy(t.Context(), t, s), r.URL+" gave no answer: connection refused")
	s.APIURL = "http://name.invalid:8000"
	wantSendError(t, sendBy(t.Context(), t, s), "http://name.invalid:8000 gave no answer: ")
	s.APIURL = "127.0.0.1:8000/" + secret
	wantSendError(t, sendBy(t.Context(), t, s), "not an http or https URL")
}

func TestWrongTLSIsSaidSo(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a request came through") }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	r := receiver.New(t)
	s := stateless(r)
	s.APIURL = server.URL
	wantSendError(t, sendBy(t.Context(), t, s), server.URL+" gave no answer: x509: certificate signed by unknown authority")
	s.APIURL = strings.Replace(r.URL, "http://", "https://", 1)
	wantSendError(t, sendBy(t.Context(), t, s), "server gave HTTP response to HTTPS client")
	if len(r.Messages())+len(r.Faults()) != 0 {
		t.Error("something was sent without TLS")
	}
}

func TestProxyIsTheOperators(t *testing.T) {
	var asked string
	proxy := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) { asked = request.URL.String() }))
	defer proxy.Close()
	s := Settings{APIURL: "http://apprise.example:8000", URLs: []string{"json://h/x"}, Environ: []string{"http_proxy=" + proxy.URL}}
	if err := sendBy(t.Context(), t, s); err != nil || asked != "http://apprise.example:8000/notify/" {
		t.Errorf("%v, the proxy was asked for %q", err, asked)
	}
	s.Environ = []string{"http_proxy=http://me:" + secret + "@127.0.0.1:1"}
	wantSendError(t, sendBy(t.Context(), t, s), "gave no answer: ")
}

func TestWithoutAServerTheProgramSends(t *testing.T) {
	s := Settings{URLs: []string{"json://127.0.0.1:1/x"}, Environ: []string{"PATH=" + t.TempDir()}}
	wantSendError(t, sendBy(t.Context(), t, s), "apprise is not installed")
}

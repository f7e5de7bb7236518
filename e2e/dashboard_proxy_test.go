package e2e

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/security"
	"github.com/chromedp/chromedp"

	"github.com/claudeops/claudeops/testkit/servers"
)

// A restart is a proxy in front of a dashboard that restarts: the stream is cut, and the proxy answers a number of requests itself.
type restart struct {
	sync.Mutex
	cut     context.CancelFunc
	answers int
}

func (r *restart) stream(parent context.Context) (ctx context.Context, answered bool) {
	r.Lock()
	defer r.Unlock()
	if r.answers > 0 {
		r.answers--
		return nil, true
	}
	ctx, r.cut = context.WithCancel(parent)
	return ctx, false
}

func (r *restart) begin(answers int) {
	r.Lock()
	defer r.Unlock()
	r.answers = answers
	r.cut()
}

// Browsers never reconnect after an answer that is not a stream. The page does, and shows each line once.
func TestDashboardALogIsFollowedThroughARestartBehindAProxy(t *testing.T) {
	w, lab := homelab(t)
	s := w.serve("--env-file", lab.EnvFile)
	target, err := url.Parse(s.url)
	must(t, err)
	anew := &restart{}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.FlushInterval = -1
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/log/stream") {
			ctx, answered := anew.stream(r.Context())
			if answered {
				http.Error(rw, "bad gateway", http.StatusBadGateway)
				return
			}
			r = r.WithContext(ctx)
		}
		defer func() { _ = recover() }() // the end of a cut answer, according to the proxy
		proxy.ServeHTTP(rw, r)
	}))
	t.Cleanup(front.Close)
	b := newTab(t, front.URL, desktop)
	b.open("/")
	b.click(`main .tiers a`)
	b.until("the first lines", `document.querySelectorAll('.log .l').length > 5`)
	b.until("a live log", `document.querySelector('.log .pulse').innerText === 'live'`)
	must(t, lab.Say("the word before"))
	b.until("it", `document.querySelector('.log .lines').innerText.includes('the word before')`)

	b.noFaults("before the restart")
	b.expects("502")
	b.expects("net::ERR_")
	anew.begin(2)
	must(t, lab.Say("the word meanwhile"))
	b.until("what was said meanwhile", `document.querySelector('.log .lines').innerText.includes('the word meanwhile')`)
	must(t, lab.Say("the word after"))
	b.until("what was said after", `document.querySelector('.log .lines').innerText.includes('the word after')`)
	for _, words := range []string{"the word before", "the word meanwhile", "the word after"} {
		if n := eval[int](b, `document.querySelector('.log .lines').innerText.split(`+"`"+words+"`"+`).length - 1`); n != 1 {
			t.Errorf("%q is there %d times, want once", words, n)
		}
	}
}

// The nginx configuration of docs/dashboard.md, with TLS: login under its name, secure cookies, a submitted form, and a log that is
// streamed without buffering.
func TestDashboardBehindNginxAsDocumented(t *testing.T) {
	w, lab := homelab(t)
	w.env["CLAUDEOPS_DASHBOARD_TOKEN"] = token
	s := w.serve("--env-file", lab.EnvFile, "--host", publicName)
	front := servers.Nginx(t, time.Hour, documentedLocation(t, s.url))
	b := newTab(t, strings.Replace(front.TLSURL, "127.0.0.1", publicName, 1), phone)
	b.do("trust the certificate", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, security.SetIgnoreCertificateErrors, security.SetIgnoreCertificateErrorsParams{Ignore: true})
		return err
	}))
	b.open("/")
	b.at("/login?next=%2F")
	b.logIn(token)
	b.at("/")
	var cookies []*network.Cookie
	b.do("list the cookies", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		answer, err := cdp.Call(ctx, t, network.GetCookies, network.GetCookiesParams{})
		if err == nil {
			cookies = answer.Cookies
		}
		return err
	}))
	for _, cookie := range cookies {
		if !cookie.Secure || !cookie.HTTPOnly {
			t.Errorf("the cookie %s: Secure is %t, HttpOnly %t", cookie.Name, cookie.Secure, cookie.HTTPOnly)
		}
	}
	counted(t, "cookies", cookies, 1)
	b.click(`main .tiers a`)
	b.until("a live log", `document.querySelector('.log .pulse').innerText === 'live'`)
	must(t, lab.Say("the word through nginx"))
	b.until("it", `document.querySelector('.log .lines').innerText.includes('the word through nginx')`)
	b.click(`form[action="/logout"] button`)
	b.has("input[name=token]")
}

// documentedLocation returns nginx's location block in docs/dashboard.md, for the dashboard at url.
func documentedLocation(t *testing.T, url string) string {
	t.Helper()
	doc, err := os.ReadFile("../docs/dashboard.md")
	must(t, err)
	_, block, found := strings.Cut(string(doc), "\n```nginx\n")
	block, _, closed := strings.Cut(block, "\n}\n```\n")
	_, location, has := strings.Cut(block, "\tlocation / {")
	if !found || !closed || !has || !strings.Contains(block, "server_name "+publicName+";") || !strings.Contains(location, "http://127.0.0.1:8080;") {
		t.Fatalf("docs/dashboard.md has no server of nginx for %s:\n%s", publicName, block)
	}
	return "location / {" + strings.Replace(location, "http://127.0.0.1:8080", url, 1)
}

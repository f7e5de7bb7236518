package e2e

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A tab that hears nothing would pass every page, so each kind of fault is caused once.
func TestATabHearsWhatGoesWrong(t *testing.T) {
	t.Parallel()
	faults := []struct{ page, want string }{
		{`<script>1</script>`, "forbidden by the policy: script-src-elem"},
		{`<p style="color: red">red</p>`, "forbidden by the policy: style-src-attr"},
		{`<body onload="x()">`, "forbidden by the policy: script-src-attr"},
		{`<img src="http://elsewhere.example/x" alt="">`, "a request leaves: http://elsewhere.example/x"},
		{`<img src="//127.0.0.1:1/x" alt="">`, "a request leaves: http://127.0.0.1:1/x"},
		{`<script src="/missing"></script>`, "status of 404"},
		{`<script src="/cut"></script>`, "a request failed: Script"},
		{`<script src="/js/throw new Error('thrown')"></script>`, "exception: Uncaught Error: thrown"},
		{`<script src="/js/Promise.reject(new Error('rejected'))"></script>`, "rejected"},
		{`<script src="/js/console.error('an error')"></script>`, "console: \"an error\""},
		{`<script src="/js/alert(1)"></script>`, "alert was called"},
		{`<script src="/js/open('x')"></script>`, "open was called"},
		{`<script src="/js/window.__pwned = 1"></script>`, "__pwned was set"},
		{`<script src="/js/eval('1')"></script>`, "forbidden by the policy: script-src"},
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		script, isScript := strings.CutPrefix(r.URL.Path, "/js/")
		switch {
		case isScript:
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte(script))
		case r.URL.Path == "/missing":
			http.NotFound(w, r)
		case r.URL.Path == "/cut":
			panic(http.ErrAbortHandler)
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src *")
			_, _ = w.Write([]byte(`<!doctype html><html lang="en"><title>t</title>` + r.URL.Query().Get("page")))
		}
	}))
	t.Cleanup(srv.Close)
	b := newTab(t, srv.URL, phone)
	for _, fault := range faults {
		b.open("/?page=" + url.QueryEscape(fault.page))
		b.hears(fault.want)
	}
	b.open("/?page=" + url.QueryEscape(`<main><h1>Fine</h1><p>All is well.`))
	if heard, wide, broken := b.heard(), b.wide(), b.broken("{}"); len(heard)+len(wide)+len(broken) > 0 {
		t.Errorf("of a good page: %q %q %+v", heard, wide, broken)
	}
	b.open("/?page=" + url.QueryEscape(`<main><h1>Wide</h1><pre>`+strings.Repeat("wide", 500)+`</pre><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">`))
	if b.heard(); len(b.wide()) == 0 || !slices.ContainsFunc(b.broken("{}"), func(v violation) bool { return v.Rule == "image-alt" }) {
		t.Errorf("of a wide page with an image without a text: %q %+v", b.wide(), b.broken("{}"))
	}
}

// hears waits for a fault with this text.
func (b *tab) hears(want string) {
	b.t.Helper()
	var heard []string
	for end := time.Now().Add(patience); ; time.Sleep(2 * time.Millisecond) { // some are only reported after the page has loaded
		heard = append(heard, b.heard()...)
		if slices.ContainsFunc(heard, func(text string) bool { return strings.Contains(text, want) }) {
			return
		}
		if time.Now().After(end) {
			b.t.Fatalf("heard %q, want %q\n%s", heard, want, b.sight())
		}
	}
}

// A dashboard that gave up is asked until it answers, which is not a fault of the page.
func TestATabAsksAgainWhereADashboardGaveUp(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) <= 2 {
			w.WriteHeader(http.StatusGatewayTimeout)
		}
		_, _ = w.Write([]byte(`<!doctype html><html lang="en"><title>t</title><link rel="icon" href="data:image/gif;base64,R0lGODlhAQABAAAAACw="><main>an answer`))
	}))
	t.Cleanup(srv.Close)
	b := newTab(t, srv.URL, phone)
	b.open("/")
	equal(t, "it was asked", asked.Load(), 3)
}

package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/testkit/seeded"
)

var testNow = time.Date(2026, 7, 14, 9, 30, 0, 0, time.UTC)

const testToken = "correct-horse-battery-staple"

func TestMain(m *testing.M) {
	code := m.Run()
	for _, dir := range seededDirs {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

var seededDirs []string

// homelab is seeded once for all tests, which only read it.
var homelab = sync.OnceValues(func() (*seeded.Lab, error) {
	dir, err := os.MkdirTemp("", "web")
	if err != nil {
		return nil, err
	}
	seededDirs = append(seededDirs, dir)
	return seeded.Homelab(context.Background(), dir, testNow)
})

// deeds are what actions were asked to do.
type deeds struct {
	mu   sync.Mutex
	done []string
	err  error
	// alone means that no cron takes requests for a cycle.
	alone bool
}

func (d *deeds) do(what string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err == nil {
		d.done = append(d.done, what)
	}
	return d.err
}

func (d *deeds) ResetCounters(_ context.Context, service, by string) error {
	return d.do("counters " + service + ": " + by)
}

func (d *deeds) Silence(_ context.Context, service string, lasts time.Duration, reason, by string) error {
	return d.do(fmt.Sprintf("silence %q for %v (%s): %s", service, lasts, reason, by))
}

func (d *deeds) EndSilence(_ context.Context, service, by string) error {
	return d.do(fmt.Sprintf("end the silence of %q: %s", service, by))
}

func (d *deeds) CloseIncident(_ context.Context, id int64, by string) error {
	return d.do(fmt.Sprintf("close %d: %s", id, by))
}

func (d *deeds) Acknowledge(_ context.Context, id int64, by string) error {
	return d.do(fmt.Sprintf("acknowledge %d: %s", id, by))
}

func (d *deeds) CheckNow(_ context.Context, by string) (taken bool, err error) {
	return !d.alone, d.do("check now: " + by)
}

func (d *deeds) Approve(_ context.Context, id int64, by string) error {
	return d.do(fmt.Sprintf("approve %d: %s", id, by))
}

func (d *deeds) Reject(_ context.Context, id int64, by, reason string) error {
	return d.do(fmt.Sprintf("reject %d (%s): %s", id, reason, by))
}

// site is a dashboard that listens.
type site struct {
	t      *testing.T
	server *server
	http   *httptest.Server
	deeds  *deeds
	lab    *seeded.Lab

	mu  sync.Mutex
	now time.Time
}

func (s *site) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *site) wait(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
}

// newTestServer serves the homelab, unless options say otherwise.
func newTestServer(t *testing.T, change ...func(*dashboard.Options)) *site {
	t.Helper()
	lab := must(homelab())(t)
	s := &site{t: t, deeds: &deeds{}, lab: lab, now: testNow}
	o := testOptions(t, s, lab)
	for _, f := range change {
		f(&o)
	}
	s.server = must(newServer(o))(t)
	s.http = httptest.NewUnstartedServer(nil)
	s.http.Config = s.server.httpServer()
	s.http.Start()
	t.Cleanup(func() {
		s.http.CloseClientConnections()
		s.http.Close()
	})
	return s
}

func testOptions(t testing.TB, s *site, lab *seeded.Lab) dashboard.Options {
	t.Helper()
	inv := must(inventory.Read(lab.Inventory))(t)
	c := config.Config{StateDir: lab.StateDir, ResultsDir: lab.ResultsDir, DailyBudgetUSD: 10}
	return dashboard.Options{
		Addr: "127.0.0.1:0", Now: s.clock, Version: "1.2.3",
		Actions:   s.deeds,
		Config:    c,
		Variables: []config.Variable{{Name: "CLAUDEOPS_STATE_DIR", Value: lab.StateDir, Source: "environment", Meaning: "where records stand"}},
		Inventory: func() *inventory.Inventory { return inv },
		Home:      lab.Home,
	}
}

func withToken(o *dashboard.Options) { o.Token = testToken }

// unavailableInstance has no database.
func unavailableInstance(o *dashboard.Options) { o.Config.StateDir += ".missing" }

// reply is an answer that was read.
type reply struct {
	*http.Response
	body string
}

// ask sends a request as it is, following nothing.
func (s *site) ask(method, path string, change ...func(*http.Request)) reply {
	s.t.Helper()
	return s.askBy(&http.Client{}, method, path, "", change...)
}

func (s *site) get(path string, change ...func(*http.Request)) reply {
	s.t.Helper()
	return s.ask(http.MethodGet, path, change...)
}

func (s *site) askBy(c *http.Client, method, path, body string, change ...func(*http.Request)) reply {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.http.URL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if body == "" {
		r.Body, r.ContentLength = http.NoBody, 0
	} else {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, f := range change {
		f(r)
	}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := c.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err = errors.Join(err, response.Body.Close()); err != nil {
		s.t.Fatal(err)
	}
	return reply{response, string(text)}
}

// header sets a header of a request.
func header(name, value string) func(*http.Request) {
	return func(r *http.Request) {
		if name == "Host" {
			r.Host = value
			return
		}
		r.Header.Set(name, value)
	}
}

// browser is somebody who keeps cookies and sends what browsers send with forms.
type browser struct {
	*site
	client *http.Client
}

func (s *site) browser() *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return &browser{s, &http.Client{Jar: jar}}
}

func (b *browser) get(path string) reply {
	b.t.Helper()
	return b.askBy(b.client, http.MethodGet, path, "")
}

// submit sends a form as a page of ours does.
func (b *browser) submit(action string, form url.Values, change ...func(*http.Request)) reply {
	b.t.Helper()
	return b.post(action, form, append([]func(*http.Request){header("Sec-Fetch-Site", "same-origin"), header("Origin", b.http.URL)}, change...)...)
}

func (b *browser) post(action string, form url.Values, change ...func(*http.Request)) reply {
	b.t.Helper()
	return b.askBy(b.client, http.MethodPost, action, form.Encode(), change...)
}

// inputValue is the value of the first input of a name in a page.
func inputValue(page, name string) string {
	from := html.NewTokenizer(strings.NewReader(page))
	for {
		kind := from.Next()
		if kind == html.ErrorToken {
			return ""
		}
		token := from.Token()
		if token.Data != "input" || attribute(token, "name") != name {
			continue
		}
		return attribute(token, "value")
	}
}

func attribute(token html.Token, name string) string {
	for _, a := range token.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// wantReply says what is wrong with an answer.
func wantReply(t *testing.T, got reply, status int, words ...string) {
	t.Helper()
	if got.StatusCode != status {
		t.Errorf("%s %s: %d, want %d\n%s", got.Request.Method, got.Request.URL, got.StatusCode, status, got.body)
	}
	for _, word := range words {
		if !strings.Contains(got.body, word) {
			t.Errorf("%s %s: nothing says %q:\n%s", got.Request.Method, got.Request.URL, word, got.body)
		}
	}
}

func fine(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		fine(t, err)
		return v
	}
}

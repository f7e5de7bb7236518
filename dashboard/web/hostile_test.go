package web

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"golang.org/x/net/html"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/seeded"
)

var hostileNow = time.Date(2026, 11, 22, 9, 41, 0, 0, time.UTC)

// hostileSite is a dashboard that a test asks, over HTTP.
type hostileSite struct {
	t      *testing.T
	base   string
	client *http.Client
	rules  hostileRules
}

// serveHostile serves a dashboard of records that hold payloads everywhere. Its clock stands still, so that pages can be compared.
func serveHostile(t *testing.T, payloads ...string) (*hostileSite, []seeded.Infested) {
	t.Helper()
	lab, where, err := seeded.Hostile(t.Context(), t.TempDir(), hostileNow, payloads...)
	if err != nil {
		t.Fatal(err)
	}
	r := must(readHostileRules())(t)
	clock := func() time.Time { return hostileNow }
	c := config.Config{StateDir: lab.StateDir, ResultsDir: lab.ResultsDir, Inventory: lab.Inventory, MaxTier: 3, MaxRemediationsPerDay: 12, DailyBudgetUSD: 10}
	redactor := mask.New(nil)
	variables := make([]config.Variable, 0, len(payloads))
	for _, p := range payloads {
		variables = append(variables, config.Variable{Name: "CLAUDEOPS_" + p, Value: p, Source: p, Default: p, Meaning: p})
	}
	var inv *inventory.Inventory
	if lab.Inventory != "" {
		inv = must(inventory.Read(lab.Inventory))(t)
	}
	return serveHostileOptions(t, r, dashboard.Options{
		Addr: "127.0.0.1:0", Redactor: redactor, Now: clock, Version: "1", Config: c, Variables: variables,
		Inventory: func() *inventory.Inventory { return inv },
		Home:      lab.Home,
		Actions:   &deeds{err: store.ErrNotFound},
	}), where
}

func serveHostileOptions(t *testing.T, r hostileRules, o dashboard.Options) *hostileSite {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	listening, ended := make(chan string, 1), make(chan error, 1)
	o.Listening = func(addr string) { listening <- addr }
	go func() { ended <- Serve(ctx, o) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	select {
	case addr := <-listening:
		return &hostileSite{t, "http://" + addr, &http.Client{Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, r}
	case err := <-ended:
		ended <- nil
		t.Fatal(err)
	}
	return nil
}

// get asks for an address, whose answer must be of a type and have the headers that every answer has.
func (s *hostileSite) get(path, mediaType string) (int, []byte) {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.base+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	answer, err := s.client.Do(request)
	if err != nil {
		s.t.Fatalf("%.200s: %v", path, err)
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatalf("%.200s: %v", path, err)
	}
	if err := answer.Body.Close(); err != nil {
		s.t.Fatal(err)
	}
	if got := answer.Header.Get("Content-Type"); answer.StatusCode < 300 && !strings.HasPrefix(got, mediaType) {
		s.t.Errorf("%.200s is %q, want %s", path, got, mediaType)
	}
	for name, values := range answer.Header {
		for _, v := range values {
			if strings.Contains(v, "=evil") || strings.Contains(v, "evil.example") && name != "Location" {
				s.t.Errorf("%.200s: the header %s: %.100q", path, name, v)
			}
		}
	}
	policy := answer.Header.Get("Content-Security-Policy")
	if !strings.HasPrefix(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || answer.Header.Get("X-Content-Type-Options") != "nosniff" {
		s.t.Errorf("%.200s: policy %q, sniffing %q", path, policy, answer.Header.Get("X-Content-Type-Options"))
	}
	if location := answer.Header.Get("Location"); location != "" && !hostileSiteHas(location) {
		s.t.Errorf("%.200s leads to %q", path, location)
	}
	return answer.StatusCode, body
}

// page asks for a page, which must obey the rules, and returns its frame.
func (s *hostileSite) page(path string) (status int, body []byte, frame []string) {
	s.t.Helper()
	status, body = s.get(path, "text/html; charset=utf-8")
	faults, frame := s.rules.examine(body)
	for n, fault := range faults {
		if n == 5 {
			break
		}
		s.t.Errorf("%.200q (%d): %s", path, status, fault)
	}
	if len(body) > maxHostilePage {
		s.t.Errorf("%.200q has %d bytes", path, len(body))
	}
	return status, body, frame
}

// maxHostilePage is what a browser still shows at once, however long the texts in it are: 25 chains, 100 events, 500 calls.
const maxHostilePage = 8 << 20

// framed asks for a page whose frame must be the same as that of a harmless one.
func (s *hostileSite) framed(path string, want []string) {
	s.t.Helper()
	status, body, got := s.page(path)
	if status != http.StatusOK {
		s.t.Errorf("%.200q is answered with %d: %.300q", path, status, hostileWords(body))
	} else if !slices.Equal(got, want) {
		s.t.Errorf("%.200q has the frame\n%q\nand not\n%q", path, got, want)
	}
}

func hostileWords(body []byte) string {
	doc, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return err.Error()
	}
	for n := range doc.Descendants() {
		if n.Data == "main" {
			return hostileText(n)
		}
	}
	return string(body)
}

// whole is JSON, valid and without what steers.
func (s *hostileSite) whole(path string) []byte {
	s.t.Helper()
	status, body := s.get(path, "application/json")
	if status != http.StatusOK {
		s.t.Errorf("%.200q is answered with %d: %.300s", path, status, body)
	}
	var any any
	if err := json.Unmarshal(body, &any); err != nil {
		s.t.Errorf("%.200q is no JSON: %v", path, err)
	}
	for _, fault := range hostileBytes(body) {
		s.t.Errorf("%.200q: %s", path, fault)
	}
	return body
}

// patterns are the pages of an instance, with the places of a payload in them.
func hostilePages(is seeded.Infested) (pages map[string]string) {
	pages = map[string]string{
		"home": "/", "sessions": "/sessions", "incidents": "/incidents", "services": "/services", "events": "/events", "cooldowns": "/cooldowns",
		"hooks": "/hooks", "settings": "/settings", "incident": fmt.Sprintf("/incidents/%d", is.Incident), "closed": fmt.Sprintf("/incidents/%d", is.Incident+1),
		"log": fmt.Sprintf("/sessions/%d/log", is.Sessions[0]), "tail": fmt.Sprintf("/sessions/%d/log", is.Sessions[2]),
	}
	for n, id := range is.Sessions {
		pages[fmt.Sprint("tier", n+1)] = fmt.Sprintf("/sessions/%d", id)
	}
	if len(is.Payload) <= 1000 {
		pages["service"] = servicePath(is.Payload)
	}
	if len(is.Payload) <= maxFilter && utf8.ValidString(is.Payload) {
		list := []string{"sessions", "events", "incidents"}[is.Incident%3] // each shows the filter in the same way
		pages[list+" of service"] = "/" + list + "?service=" + url.QueryEscape(is.Payload)
		pages["search"] = "/services?q=" + url.QueryEscape(is.Payload)
	}
	return pages
}

// Pages that show all payloads hostileLists, and that are asked for once.
var hostileLists = []string{"home", "sessions", "incidents", "services", "events", "cooldowns", "hooks", "settings"}

// framesOf are the frames of the pages that have nothing to fear, and the metrics that there are then.
func framesOf(t *testing.T) (frames map[string][]string, metrics []string) {
	t.Helper()
	s, where := serveHostile(t, "harmless-7", "harmless-8", "harmless-9")
	pages := map[string]string{}
	for _, is := range where {
		maps.Copy(pages, hostilePages(is))
	}
	frames = map[string][]string{}
	for name, path := range pages {
		status, body, got := s.page(path)
		if status != http.StatusOK {
			t.Fatalf("%s is answered with %d: %.300s", path, status, hostileWords(body))
		}
		if !slices.ContainsFunc(got, func(part string) bool { return strings.HasSuffix(part, " main") }) {
			t.Fatalf("%s has no main: %q", path, got)
		}
		frames[name] = got
	}
	if metrics = s.metrics(len(where)); len(metrics) < 5 {
		t.Fatalf("metrics %q", metrics)
	}
	return frames, metrics
}

func hostilePayloads(t testing.TB) []string {
	t.Helper()
	payloads := must(seeded.Payloads("testdata/payloads.txt"))(t)
	return payloads
}

// some are all payloads, or each eighth of them for make test, which has no time for more.
func some(payloads []string) (taken []string) {
	for i, p := range payloads {
		if i%8 == 0 || !testing.Short() {
			taken = append(taken, p)
		}
	}
	return taken
}

// raceDetector is whether it watches this process, which is ten times as slow then.
var raceDetector bool

// turn reports whether something is done for a payload: all is, but under the race detector, which looks for other faults, a quarter of it, of
// which there is some for each payload and each page.
func turn(payload, what int) bool { return !raceDetector || (payload+what)%4 == 0 }

// TestHostileContent is about all payloads, each in every place of some instance's records.
func TestHostileContent(t *testing.T) {
	frames, metrics := framesOf(t)
	all := some(hostilePayloads(t))
	if raceDetector { // what is far too long is for the bounds of pages, of which it sees nothing
		all = slices.DeleteFunc(all, func(p string) bool { return len(p) > 64<<10 })
	}
	slices.SortStableFunc(all, func(p, q string) int { return cmp.Compare(len(p), len(q)) })
	short, _ := slices.BinarySearchFunc(all, 1<<10, func(p string, most int) int { return cmp.Compare(len(p), most) })
	// Each answer reads what there is of all services.
	sets := slices.AppendSeq(slices.Collect(slices.Chunk(all[:short], 20)), slices.Chunk(all[short:], 2))
	for n, payloads := range sets {
		t.Run(fmt.Sprintf("%d, up to %d bytes", n, len(payloads[len(payloads)-1])), func(t *testing.T) {
			t.Parallel()
			s, where := serveHostile(t, payloads...)
			t.Run("pages", func(t *testing.T) { s.on(t).showNoMarkup(where, frames) })
			t.Run("API", func(t *testing.T) { s.on(t).areWhole(where) })
			t.Run("streams", func(t *testing.T) { s.on(t).stream(where) })
			t.Run("metrics", func(t *testing.T) {
				got := s.on(t).metrics(len(where))
				// No service of a long name is in the inventory, and so none of them held back.
				got = slices.DeleteFunc(got, func(name string) bool { return slices.Contains(metrics, name) })
				if len(got) > 0 {
					t.Errorf("forged are the metrics %q", got)
				}
			})
		})
	}
}

// on is the same dashboard, asked by a part of a test.
func (s *hostileSite) on(t *testing.T) *hostileSite {
	other := *s
	other.t = t
	return &other
}

// showNoMarkup asks for the pages, of which no content may be markup.
func (s *hostileSite) showNoMarkup(where []seeded.Infested, frames map[string][]string) {
	for name, path := range hostilePages(where[0]) {
		if slices.Contains(hostileLists, name) {
			s.framed(path, frames[name])
		}
	}
	for before := int64(3 * len(where)); before > 1; before -= 60 { // the other pages of the lists
		s.page(fmt.Sprintf("/sessions?before=%d", before))
		s.page(fmt.Sprintf("/events?before=%d", before))
		s.page(fmt.Sprintf("/incidents?before=%d", before))
	}
	for n, is := range where {
		pages := hostilePages(is)
		for k, name := range slices.Sorted(maps.Keys(pages)) {
			if !slices.Contains(hostileLists, name) && turn(n, k) {
				s.framed(pages[name], frames[name])
			}
		}
	}
}

func TestHostileAddressesAreAnsweredWithPages(t *testing.T) {
	s, _ := serveHostile(t, "harmless-7")
	for n, p := range some(hostilePayloads(t)) {
		if len(p) > 4000 {
			continue // more than a request may have
		}
		asked := url.QueryEscape(p)
		for k, path := range []string{
			"/" + url.PathEscape(p), "/sessions/" + url.PathEscape(p), "/incidents/" + url.PathEscape(p), "/sessions/1?from=" + asked, "/sessions?status=" + asked,
			"/sessions?from=" + asked, "/sessions?tier=" + asked + "&service=" + asked, "/events?level=" + asked, "/services?status=" + asked + "&after=" + asked,
			servicePath(p) + map[bool]string{true: "&", false: "?"}[strings.Contains(servicePath(p), "?")] + "span=" + asked,
			"/sessions/1/log?from=" + asked, "/login?next=" + asked, "/?notice=" + asked,
		} {
			if turn(n, k) {
				s.page(path)
			}
		}
	}
}

// areWhole asks the API, whose answers are JSON whatever stands in them.
func (s *hostileSite) areWhole(where []seeded.Infested) {
	for _, path := range []string{"overview", "sessions", "incidents", "services", "events", "cooldowns", "hooks", "settings"} {
		s.whole("/api/v1/" + path)
	}
	for n, is := range where {
		paths := []string{
			fmt.Sprintf("/sessions/%d", is.Sessions[0]), fmt.Sprintf("/sessions/%d", is.Sessions[2]), fmt.Sprintf("/sessions/%d/log", is.Sessions[2]),
			fmt.Sprintf("/incidents/%d", is.Incident),
		}
		if len(is.Payload) <= 1000 {
			paths = append(paths, servicePath(is.Payload))
		}
		for k, path := range paths {
			if turn(n, k) {
				s.whole("/api/v1" + path)
			}
		}
	}
}

// stream follows raw logs, whose events are whole whatever stands in them.
func (s *hostileSite) stream(where []seeded.Infested) {
	for n, is := range where {
		for k, id := range []int64{is.Sessions[0], is.Sessions[2]} {
			if !turn(n, k) {
				continue
			}
			status, body := s.get(fmt.Sprintf("/sessions/%d/log/stream", id), "text/event-stream")
			if status != http.StatusOK {
				s.t.Errorf("%.80q: the stream of %d is answered with %d: %.200s", is.Payload, id, status, body)
				continue
			}
			for _, fault := range append(hostileBytes(body), hostileStream(body)...) {
				s.t.Errorf("%.80q: the stream of %d: %s", is.Payload, id, fault)
			}
		}
	}
}

// hostileStream are what a browser would find wrong with a stream: it ends once, at its end, and each line has its place behind the last.
func hostileStream(body []byte) (found []string) {
	event, data, last, ends := "", "", int64(0), 0
	lines := bufio.NewScanner(bytes.NewReader(body))
	lines.Buffer(nil, 8<<20)
	for lines.Scan() {
		line := lines.Text()
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		if ends > 0 {
			found = append(found, fmt.Sprintf("%.60q behind the end", line))
		}
		switch name {
		case "":
			if line != "" {
				continue // a comment
			}
			switch event {
			case "line":
				var l dashboard.LogLine
				if err := json.Unmarshal([]byte(data), &l); err != nil {
					found = append(found, fmt.Sprintf("%.80q: %v", data, err))
				}
				if l.At != last && last != 0 || l.Next <= l.At {
					found = append(found, fmt.Sprintf("a line from %d to %d behind %d", l.At, l.Next, last))
				}
				last = l.Next
			case "end":
				ends++
			case "":
			default:
				found = append(found, fmt.Sprintf("an event called %.60q", event))
			}
			event, data = "", ""
		case "event":
			event = value
		case "data":
			data += value
		case "id":
			if _, err := strconv.ParseInt(value, 10, 64); err != nil {
				found = append(found, fmt.Sprintf("the id %.60q", value))
			}
		default:
			found = append(found, fmt.Sprintf("the line %.80q", line))
		}
	}
	if err := lines.Err(); err != nil {
		found = append(found, err.Error())
	}
	if ends != 1 || last == 0 {
		found = append(found, fmt.Sprintf("%d ends, the last line ends at %d", ends, last))
	}
	return found
}

// metrics are the families that there are, of as many open incidents as there are payloads.
func (s *hostileSite) metrics(payloads int) []string {
	status, body := s.get("/metrics", "text/plain")
	if status != http.StatusOK {
		s.t.Fatalf("%d: %.300s", status, body)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	all := must(parser.TextToMetricFamilies(bytes.NewReader(body)))(s.t)
	if open := all["claudeops_incidents_open"]; open != nil && int(open.GetMetric()[0].GetGauge().GetValue()) != payloads {
		s.t.Errorf("%v open incidents, want %d", open, payloads)
	}
	return slices.Sorted(maps.Keys(all))
}

package receiver_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/testkit/receiver"
)

func post(t *testing.T, url, kind, body string) (status int, answer string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", kind)
	request.Header.Set("Accept", "application/json")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		return 0, err.Error()
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, 1<<16))
	if err != nil {
		return response.StatusCode, err.Error()
	}
	return response.StatusCode, string(text)
}

const (
	asJSON    = "application/json"
	stateless = `{"urls":"json://h/a","title":"T","body":"B","type":"info","format":"markdown"}`
	keyed     = `{"title":"T","body":"B","type":"warning","format":"text","tag":"ops"}`
	fromJSON  = `{"version":"1.0","title":"","message":"B","attachments":[],"type":"failure"}`
)

func TestMessagesAreKeptInOrderAndAnsweredAsTheRealServerDoes(t *testing.T) {
	r := receiver.New(t)
	r.Store("kept", "ops", "night")
	for _, row := range []struct {
		path, body string
		status     int
	}{
		{"/notify/", stateless, 200},
		{"/notify", strings.Replace(stateless, `"json://h/a"`, `["json://h/a","x://"]`, 1), 200},
		{"/notify/", strings.Replace(stateless, "json://h/a", "nothing://h/a", 1), 204},
		{"/notify/", strings.Replace(stateless, "json://h/a", "", 1), 204},
		{"/notify/kept", keyed, 200},
		{"/notify/kept/", strings.Replace(keyed, `"ops"`, `"day, ops night"`, 1), 200},
		{"/notify/kept", strings.Replace(keyed, `"ops"`, `"ops day"`, 1), 204},
		{"/notify/other", keyed, 204},
		{"/phone", fromJSON, 200},
	} {
		if status, answer := post(t, r.URL+row.path, asJSON, row.body); status != row.status {
			t.Errorf("%s %s: %d %s; want %d", row.path, row.body, status, answer, row.status)
		}
	}
	got := r.Messages()
	if len(got) != 9 || len(r.Delivered()) != 5 {
		t.Fatalf("%d messages, %d delivered; want 9, 5: %+v", len(got), len(r.Delivered()), got)
	}
	for i := range got {
		got[i].Header = nil
	}
	want := []receiver.Message{
		{Title: "T", Body: "B", Type: "info", Format: "markdown", Path: "/notify/", URLs: []string{"json://h/a"}, Status: 200},
		{Title: "T", Body: "B", Type: "info", Format: "markdown", Path: "/notify", URLs: []string{"json://h/a", "x://"}, Status: 200},
		{Title: "T", Body: "B", Type: "warning", Format: "text", Path: "/notify/kept", Key: "kept", Tag: "ops", Status: 200},
		{Body: "B", Type: "failure", Path: "/phone", Status: 200},
	}
	if diff := cmp.Diff(want, []receiver.Message{got[0], got[1], got[4], got[8]}); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsWrongIsRefusedAndRemembered(t *testing.T) {
	r := receiver.New(t)
	replaced := func(text, old, by string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("no %s in %s", old, text)
		}
		return strings.Replace(text, old, by, 1)
	}
	for _, row := range []struct{ path, kind, body, fault string }{
		{"/notify/", "text/plain", stateless, "content type"},
		{"/notify/", asJSON + "; charset=latin1", stateless, "content type"},
		{"/notify/", asJSON, "", "not as it should be"},
		{"/notify/", asJSON, stateless + "{}", "not as it should be"},
		{"/notify/", asJSON, replaced(stateless, `"body"`, `"text"`), "not as it should be"},
		{"/notify/", asJSON, replaced(stateless, `"body"`, `"BODY"`), "not as it should be"},
		{"/notify/", asJSON, replaced(stateless, `"B"`, `""`), "lacks a body"},
		{"/notify/", asJSON, replaced(stateless, "info", "error"), `the type "error"`},
		{"/notify/", asJSON, replaced(stateless, "markdown", "md"), `the format "md"`},
		{"/notify/", asJSON, replaced(stateless, `"json://h/a"`, "3"), "neither a text nor a list"},
		{"/notify/kept", asJSON, stateless, "not as it should be"},
		{"/notify/kept", asJSON, replaced(keyed, "warning", ""), `the type ""`},
		{"/phone", asJSON, replaced(fromJSON, `"title":"",`, ""), "lacks title"},
		{"/phone", asJSON, "\xff", "not UTF-8"},
		{strings.TrimPrefix(r.PingURL(), r.URL) + "/stop", "text/plain", "", "path that no heartbeat has"},
		{strings.TrimPrefix(r.PingURL(), r.URL), asJSON, "", "content type"},
		{strings.TrimPrefix(r.PingURL(), r.URL), "text/plain", strings.Repeat("x", 10_001), "10001 bytes"},
	} {
		status, answer := post(t, r.URL+row.path, row.kind, row.body)
		faults := r.Faults()
		if status != 400 || !strings.Contains(answer, `"error":"`) || len(faults) != 1 || !strings.Contains(faults[0], row.fault) {
			t.Errorf("%s %s: %d %s, remembered %q; want 400 and %q", row.path, row.body, status, answer, faults, row.fault)
		}
	}
	if got := r.Messages(); len(got) != 0 {
		t.Errorf("%+v; want none of them", got)
	}
}

// failing is a test that only records that it failed.
type failing struct {
	*testing.T
	said []string
	ends []func()
}

func (f *failing) Errorf(format string, _ ...any) { f.said = append(f.said, format) }
func (f *failing) Cleanup(end func())             { f.ends = append(f.ends, end) }

func TestAFaultFailsTheTestThatCausedIt(t *testing.T) {
	f := &failing{T: t}
	r := receiver.New(f)
	post(t, r.URL+"/notify/", asJSON, "{}")
	for _, end := range f.ends {
		end()
	}
	if len(f.said) != 1 {
		t.Errorf("%q; want one failure", f.said)
	}
}

func TestAnswersCanBeSet(t *testing.T) {
	r := receiver.New(t)
	r.Answer(func(n int, m receiver.Message) receiver.Answer {
		switch n {
		case 1:
			return receiver.Undelivered()
		case 2:
			return receiver.Answer{Redirect: "http://127.0.0.1:1/"}
		case 3:
			return receiver.Answer{Close: true}
		case 4:
			return receiver.Answer{Raw: func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 418 "+m.Body+"\r\n\r\n") }}
		}
		return receiver.Answer{}
	})
	for i, want := range []int{424, 302, 0, 418, 200} {
		if status, answer := post(t, r.URL+"/phone", asJSON, fromJSON); status != want {
			t.Errorf("%d: %d %s; want %d", i+1, status, answer, want)
		}
	}
	if got := r.Messages(); len(got) != 5 || got[0].Status != 424 || got[2].Status != 0 || got[4].Status != 200 {
		t.Errorf("%+v", got)
	}
}

func TestReceiverGoesDownAndComesBackAtItsAddress(t *testing.T) {
	r := receiver.New(t)
	for i, want := range []int{200, 0, 200} {
		if i == 1 {
			r.Down()
		} else {
			r.Up()
		}
		if status, answer := post(t, r.URL+"/phone", asJSON, fromJSON); status != want {
			t.Errorf("%d: %d %s; want %d", i, status, answer, want)
		}
	}
	if got := r.Messages(); len(got) != 2 {
		t.Errorf("%+v; want two", got)
	}
}

func TestHeartbeatsAreKept(t *testing.T) {
	r := receiver.New(t)
	for _, path := range []string{"/start?rid=r1", "?rid=r1", "/fail?rid=r1"} {
		if status, _ := post(t, r.PingURL()+path, "text/plain; charset=utf-8", "said"); status != 200 {
			t.Errorf("%s: %d", path, status)
		}
	}
	var got []string
	for _, p := range r.Pings() {
		got = append(got, p.Beat+" "+p.Run+" "+p.Text)
	}
	if diff := cmp.Diff([]string{"start r1 said", " r1 said", "fail r1 said"}, got); diff != "" {
		t.Error(diff)
	}
}

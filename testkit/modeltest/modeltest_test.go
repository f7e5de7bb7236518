package modeltest

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ask sends a request of an agent's main loop, like the program, and returns the status and the body of the response.
func ask(t *testing.T, srv *Server, session, model string) (int, string) {
	t.Helper()
	body := `{"model":"` + model + `","stream":false,"system":"watch","tools":[{"name":"Bash"}],
		"messages":[{"role":"user","content":[{"type":"text","text":"reminder"},{"type":"text","text":"go"}]},
		{"role":"assistant","content":[]},
		{"role":"user","content":[{"type":"tool_result","content":"refused","is_error":true}]}]}`
	return send(t, srv, "/v1/messages?beta=true", session, body)
}

func send(t *testing.T, srv *Server, path, session, body string) (int, string) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("X-Claude-Code-Session-Id", session)
	q.Header.Set("X-Api-Key", Key)
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

func TestEverySessionPlaysItsListFromTheStart(t *testing.T) {
	srv := Start(t, Script{
		"haiku":  {Bash("date"), Say("fine")},
		"sonnet": {Fail(529)},
	})
	for _, c := range []struct {
		session, model string
		status         int
		want           string
	}{
		{"one", "claude-haiku-4-5", 200, `"command":"date"`},
		{"two", "claude-haiku-4-5", 200, `"command":"date"`},
		{"one", "claude-haiku-4-5", 200, `"text":"fine"`},
		{"one", "claude-haiku-4-5", 200, `"text":"done"`},
		{"one", "claude-sonnet-5", 529, `overloaded_error`},
		{"one", "claude-sonnet-5", 529, `overloaded_error`},
		{"two", "claude-haiku-4-5", 200, `"text":"fine"`},
	} {
		status, body := ask(t, srv, c.session, c.model)
		if status != c.status || !strings.Contains(body, c.want) {
			t.Errorf("%s %s: %d %s, want %d with %s", c.session, c.model, status, body, c.status, c.want)
		}
	}
	if n := len(srv.RequestsTo("sonnet")); n != 2 {
		t.Errorf("%d requests to sonnet, want 2", n)
	}
}

func TestPlayIsForSessionsThatStartLater(t *testing.T) {
	srv := Start(t, Script{"haiku": {Say("a"), Say("b")}})
	ask(t, srv, "one", "haiku")
	srv.Play(Script{"haiku": {Say("c")}})
	if _, body := ask(t, srv, "one", "haiku"); !strings.Contains(body, `"text":"b"`) {
		t.Errorf("the session that was there: %s, want b", body)
	}
	if _, body := ask(t, srv, "two", "haiku"); !strings.Contains(body, `"text":"c"`) {
		t.Errorf("a new session: %s, want c", body)
	}
}

func TestARequestIsTakenApart(t *testing.T) {
	srv := Start(t, Script{"haiku": {Ask(func(r Request) Turn { return Say("you saw " + r.Results[0].Text) })}})
	if _, body := ask(t, srv, "one", "haiku"); !strings.Contains(body, "you saw refused") {
		t.Errorf("answer %s does not come from the request", body)
	}
	got := srv.Requests()[0]
	if got.Size != len(got.Body) || got.Size == 0 {
		t.Errorf("size %d of %d bytes", got.Size, len(got.Body))
	}
	got.Body, got.Size = nil, 0
	want := Request{
		Method: "POST", Path: "/v1/messages", Key: Key, Session: "one", Model: "haiku",
		System: "watch", Tools: []string{"Bash"}, Prompt: "go", Results: []Result{{Text: "refused", IsError: true}},
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(Request{})); d != "" {
		t.Error(d)
	}
}

func TestSideCallsTakeNoTurn(t *testing.T) {
	srv := Start(t, Script{"haiku": {Say("first")}})
	if _, body := send(t, srv, "/v1/messages/count_tokens", "one", `{"messages":[]}`); !strings.Contains(body, "input_tokens") {
		t.Errorf("count_tokens: %s", body)
	}
	if _, body := send(t, srv, "/v1/messages", "one", `{"model":"haiku","messages":[{"content":"a title"}]}`); !strings.Contains(body, `"text":"ok"`) {
		t.Errorf("title: %s", body)
	}
	if _, body := ask(t, srv, "one", "haiku"); !strings.Contains(body, "first") {
		t.Errorf("the agent's request got %s, want the first turn", body)
	}
	if len(srv.Side()) != 2 || len(srv.Requests()) != 1 {
		t.Errorf("%d side calls and %d requests, want 2 and 1", len(srv.Side()), len(srv.Requests()))
	}
}

func TestAStreamedAnswer(t *testing.T) {
	srv := Start(t, Script{"haiku": {{Text: "look", Tools: []ToolUse{{"Read", map[string]any{"file_path": "/x"}}}}}})
	_, body := send(t, srv, "/v1/messages", "one", `{"model":"haiku","stream":true,"tools":[{"name":"Read"}],"messages":[]}`)
	var names []string
	for line := range strings.Lines(body) {
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			names = append(names, strings.TrimSpace(name))
		}
	}
	want := []string{
		"message_start", "content_block_start", "content_block_delta", "content_block_stop",
		"content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop",
	}
	if d := cmp.Diff(want, names); d != "" {
		t.Error(d)
	}
	if !strings.Contains(body, `"partial_json":"{\"file_path\":\"/x\"}"`) || !strings.Contains(body, `"stop_reason":"tool_use"`) {
		t.Errorf("no tool call in %s", body)
	}
}

func TestAHangingRequestEndsWithTheTest(t *testing.T) {
	ended := make(chan struct{})
	t.Run("hang", func(t *testing.T) {
		asked := make(chan struct{})
		srv := Start(t, Script{"haiku": {Ask(func(Request) Turn { close(asked); return Hang() })}})
		body := strings.NewReader(`{"model":"haiku","tools":[{"name":"Bash"}],"messages":[]}`)
		go func() {
			defer close(ended)
			if r, err := http.Post(srv.URL+"/v1/messages", "application/json", body); err == nil {
				_ = r.Body.Close()
			}
		}()
		<-asked
	})
	<-ended
}

func TestAnUnscriptedModelFailsTheTest(t *testing.T) {
	tb := &failures{TB: t}
	srv := Start(tb, Script{"haiku": {Say("a")}})
	if status, _ := ask(t, srv, "one", "opus"); status != http.StatusNotFound || tb.n.Load() != 1 {
		t.Errorf("status %d and %d failures, want 404 and 1", status, tb.n.Load())
	}
}

// failures counts the failures of a test that is expected to fail.
type failures struct {
	testing.TB
	n atomic.Int32
}

func (f *failures) Errorf(string, ...any) { f.n.Add(1) }
